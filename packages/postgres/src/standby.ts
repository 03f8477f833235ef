import { AsyncResource } from 'node:async_hooks';
import { ResultAsync } from 'neverthrow';
import { type Database, openDatabase } from './database.ts';
import { isConflict } from './failures.ts';
import { inTime } from './in-time.ts';
import { poolerBefore } from './pooler.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';
import type { StatementWatchers } from './watched-client.ts';

/** Milliseconds for which the standby is left alone after a failure. */
const absence = 5000;
const theStandby = 'the standby';

/** How a read of the standby ended: it had all that was wanted, it lacked some of it, it failed, or it was not asked because it had failed before. */
type Outcome = 'answered' | 'behind' | 'failed' | 'skipped';

/** Whether the standby answers, and how often reads of it ended in each way. */
export interface StandbyFigures {
  readonly isUp: boolean;
  readonly reads: Readonly<Record<Outcome, number>>;
}

/** How much of what the primary has written the standby has not replayed. */
export interface StandbyLag {
  /** Of write-ahead log. */
  readonly bytes: number;
  /** The age of the last commit that it has replayed, by the primary's clock; 0 when it lacks nothing, null when it is not known. */
  readonly seconds: number | null;
}

/** Where a hot standby is, and who wants to know whether it answers and what it is asked. */
export interface StandbyOptions extends Pick<StatementWatchers, 'follow'> {
  readonly url: string;
  /** At most so many connections. */
  readonly connections: number;
  /** Called when it stops answering, or does not answer from the beginning; not again before it has answered. */
  readonly onDown: (failure: unknown) => void;
  /** Called when it answers after it did not. */
  readonly onUp: () => void;
}

/** What was wanted, as far as the standby has it. */
export interface Supplied<T> {
  readonly found: T;
  readonly isComplete: boolean;
}

/**
 * A hot standby, which supplies what the primary has named: versions that never change. Who takes something from it compares
 * the names, and reads from the primary what it does not have. While it does not answer, nobody waits for it.
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

  /** Belongs to no request, although the failure of one leads to it. */
  readonly #connectAgain = AsyncResource.bind(() => {
    this.#connecting = this.#connect();
  });

  /** Begins to connect. */
  constructor(options: StandbyOptions) {
    this.#options = options;
    this.#connecting = this.#connect();
  }

  /** What the statement finds there; `select` gets no rows where the standby does not answer. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who asks knows the rows of the statement
  supply<Row, T>(
    statement: Statement,
    values: Readonly<Record<string, unknown>>,
    select: (rows: readonly Row[]) => Supplied<T>,
  ): ResultAsync<T, never> {
    const rows = this.#rows<Row>(statement, values);
    return ResultAsync.fromSafePromise(rows).map((read) => {
      const { found, isComplete } = select(read ?? []);
      if (read !== undefined) this.#reads[isComplete ? 'answered' : 'behind'] += 1;
      return found;
    });
  }

  get figures(): StandbyFigures {
    return { isUp: this.#isUp, reads: this.#reads };
  }

  /**
   * How far it lags `primary`; undefined: it is not connected, or is no standby. Rejects when one of the two does not answer within
   * a second. This decides nothing: reads find out by themselves whether the standby answers and what it lacks.
   */
  lag(primary: Database): Promise<StandbyLag | undefined> {
    const standby = this.#database;
    if (!this.#isUp || standby === undefined) return Promise.resolve(undefined);
    const measure = async () => {
      // The primary goes first: what it writes meanwhile is no lag.
      const written = await primary.one<Readonly<Record<string, unknown>>>(sql.figures.position.prepared());
      const lag = await standby.oneOrNone<StandbyLag>(sql.figures.lag.prepared(written));
      return lag ?? undefined;
    };
    return inTime(measure(), 'the standby or its primary');
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
      return await inTime(this.#database.any<Row>(statement.prepared(values)), theStandby);
    } catch (failure) {
      this.#reads.failed += 1;
      // A standby ends reads of what it is about to clean up; it answers the next one.
      if (!isConflict(failure)) this.#leave(failure);
      return undefined;
    }
  }

  async #connect(): Promise<void> {
    try {
      this.#database ??= await this.#opened();
      await inTime(this.#database.one('SELECT 1'), theStandby);
      if (this.#isClosed) return;
      if (this.#isReported) this.#options.onUp();
      this.#isReported = false;
      this.#isUp = true;
    } catch (failure) {
      this.#leave(failure);
    }
  }

  async #opened(): Promise<Database> {
    const { url, connections, follow } = this.#options;
    const pooler = await inTime(poolerBefore(url), theStandby);
    return openDatabase({ url, connections, pooler, role: 'standby', follow });
  }

  #leave(failure: unknown): void {
    if (this.#isClosed) return;
    this.#isUp = false;
    if (!this.#isReported) this.#options.onDown(failure);
    this.#isReported = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.#connectAgain, absence).unref();
  }
}
