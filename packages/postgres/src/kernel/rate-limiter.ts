import { createHmac } from 'node:crypto';
import {
  type Budget,
  type CountedBudget,
  isLockDue,
  type LimitStatus,
  leaseOf,
  leaseReserve,
  limitStatusOf,
  lockMemorySeconds,
  longestLockSeconds,
  type RateLimiter,
  StorageUnavailable,
  windowLength,
} from '@zonewright/core';
import type { Database } from '../connection/database.ts';
import { sql } from '../sql.ts';

/** Rows deleted by one statement. */
const batch = 100;
/** More would overflow; locks reach their maximum long before. */
const maxDoublings = 20;

/** A row after the statement; times are in milliseconds since 1970 by the database's clock. */
interface Row {
  readonly key: string;
  readonly points: number;
  readonly expire: string;
  /** Only during a lock. */
  readonly windowEnd: string | null;
  readonly taken: number;
  readonly now: string;
}

/** Budgets in the table `rate_limits`. Instances share them only if they have the same `key`. */
export function postgresRateLimiter(database: Database, { key }: { readonly key: Uint8Array }): RateLimiter {
  const keyOf = ({ name, parts }: Budget): string =>
    // JSON separates the parts unambiguously: different lists have different texts.
    createHmac('sha256', key)
      .update(JSON.stringify([name, ...parts]))
      .digest('hex');
  const keyed = (budgets: readonly Budget[]) => new Map(budgets.map((budget) => [keyOf(budget), budget]));
  return {
    take: (budgets) => stored(take(database, keyed(budgets))),
    lease: (budgets, requested, owed = 0) =>
      stored(count(database, keyed(budgets), requested, owed).then((counted) => leaseOf(counted, owed))),
    giveBack: (taken) => stored(giveBack(database, taken)),
    clear: async (taken) => {
      await stored(database.none(sql.rateLimits.clear.prepared({ key: taken.key })));
    },
    removeExpired: () => stored(removeExpired(database)),
  };
}

async function take(database: Database, budgets: ReadonlyMap<string, Budget>): Promise<readonly LimitStatus[]> {
  const statuses: LimitStatus[] = [];
  for (const [budget, counted] of await count(database, budgets, 1)) {
    statuses.push(
      isLockDue(budget, counted) ? await locked(database, budget, counted) : limitStatusOf(budget, counted),
    );
  }
  return statuses;
}

/** Takes points of each budget, or one if little is left, and those owed; returns the counts in the given order. */
async function count(
  database: Database,
  budgets: ReadonlyMap<string, Budget>,
  requested: number,
  owed = 0,
): Promise<readonly (readonly [Budget, CountedBudget])[]> {
  const ordered = [...budgets.values()];
  const rows = await database.many<Row>(
    sql.rateLimits.take.prepared({
      keys: [...budgets.keys()],
      budgets: ordered.map(({ points }) => points),
      lengths: ordered.map((budget) => windowLength(budget) * 1000),
      requested,
      owed,
      reserve: leaseReserve,
    }),
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return [...budgets].map(([key, budget]) => {
    const row = byKey.get(key);
    if (row === undefined) throw new Error('The rate limit statement returned no row for a budget.');
    return [budget, countedIn(row)];
  });
}

const countedIn = ({ expire, windowEnd, now, ...row }: Row): CountedBudget => ({
  ...row,
  expire: Number(expire),
  windowEnd: windowEnd === null ? undefined : Number(windowEnd),
  now: Number(now),
});

/** Every call that exceeds the budget starts the lock, so that a crash right after the last point cannot prevent it. */
async function locked(database: Database, budget: Budget, counted: CountedBudget): Promise<LimitStatus> {
  const { points, seconds } = budget;
  const lock = { key: counted.key, points, seconds, maxSeconds: Math.max(seconds, longestLockSeconds), maxDoublings };
  const begun = await database.oneOrNone<Pick<Row, 'expire' | 'now'>>(sql.rateLimits.beginLock.prepared(lock));
  // Another call was faster: the next attempt sees the duration.
  const { expire, now } = begun ?? { expire: counted.now + seconds * 1000, now: counted.now };
  const during = { ...counted, expire: Number(expire), now: Number(now), windowEnd: counted.expire };
  return { ...limitStatusOf(budget, during), beginsLock: begun !== null };
}

async function giveBack(database: Database, taken: readonly LimitStatus[]): Promise<void> {
  if (taken.length === 0) return;
  await database.none(
    sql.rateLimits.giveBack.prepared({
      keys: taken.map(({ key }) => key),
      budgets: taken.map(({ limit }) => limit),
      windowEnds: taken.map(({ windowEndsAt }) => windowEndsAt),
    }),
  );
}

async function removeExpired(database: Database): Promise<void> {
  let removed: number;
  do {
    removed = (await database.result(sql.rateLimits.removeExpired.prepared({ lockMemorySeconds, batch }))).rowCount;
  } while (removed === batch);
}

/** A request must not pass when its budget cannot be read; it can be retried. */
async function stored<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new StorageUnavailable(`rate limits: ${reason}`, { cause: failure });
  }
}
