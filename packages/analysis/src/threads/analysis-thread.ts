import { Worker } from 'node:worker_threads';
import { err, ok, type Result } from 'neverthrow';
import type { Answers, QuestionKind, Questions } from './answers.ts';

/** A message to a thread, sent as JSON text: copying a string blocks the sender for less time than cloning objects. */
export type Message = readonly [kind: QuestionKind, about: Questions[QuestionKind]];

/** A thread's reply: an answer and the length of its JSON text, or a defect. */
export type Reply = { readonly answer: Answers[QuestionKind]; readonly size: number } | { readonly defect: string };

/** Limits of a single thread. */
export interface ThreadLimits {
  /** Heap size in mebibytes. */
  readonly memory: number;
  /** Seconds per question, after which the thread counts as lost: several times what the budget allows. */
  readonly seconds: number;
}

/** A thread that answers one question at a time. Once lost, it answers no more. */
export class AnalysisThread {
  readonly #worker: Worker;
  readonly #seconds: number;
  #settle: ((outcome: Result<Reply, string>) => void) | undefined;
  #isLost = false;

  constructor(program: URL, { memory, seconds }: ThreadLimits) {
    this.#seconds = seconds;
    // The thread needs nothing from the environment, which contains secrets.
    this.#worker = new Worker(program, { env: {}, resourceLimits: { maxOldGenerationSizeMb: memory } });
    this.#worker.on('message', (reply: Reply) => this.#settle?.(ok(reply)));
    this.#worker.on('error', ({ message }) => this.#lose(message));
    this.#worker.on('exit', () => this.#lose('The thread has ended.'));
    // Idle threads must not keep the process alive; pending promises do.
    this.#worker.unref();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** The thread's reply, or why it was lost. */
  async ask(question: string): Promise<Result<Reply, string>> {
    if (this.#isLost) return err('The thread has ended.');
    const timeout = setTimeout(() => this.#lose(`No answer in ${this.#seconds} s.`), this.#seconds * 1000);
    try {
      return await new Promise((resolve) => {
        this.#settle = resolve;
        this.#worker.postMessage(question);
      });
    } finally {
      clearTimeout(timeout);
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
