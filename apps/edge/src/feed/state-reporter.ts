import type { EdgeReport } from '@zonewright/edge-protocol';
import { describeFailure } from './failures.ts';
import type { PartOfProblem } from './lasting-problem.ts';
import type { ServiceClient } from './service-client.ts';

/** What reporting needs. */
export interface ReporterOptions {
  readonly client: Pick<ServiceClient, 'report'>;
  readonly state: () => EdgeReport;
  readonly problem: PartOfProblem;
  /** Milliseconds between reports, if nothing changes. */
  readonly interval: number;
}

/** Reports the state of this edge at its start, after each change and at intervals, one report at a time. */
export class StateReporter {
  readonly #options: ReporterOptions;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isStale = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Reports now, and at intervals from now on. */
  start(): void {
    this.changed();
    this.#timer = setInterval(() => this.changed(), this.#options.interval);
  }

  /** Reports the state as it is then, after the report under way. */
  changed(): void {
    this.#isStale = true;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Resolves once no report is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStale = false;
    await this.#sending;
    this.#options.problem.stop();
  }

  async #send(): Promise<void> {
    const { client, state, problem } = this.#options;
    while (this.#isStale) {
      this.#isStale = false;
      await client.report(state()).match(
        () => problem.end(),
        (failure) => problem.begin(describeFailure(failure)),
      );
    }
  }
}
