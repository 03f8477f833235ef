import type { Worker } from 'node:cluster';
import type { RoutedZone } from '../routing/zone-table.ts';

/** What the first process tells one that answers requests. They are handled in order. */
export type ToWorker =
  | { readonly type: 'begin'; readonly zones: readonly RoutedZone[] }
  | { readonly type: 'put'; readonly zone: RoutedZone }
  | { readonly type: 'remove'; readonly id: string }
  | Question;

/** What wants a reply with the same number. */
export interface Question {
  readonly type: 'flush' | 'measure';
  readonly number: number;
}

/** What a process that answers requests tells the first one. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'reply'; readonly number: number; readonly value: unknown }
  | { readonly type: 'lost'; readonly zone: RoutedZone }
  | { readonly type: 'failed'; readonly line: string };

/** What a process tells on its own. */
export interface WorkerEvents {
  /** It can be given zones. */
  readonly onReady: () => void;
  readonly onLost: (message: Extract<FromWorker, { type: 'lost' }>) => void;
  /** It cannot start, for a reason that a person can fix. */
  readonly onFailed: (line: string) => void;
}

/** The connection to a process that answers requests. */
export class WorkerLink {
  readonly worker: Worker;
  readonly #replies = new Map<number, (value: unknown) => void>();
  #number = 0;

  constructor(worker: Worker, { onReady, onLost, onFailed }: WorkerEvents) {
    this.worker = worker;
    // Only our own program runs in it.
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') onReady();
      else if (message.type === 'lost') onLost(message);
      else if (message.type === 'failed') onFailed(message.line);
      else this.#replies.get(message.number)?.(message.value);
    });
    worker.once('exit', () => {
      for (const reply of this.#replies.values()) reply(undefined);
    });
  }

  /** Tells it something; a process that has just ended hears nothing. */
  tell(message: ToWorker): void {
    if (this.worker.isConnected()) this.worker.send(message, () => undefined);
  }

  /** Resolves to its reply; undefined if it ends first. */
  ask(type: Question['type']): Promise<unknown> {
    if (!this.worker.isConnected()) return Promise.resolve(undefined);
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve) => {
      this.#replies.set(number, (value) => {
        this.#replies.delete(number);
        resolve(value);
      });
      this.tell({ type, number });
    });
  }
}
