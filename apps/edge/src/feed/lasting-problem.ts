/** How a problem is logged. */
interface ProblemLog {
  readonly begun: (text: string) => void;
  readonly ended: () => void;
}

/** What one of several parts says about a problem. */
export interface PartOfProblem {
  /** It is there (still). */
  begin(text: string): void;
  /** It is over, or was not there. */
  end(): void;
  /** The part says nothing more. */
  stop(): void;
}

/**
 * A problem that may last and that several parts meet: each wording is logged once when it begins, all are logged at intervals,
 * and the end once no part has it any more.
 */
export class LastingProblem {
  readonly #log: ProblemLog;
  readonly #intervalMs: number;
  readonly #texts = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: ProblemLog, intervalMs: number) {
    this.#log = log;
    this.#intervalMs = intervalMs;
  }

  /** The view of one part. */
  of(part: string): PartOfProblem {
    return {
      begin: (text) => this.#begin(part, text),
      end: () => {
        if (this.#remove(part)) this.#log.ended();
      },
      stop: () => void this.#remove(part),
    };
  }

  #begin(part: string, text: string): void {
    const isKnown = [...this.#texts.values()].includes(text);
    this.#texts.set(part, text);
    if (isKnown) return;
    this.#log.begun(text);
    clearInterval(this.#timer);
    this.#timer = setInterval(() => new Set(this.#texts.values()).forEach(this.#log.begun), this.#intervalMs).unref();
  }

  /** Whether the part was the last one. */
  #remove(part: string): boolean {
    if (!this.#texts.delete(part) || this.#texts.size > 0) return false;
    clearInterval(this.#timer);
    return true;
  }
}
