import { type TransferListItem, Worker } from 'node:worker_threads';
import { err, ok, type Result } from 'neverthrow';

/** What a thread runs, and its limits. */
export interface ThreadOptions {
  /** The program: it answers each message with one message. */
  readonly program: URL;
  /** Cloned for the program as its `workerData`. */
  readonly data?: unknown;
  /** Its environment, which may contain secrets; by default empty. */
  readonly env?: NodeJS.ProcessEnv;
  /** Heap size in mebibytes. */
  readonly memory: number;
  /** Seconds per question, after which the thread counts as lost. */
  readonly seconds: number;
}

/** A thread that answers one question at a time. Once lost, it answers no more. */
export class WorkerThread<Question, Reply> {
  readonly #worker: Worker;
  readonly #seconds: number;
  #settle: ((outcome: Result<Reply, string>) => void) | undefined;
  #isLost = false;

  constructor({ program, data, env = {}, memory, seconds }: ThreadOptions) {
    this.#seconds = seconds;
    const options = { env, workerData: data, resourceLimits: { maxOldGenerationSizeMb: memory } };
    this.#worker = new Worker(program, options);
    // The program answers this type of question with this type of reply.
    this.#worker.on('message', (reply: Reply) => this.#settle?.(ok(reply)));
    this.#worker.on('error', ({ message }) => this.#lose(message));
    this.#worker.on('exit', () => this.#lose('The thread has ended.'));
    // Idle threads must not keep the process alive; pending promises do.
    this.#worker.unref();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** The thread's reply, or why it was lost. Ownership of `transferred` buffers passes to the thread. */
  async ask(question: Question, transferred: readonly TransferListItem[] = []): Promise<Result<Reply, string>> {
    if (this.#isLost) return err('The thread has ended.');
    const timeout = setTimeout(() => this.#lose(`No answer in ${this.#seconds} s.`), this.#seconds * 1000);
    try {
      return await new Promise((resolve) => {
        this.#settle = resolve;
        this.#worker.postMessage(question, transferred);
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
