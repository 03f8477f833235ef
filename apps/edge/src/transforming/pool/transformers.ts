import { type FairGate, fairGate } from '@zonewright/gate';
import type { Job, Outcome } from '../transformation.ts';
import { type ProcessLimits, Transformer } from './transformer.ts';
import { ZonePauses } from './zone-pauses.ts';

/** What all transformers of a process may use. */
export interface TransformerLimits extends ProcessLimits {
  /** How many there are at most. */
  readonly processes: number;
  /** Milliseconds of work on a body. */
  readonly milliseconds: Readonly<Record<Job['type'], number>>;
  /** How long a body waits for a process that starts. */
  readonly startWaitMilliseconds: number;
  /** Bodies of a zone that may wait, and how long. */
  readonly queueLimit: number;
  readonly waitSeconds: number;
  /** Idle seconds after which a process ends. */
  readonly idleSeconds: number;
}

/** After a process that could not start, the next one is tried. */
const restartMilliseconds = 10_000;

/**
 * The processes that decode images and pages; started when they are needed. Zones take turns, and none of them has the
 * last place, so that nobody waits for the end of another's work.
 */
export class Transformers {
  readonly #limits: TransformerLimits;
  readonly #onFailure: () => void;
  readonly #gate: FairGate;
  readonly #pauses = new ZonePauses();
  readonly #all = new Set<Transformer>();
  readonly #idle = new Map<Transformer, NodeJS.Timeout>();
  #unusableUntil = 0;
  #isClosed = false;

  /** `onFailure` is called when a process cannot start. */
  constructor(limits: TransformerLimits, onFailure: () => void) {
    this.#limits = limits;
    this.#onFailure = onFailure;
    const { processes: concurrency, queueLimit, waitSeconds } = limits;
    this.#gate = fairGate({ concurrency, queueLimit, waitSeconds, ownWaitSeconds: waitSeconds });
  }

  /** The processes that run. */
  get pids(): readonly number[] {
    return [...this.#all].flatMap(({ isLost, pid }) => (isLost || pid === undefined ? [] : [pid]));
  }

  /** Works on a body of a zone. The signal is aborted when nobody waits any more. Never rejects. */
  run(zone: string, job: Job, signal: AbortSignal): Promise<Outcome> {
    if (this.#pauses.isPaused(zone)) return Promise.resolve({ type: 'refused' });
    return this.#gate.run(zone, () => this.#work(zone, job, signal)).unwrapOr({ type: 'refused' });
  }

  close(): void {
    this.#isClosed = true;
    for (const transformer of this.#all) transformer.kill();
    for (const timer of this.#idle.values()) clearTimeout(timer);
  }

  async #work(zone: string, job: Job, signal: AbortSignal): Promise<Outcome> {
    const transformer = signal.aborted || this.#pauses.isPaused(zone) ? undefined : await this.#take();
    if (transformer === undefined) return { type: 'refused' };
    const milliseconds = this.#limits.milliseconds[job.type];
    const reply = await transformer.ask(job, { milliseconds, signal });
    this.#giveBack(transformer);
    if (reply === undefined) {
      if (!this.#isClosed) this.#pauses.pause(zone);
      return { type: 'killed' };
    }
    return reply.body === undefined ? { type: 'kept' } : { type: 'made', body: reply.body };
  }

  /** An idle process, or a new one; undefined if there is none in time. */
  async #take(): Promise<Transformer | undefined> {
    for (const [transformer, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(transformer);
      if (!transformer.isLost) return transformer;
      this.#all.delete(transformer);
    }
    if (this.#isClosed || this.#all.size >= this.#limits.processes || performance.now() < this.#unusableUntil) {
      return undefined;
    }
    return this.#started(new Transformer(this.#limits));
  }

  /** One that takes long to start is there for those who come later. */
  async #started(transformer: Transformer): Promise<Transformer | undefined> {
    this.#all.add(transformer);
    let isLate = false;
    const started = transformer.ready.then((isReady) => {
      if (!isReady) this.#failed(transformer);
      else if (isLate) this.#giveBack(transformer);
      return isReady ? transformer : undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve(undefined);
      }, this.#limits.startWaitMilliseconds);
    });
    return Promise.race([started, late]).finally(() => clearTimeout(timer));
  }

  #failed(transformer: Transformer): void {
    this.#all.delete(transformer);
    if (this.#isClosed) return;
    this.#unusableUntil = performance.now() + restartMilliseconds;
    this.#onFailure();
  }

  #giveBack(transformer: Transformer): void {
    if (transformer.isLost) return void this.#all.delete(transformer);
    const end = () => {
      this.#idle.delete(transformer);
      this.#all.delete(transformer);
      transformer.kill();
    };
    this.#idle.set(transformer, setTimeout(end, this.#limits.idleSeconds * 1000).unref());
  }
}
