import { documentFormat, type EdgeReport } from '@zonewright/edge-protocol';
import type { SettingKey } from '@zonewright/engine';
import type { Logger } from 'pino';
import type { EdgeZones } from './edge-zones.ts';
import { FeedReader } from './feed/feed-reader.ts';
import { LastingProblem } from './feed/lasting-problem.ts';
import { ServiceClient } from './feed/service-client.ts';
import { StateReporter } from './feed/state-reporter.ts';
import type { Timing } from './feed/timing.ts';
import { version } from './version.ts';

/** What the connection to the service needs. */
export interface LinkOptions {
  readonly serviceUrl: string;
  readonly key: string;
  readonly zones: EdgeZones;
  readonly timing: Timing;
  readonly log: Logger;
  readonly startedAt: Date;
  /** That of the state folder. */
  readonly stateId: string;
}

/** Settings that an edge without Varnish cannot act on. None of them protects anything. */
const ignoredSettings: readonly SettingKey[] = ['processingEsi', 'processingSsi'];

/** The connection to the service: reads its feed and reports to it. */
export class ServiceLink {
  readonly #client: ServiceClient;
  readonly #reader: FeedReader;
  readonly #reporter: StateReporter;
  readonly #running: Promise<void>;

  constructor(options: LinkOptions) {
    const { serviceUrl, key, zones, timing, log } = options;
    this.#client = new ServiceClient({ serviceUrl, key, answerTimeout: timing.answerTimeout });
    const problem = problemIn(log, timing);
    this.#reporter = new StateReporter({
      client: this.#client,
      state: () => stateOf(options, this.#reader),
      problem: problem.of('reporting'),
      interval: timing.report,
    });
    this.#reader = new FeedReader({
      client: this.#client,
      zones,
      timing,
      problem: problem.of('feed'),
      onChange: () => this.#reporter.changed(),
    });
    this.#reporter.start();
    this.#running = this.#reader.run();
  }

  /** Seconds since the service last answered; undefined: never. */
  get ageSeconds(): number | undefined {
    const { answeredAt } = this.#reader;
    return answeredAt === undefined ? undefined : (performance.now() - answeredAt) / 1000;
  }

  /** Resolves once nothing is under way. */
  async close(): Promise<void> {
    this.#reader.stop();
    this.#client.close();
    await Promise.all([this.#running, this.#reporter.stop()]);
  }
}

/** Zones go on being served, so these are errors for people to see and not failures of the program. */
const problemIn = (log: Logger, { reminder }: Timing): LastingProblem =>
  new LastingProblem(
    {
      begun: (text) => log.error(`${text}; zones are served as they were`),
      ended: () => log.info('the service is followed again'),
    },
    reminder,
  );

function stateOf({ zones, startedAt, stateId }: LinkOptions, { refusedLosses }: FeedReader): EdgeReport {
  const { position, applied, rejected } = zones.onDisk;
  return {
    version,
    semantics: documentFormat.semantics,
    startedAt: startedAt.toISOString(),
    stateId,
    ...(position === undefined ? {} : { position }),
    zones: { applied, rejected: [...rejected, ...refusedLosses] },
    purged: 0,
    proxy: { kind: 'none', version: '' },
    unsupportedSettings: ignoredSettings,
  };
}
