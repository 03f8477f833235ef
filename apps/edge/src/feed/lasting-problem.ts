/** Writes a log line. */
export type Write = (line: string) => void;

/** A problem that may last: logged when it begins or becomes another one, then at intervals until it ends. */
export class LastingProblem {
  readonly #log: { readonly begun: Write; readonly ended: Write };
  readonly #intervalMs: number;
  #current: { readonly text: string; readonly timer: NodeJS.Timeout } | undefined;

  constructor(log: { readonly begun: Write; readonly ended: Write }, intervalMs: number) {
    this.#log = log;
    this.#intervalMs = intervalMs;
  }

  /** It is there (still). */
  begin(text: string): void {
    if (this.#current?.text === text) return;
    clearInterval(this.#current?.timer);
    this.#log.begun(text);
    this.#current = { text, timer: setInterval(() => this.#log.begun(text), this.#intervalMs).unref() };
  }

  /** It is over, or was not there. */
  end(): void {
    if (this.#current === undefined) return;
    this.#log.ended(this.#current.text);
    this.stop();
  }

  /** Writes nothing more. */
  stop(): void {
    clearInterval(this.#current?.timer);
    this.#current = undefined;
  }
}
