import { createHmac } from 'node:crypto';
import { StorageUnavailable } from '@zonewright/core';
import type { Database } from './database.ts';
import { statementFile } from './statement.ts';

/** A budget of `points` per window of `seconds`. The window begins with the first point taken and is never extended. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /**
   * Points in a row: they count until `clear`, however far apart they are taken (within a day of the first one), and
   * the last of them begins a lock. The first lock lasts `seconds`, each one after it twice as long as the one before, up
   * to a day; `clear`, or 30 days without another lock, begins anew.
   */
  readonly inARow?: boolean;
}

/** A limit and whose budget it is. `parts` (an address, a user) are stored only as a keyed hash. */
export interface Budget extends RateLimitPolicy {
  readonly parts: readonly string[];
}

/** How a caller stands with one limit right after asking for a point. */
export interface LimitStanding {
  readonly name: string;
  /** Names the budget in storage. */
  readonly key: string;
  /** Points of a whole window. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, or the lock: 1 to `windowSeconds`, or to a day. */
  readonly resetSeconds: number;
  /** Milliseconds since 1970; tells windows of one key apart. */
  readonly windowEndsAt: number;
  /** There was no point left: the work it stands for must not be done. */
  readonly isExceeded: boolean;
  /** A point was taken, maybe one beyond the budget. All points of a call are taken, or none. */
  readonly isTaken: boolean;
  /** A lock begins with this point, unless it is given back. True for one point only, however many are taken at once. */
  readonly beginsLock: boolean;
}

/**
 * Budgets shared by all instances. Every method rejects with `StorageUnavailable` when the budgets cannot be reached:
 * never free passage.
 */
export interface RateLimiter {
  /**
   * Takes a point from each budget in one step, or none where one of them is spent; standings are in the order asked. Of
   * any number of simultaneous calls at most `points` are not exceeded. No budget may be named twice.
   */
  take(budgets: readonly Budget[]): Promise<readonly LimitStanding[]>;
  /** Undoes one `take` of each budget while its window lasts; afterwards, and at zero, there is nothing to undo. */
  giveBack(taken: readonly LimitStanding[]): Promise<void>;
  /** Gives all points back, whoever took them: what was counted in a row begins anew, and a lock ends. */
  clear(taken: Pick<LimitStanding, 'key'>): Promise<void>;
  /** Removes budgets whose window is over. May run at any time and on several instances. */
  removeExpired(): Promise<void>;
}

const removedAtOnce = 100;
/**
 * How long points in a row are remembered, and how long a lock lasts at most. A day of wrong codes, one now and then, is
 * no way to guess one.
 */
const daySeconds = 24 * 60 * 60;
const takeStatement = statementFile('rate-limits/take.sql');
const beginLockStatement = statementFile('rate-limits/begin-lock.sql');
const clearStatement = statementFile('rate-limits/clear.sql');
const giveBackStatement = statementFile('rate-limits/give-back.sql');
const removeExpiredStatement = statementFile('rate-limits/remove-expired.sql');

/** A row right after the statement; moments are milliseconds since 1970 by the clock of the database. */
interface Row {
  readonly key: string;
  readonly points: number;
  readonly expire: string;
  /** Only during a lock. */
  readonly windowEnd: string | null;
  readonly isTaken: boolean;
  readonly now: string;
}

/** Budgets in the table `rate_limits`. Other instances share them only if they have the same `key`. */
export function postgresRateLimiter(database: Database, { key }: { readonly key: Uint8Array }): RateLimiter {
  const keyOf = ({ name, parts }: Budget): string =>
    // JSON keeps the parts apart: no two lists of parts have the same text.
    createHmac('sha256', key)
      .update(JSON.stringify([name, ...parts]))
      .digest('hex');
  return {
    take: (budgets) => stored(take(database, new Map(budgets.map((budget) => [keyOf(budget), budget])))),
    giveBack: (taken) => stored(giveBack(database, taken)),
    clear: async (taken) => {
      await stored(database.none(clearStatement.prepared({ key: taken.key })));
    },
    removeExpired: () => stored(removeExpired(database)),
  };
}

async function take(database: Database, budgets: ReadonlyMap<string, Budget>): Promise<readonly LimitStanding[]> {
  const asked = [...budgets.values()];
  const rows = await database.many<Row>(
    takeStatement.prepared({
      keys: [...budgets.keys()],
      budgets: asked.map(({ points }) => points),
      lengths: asked.map(({ seconds, inARow }) => (inARow ? Math.max(seconds, daySeconds) : seconds) * 1000),
    }),
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const standings: LimitStanding[] = [];
  for (const [key, budget] of budgets) {
    const row = byKey.get(key);
    if (row === undefined) throw new Error('The rate limit statement returned no row for a budget.');
    const lockDue = budget.inARow === true && row.points >= budget.points && row.windowEnd === null;
    standings.push(lockDue ? await locked(database, budget, row) : standing(budget, row));
  }
  return standings;
}

/** Whoever finds the budget spent asks for the lock, so that a crash right after the last point does not keep it off. */
async function locked(database: Database, budget: Budget, row: Row): Promise<LimitStanding> {
  const { points, seconds } = budget;
  const lock = { key: row.key, points, seconds, maxSeconds: Math.max(seconds, daySeconds) };
  const begun = await database.oneOrNone<Pick<Row, 'expire' | 'now'>>(beginLockStatement.prepared(lock));
  // Somebody else was faster: how long the lock lasts is seen by the next attempt.
  const moments = begun ?? { expire: String(Number(row.now) + seconds * 1000) };
  return { ...standing(budget, { ...row, ...moments, windowEnd: row.expire }), beginsLock: begun !== null };
}

function standing(
  { name, points, seconds }: Budget,
  { key, points: taken, expire, windowEnd, isTaken, now }: Row,
): LimitStanding {
  return {
    name,
    key,
    limit: points,
    windowSeconds: seconds,
    remaining: Math.max(0, points - taken),
    resetSeconds: Math.max(1, Math.ceil((Number(expire) - Number(now)) / 1000)),
    windowEndsAt: Number(windowEnd ?? expire),
    isExceeded: isTaken ? taken > points : taken >= points,
    isTaken,
    beginsLock: false,
  };
}

async function giveBack(database: Database, taken: readonly LimitStanding[]): Promise<void> {
  if (taken.length === 0) return;
  await database.none(
    giveBackStatement.prepared({
      keys: taken.map(({ key }) => key),
      budgets: taken.map(({ limit }) => limit),
      windowEnds: taken.map(({ windowEndsAt }) => windowEndsAt),
    }),
  );
}

async function removeExpired(database: Database): Promise<void> {
  let removed: number;
  do {
    removed = (await database.result(removeExpiredStatement.prepared())).rowCount;
  } while (removed === removedAtOnce);
}

/** Whatever keeps a budget from being read, the request must not pass; it may be repeated. */
async function stored<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new StorageUnavailable(`rate limits: ${reason}`, { cause: failure });
  }
}
