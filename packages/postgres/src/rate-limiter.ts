import { createHmac } from 'node:crypto';
import { StorageUnavailable } from '@zonewright/core';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from './database.ts';
import { statementFile } from './statement.ts';

/** A budget of `points` per window of `seconds`. The window begins with the first point taken and is never extended. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /**
   * Points in a row: they count until `clear`, however far apart they are taken (within a day of the first one), and
   * the last of them begins a block of `seconds`.
   */
  readonly inARow?: boolean;
}

/** How a caller stands with one limit right after taking a point. */
export interface LimitStanding {
  readonly name: string;
  /** Points of a whole window. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, or for which a block lasts: 1 to `windowSeconds`. */
  readonly resetSeconds: number;
  /** Milliseconds since 1970; tells windows of one key apart. */
  readonly windowEndsAt: number;
  /** The point was beyond the budget: the work it stands for must not be done. */
  readonly isExceeded: boolean;
}

/**
 * Budgets shared by all instances. `parts` say whose budget it is (an address, a user); they are stored only as a
 * keyed hash. Every method rejects with `StorageUnavailable` when the budgets cannot be reached: never free passage.
 */
export interface RateLimiter {
  /** Counts one point, also beyond the budget. Of any number of simultaneous calls at most `points` are not exceeded. */
  take(policy: RateLimitPolicy, parts: readonly string[]): Promise<LimitStanding>;
  /** Undoes one `take` while its window lasts; afterwards, and at zero, there is nothing to undo. */
  giveBack(taken: LimitStanding, parts: readonly string[]): Promise<void>;
  /** Gives all points back, whoever took them: what was counted in a row begins anew, and a block ends. */
  clear(taken: Pick<LimitStanding, 'name'>, parts: readonly string[]): Promise<void>;
  /** Removes budgets whose window is over. May run at any time and on several instances. */
  removeExpired(): Promise<void>;
}

const table = 'rate_limits';
const removedAtOnce = 100;
/** How long points in a row are remembered. A day of wrong codes, one now and then, is no way to guess one. */
const rememberedSeconds = 24 * 60 * 60;
const beginBlockStatement = statementFile('rate-limits/begin-block.sql');
const clearStatement = statementFile('rate-limits/clear.sql');
const giveBackStatement = statementFile('rate-limits/give-back.sql');
const removeExpiredStatement = statementFile('rate-limits/remove-expired.sql');

/** Budgets in the table `rate_limits`. Other instances share them only if they have the same `key`. */
export function postgresRateLimiter(database: Database, { key }: { readonly key: Uint8Array }): RateLimiter {
  const counterOf = counters(database);
  const keyOf = (name: string, parts: readonly string[]): string =>
    // JSON keeps the parts apart: no two lists of parts have the same text.
    createHmac('sha256', key)
      .update(JSON.stringify([name, ...parts]))
      .digest('hex');
  return {
    take: async (policy, parts) => {
      const key = keyOf(policy.name, parts);
      // `penalty` counts exactly as `consume` does, but a spent budget is an answer and not a rejection.
      const { consumedPoints, msBeforeNext } = await stored(counterOf(policy).penalty(key));
      const isBlock = policy.inARow === true && consumedPoints >= policy.points;
      const remaining = isBlock ? await stored(beginBlock(database, policy, key)) : undefined;
      return standing(policy, consumedPoints, remaining ?? msBeforeNext);
    },
    // Not the library's `reward`: without a row it stores -1, which is a budget too large by one.
    giveBack: async ({ name, windowEndsAt }, parts) => {
      await stored(database.none(giveBackStatement.prepared({ key: keyOf(name, parts), windowEndsAt })));
    },
    clear: async ({ name }, parts) => {
      await stored(database.none(clearStatement.prepared({ key: keyOf(name, parts) })));
    },
    removeExpired: () => stored(removeExpired(database)),
  };
}

/**
 * Ends the window `seconds` from now; resolves to the milliseconds that are left of it, or to undefined when the points
 * were cleared meanwhile. It is asked for by everyone who finds the budget spent, so a crash after the last point
 * makes no block longer.
 */
async function beginBlock(
  database: Database,
  { points, seconds }: RateLimitPolicy,
  key: string,
): Promise<number | undefined> {
  const block = await database.oneOrNone<{ expire: string }>(beginBlockStatement.prepared({ key, points, seconds }));
  return block === null ? undefined : Number(block.expire) - Date.now();
}

/** One counter a policy, made when it is first needed. */
function counters(database: Database): (policy: RateLimitPolicy) => RateLimiterPostgres {
  const known = new Map<string, RateLimiterPostgres>();
  return (policy) => {
    const id = JSON.stringify([policy.name, policy.points, policy.seconds, policy.inARow]);
    const counter = known.get(id) ?? counterFor(database, policy);
    known.set(id, counter);
    return counter;
  };
}

/** Nothing is kept or decided in this process: no blocked keys in memory, no substitute when the database is away. */
const counterFor = (database: Database, { points, seconds, inARow }: RateLimitPolicy): RateLimiterPostgres =>
  new RateLimiterPostgres({
    storeClient: database.$pool,
    storeType: 'pool',
    tableName: table,
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: '',
    points,
    duration: inARow === true ? Math.max(seconds, rememberedSeconds) : seconds,
    blockDuration: 0,
    inMemoryBlockOnConsumed: 0,
  });

/** `remainingMilliseconds` may be out of range by the difference of two instances' clocks. */
const standing = (
  { name, points, seconds }: RateLimitPolicy,
  taken: number,
  remainingMilliseconds: number,
): LimitStanding => ({
  name,
  limit: points,
  windowSeconds: seconds,
  remaining: Math.max(0, points - taken),
  resetSeconds: Math.min(seconds, Math.max(1, Math.ceil(remainingMilliseconds / 1000))),
  // Read a moment after the library read the clock: late by less than a window, so that it names this window still.
  windowEndsAt: Date.now() + remainingMilliseconds,
  isExceeded: taken > points,
});

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
