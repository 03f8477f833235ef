import { type ThreadOptions, WorkerThread } from './worker-thread.ts';

/** What the threads of a pool run, and when they end. */
export interface IdleThreadsOptions extends ThreadOptions {
  /** Idle seconds after which a thread ends. */
  readonly idleSeconds: number;
}

/** A pool of idle threads; each ends after being idle for too long. */
export class IdleThreads<Question, Reply> {
  readonly #options: IdleThreadsOptions;
  readonly #all = new Set<WorkerThread<Question, Reply>>();
  readonly #idle = new Map<WorkerThread<Question, Reply>, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: IdleThreadsOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The thread that has been idle for the shortest time, which remembers most, or a new one. */
  take(): WorkerThread<Question, Reply> {
    const latest = [...this.#idle].at(-1);
    if (latest === undefined) return this.#started();
    const [thread, timer] = latest;
    clearTimeout(timer);
    this.#idle.delete(thread);
    return thread.isLost ? this.take() : thread;
  }

  giveBack(thread: WorkerThread<Question, Reply>): void {
    if (thread.isLost) this.#all.delete(thread);
    else this.#idle.set(thread, setTimeout(() => void this.#end(thread), this.#options.idleSeconds * 1000).unref());
  }

  /** Ends all threads, including those in use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((thread) => this.#end(thread)));
  }

  #started(): WorkerThread<Question, Reply> {
    const thread = new WorkerThread<Question, Reply>(this.#options);
    this.#all.add(thread);
    return thread;
  }

  async #end(thread: WorkerThread<Question, Reply>): Promise<void> {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#all.delete(thread);
    await thread.end();
  }
}
