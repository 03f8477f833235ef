import { Worker } from 'node:worker_threads';
import { err, ok, type Result } from 'neverthrow';
import type { Answers, Kind, Questions } from './answers.ts';

/** What is sent to a thread, as JSON text: copying a text stops the sender for less time than copying objects. */
export type Message = readonly [kind: Kind, about: Questions[Kind]];

/** What a thread sends back: an answer and the length of its JSON text, or what went wrong in it. */
export type Reply = { readonly answer: Answers[Kind]; readonly size: number } | { readonly defect: string };

/** What one thread may use. */
export interface ThreadLimits {
  /** Mebibytes of objects. */
  readonly memory: number;
  /** Seconds for one question, after which it is taken for lost: several times what a budget allows. */
  readonly seconds: number;
}

/** A thread that answers one question at a time. Once it is lost, it answers none any more. */
export class AnalysisThread {
  readonly #worker: Worker;
  readonly #seconds: number;
  #settle: ((outcome: Result<Reply, string>) => void) | undefined;
  #isLost = false;

  constructor(program: URL, { memory, seconds }: ThreadLimits) {
    this.#seconds = seconds;
    // Nothing of the environment is needed there, and some of it is secret.
    this.#worker = new Worker(program, { env: {}, resourceLimits: { maxOldGenerationSizeMb: memory } });
    this.#worker.on('message', (reply: Reply) => this.#settle?.(ok(reply)));
    this.#worker.on('error', ({ message }) => this.#lose(message));
    this.#worker.on('exit', () => this.#lose('The thread has ended.'));
    // It keeps no process alive: those who wait for an answer do.
    this.#worker.unref();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** What the thread replies, or why it is lost. */
  async ask(question: string): Promise<Result<Reply, string>> {
    if (this.#isLost) return err('The thread has ended.');
    const patience = setTimeout(() => this.#lose(`No answer in ${this.#seconds} s.`), this.#seconds * 1000);
    try {
      return await new Promise((resolve) => {
        this.#settle = resolve;
        this.#worker.postMessage(question);
      });
    } finally {
      clearTimeout(patience);
      this.#settle = undefined;
    }
  }

  async end(): Promise<void> {
    this.#lose('The thread was ended.');
    await this.#worker.terminate();
  }

  #lose(reason: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#settle?.(err(reason));
    void this.#worker.terminate();
  }
}
