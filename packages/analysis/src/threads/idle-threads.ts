import { AnalysisThread, type ThreadLimits } from './analysis-thread.ts';

/** A pool of idle threads; each ends after being idle for too long. */
export class IdleThreads {
  readonly #program: URL;
  readonly #limits: ThreadLimits & { readonly idleSeconds: number };
  readonly #all = new Set<AnalysisThread>();
  readonly #idle = new Map<AnalysisThread, NodeJS.Timeout>();
  #isClosed = false;

  constructor(program: URL, limits: ThreadLimits & { readonly idleSeconds: number }) {
    this.#program = program;
    this.#limits = limits;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** An idle thread, or a new one. */
  take(): AnalysisThread {
    const [known] = this.#idle;
    if (known === undefined) return this.#started();
    const [thread, timer] = known;
    clearTimeout(timer);
    this.#idle.delete(thread);
    return thread.isLost ? this.take() : thread;
  }

  giveBack(thread: AnalysisThread): void {
    if (thread.isLost) this.#all.delete(thread);
    else this.#idle.set(thread, setTimeout(() => void this.#end(thread), this.#limits.idleSeconds * 1000).unref());
  }

  /** Ends all threads, including those in use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((thread) => this.#end(thread)));
  }

  #started(): AnalysisThread {
    const thread = new AnalysisThread(this.#program, this.#limits);
    this.#all.add(thread);
    return thread;
  }

  async #end(thread: AnalysisThread): Promise<void> {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#all.delete(thread);
    await thread.end();
  }
}
