import { AsyncResource } from 'node:async_hooks';
import { ResultAsync } from 'neverthrow';
import { type Database, openDatabase, type Pooler } from '../connection/database.ts';
import { isConflict } from '../connection/failures.ts';
import type { Statement } from '../connection/statement.ts';
import type { StatementWatchers } from '../connection/watched-client.ts';
import { withTimeout } from '../connection/with-timeout.ts';
import { sql } from '../sql.ts';
import { faultOfStandby, StandbyRefused } from './standby-fault.ts';

/** Milliseconds for which the standby is not used after a failure. */
const retryMilliseconds = 5000;
/** Milliseconds after which the standby has to prove again that it follows the primary. */
const proofMilliseconds = 30_000;
const theStandby = 'the standby';

/** Outcome of a read: it had everything, lacked something, failed, or was skipped after an earlier failure. */
type Outcome = 'answered' | 'behind' | 'failed' | 'skipped';

/** Availability of the standby, and its reads by outcome. */
export interface StandbyStats {
  readonly isUp: boolean;
  readonly reads: Readonly<Record<Outcome, number>>;
}

/** How far the standby's replay lags behind the primary. */
export interface StandbyLag {
  /** Bytes of write-ahead log. */
  readonly bytes: number;
  /** Age of the last replayed commit by the primary's clock; 0 if it is up to date, null if unknown. */
  readonly seconds: number | null;
}

/** Location and observers of a hot standby. */
export interface StandbyOptions extends Pick<StatementWatchers, 'trace'> {
  readonly url: string;
  /** The server that it has to follow. */
  readonly primary: Database;
  /** Maximum connections. */
  readonly connections: number;
  /** Detects a pooler at `url`, before the first connection. */
  readonly detectPooler: (url: string) => Promise<Pooler | undefined>;
  /** Called when it becomes unavailable or does not follow the primary, or is so at startup; once per outage. */
  readonly onDown: (failure: unknown) => void;
  /** Called when it is available again. */
  readonly onUp: () => void;
}

/** The requested rows, as far as the standby has them. */
export interface Supplied<T> {
  readonly value: T;
  readonly isComplete: boolean;
}

/**
 * A hot standby that supplies immutable versions named by the primary. Callers compare the names and read from the
 * primary what is missing. Nothing waits for an unavailable standby. It proves that it follows the primary when it is
 * connected, and again from time to time.
 */
export class HotStandby {
  readonly #options: StandbyOptions;
  #database: Database | undefined;
  #isUp = false;
  #isReported = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #connecting: Promise<void>;
  readonly #reads: Record<Outcome, number> = { answered: 0, behind: 0, failed: 0, skipped: 0 };

  /** Detached from requests, although a request's failure triggers it. */
  readonly #connectAgain = AsyncResource.bind(() => {
    this.#connecting = this.#connect();
  });

  /** Starts connecting. */
  constructor(options: StandbyOptions) {
    this.#options = options;
    this.#connecting = this.#connect();
  }

  /** Runs the statement; `select` gets no rows while the standby is unavailable. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the rows of the statement
  supply<Row, T>(
    statement: Statement,
    values: Readonly<Record<string, unknown>>,
    select: (rows: readonly Row[]) => Supplied<T>,
  ): ResultAsync<T, never> {
    const rows = this.#rows<Row>(statement, values);
    return ResultAsync.fromSafePromise(rows).map((read) => {
      const { value, isComplete } = select(read ?? []);
      if (read !== undefined) this.#reads[isComplete ? 'answered' : 'behind'] += 1;
      return value;
    });
  }

  get stats(): StandbyStats {
    return { isUp: this.#isUp, reads: this.#reads };
  }

  /**
   * Measures the lag behind `primary`; undefined if not connected or not a standby. Rejects when either does not
   * respond within a second. For monitoring only: reads detect by themselves what the standby lacks.
   */
  lag(primary: Database): Promise<StandbyLag | undefined> {
    const standby = this.#database;
    if (!this.#isUp || standby === undefined) return Promise.resolve(undefined);
    const measure = async () => {
      // Primary first, so that its later writes do not count as lag.
      const written = await primary.one<Readonly<Record<string, unknown>>>(sql.standby.position.prepared());
      const lag = await standby.oneOrNone<StandbyLag>(sql.standby.lag.prepared(written));
      return lag ?? undefined;
    };
    return withTimeout(measure(), 'the standby or its primary');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isUp = false;
    clearTimeout(this.#retry);
    await this.#connecting;
    await this.#database?.$pool.end();
  }

  async #rows<Row>(statement: Statement, values: Readonly<Record<string, unknown>>): Promise<Row[] | undefined> {
    if (!this.#isUp || this.#database === undefined) {
      this.#reads.skipped += 1;
      return undefined;
    }
    try {
      return await withTimeout(this.#database.any<Row>(statement.prepared(values)), theStandby);
    } catch (failure) {
      this.#reads.failed += 1;
      // A standby cancels reads that conflict with replay, but serves the next one.
      if (!isConflict(failure)) this.#leave(failure);
      return undefined;
    }
  }

  async #connect(): Promise<void> {
    try {
      this.#database ??= await this.#opened();
      const fault = await withTimeout(faultOfStandby(this.#options.primary, this.#database), theStandby);
      if (fault !== undefined) throw new StandbyRefused(`DATABASE_READ_URL is ${fault}.`);
      if (this.#isClosed) return;
      if (this.#isReported) this.#options.onUp();
      this.#isReported = false;
      this.#isUp = true;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(this.#connectAgain, proofMilliseconds).unref();
    } catch (failure) {
      this.#leave(failure);
    }
  }

  async #opened(): Promise<Database> {
    const { url, connections, detectPooler, trace } = this.#options;
    const pooler = await withTimeout(detectPooler(url), theStandby);
    return openDatabase({ url, connections, pooler, role: 'standby', trace });
  }

  #leave(failure: unknown): void {
    if (this.#isClosed) return;
    this.#isUp = false;
    if (!this.#isReported) this.#options.onDown(failure);
    this.#isReported = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.#connectAgain, retryMilliseconds).unref();
  }
}
