import type { Config, RateLimitName } from '@zonewright/configuration';
import {
  type Budget,
  type LimitStatus,
  type RateLimiter,
  type RateLimitPolicy,
  StorageUnavailable,
} from '@zonewright/core';
import type { Limit } from '../http/limits.ts';
import type { Leases } from './leases.ts';

/** Where budgets are kept, and their sizes. */
export interface LimitSources {
  readonly limiter: RateLimiter;
  readonly leases: Leases;
  readonly budgets: Budgets;
}

/**
 * The outcome of the work: only wrong guesses are failures, other rejections say nothing about the guess. A replayed
 * response did no work.
 */
export type WorkOutcome = 'success' | 'wrong guess' | 'other error' | 'replay';

/** A point that some outcomes refund. */
interface Refundable {
  readonly status: LimitStatus;
  readonly limit: Limit;
}

/** The result of `takeLimits`. */
export interface TakenLimits {
  /** For the header fields. */
  readonly statuses: readonly LimitStatus[];
  /** The work must not run; the request may be retried after this many seconds. */
  readonly exceeded?: { readonly retryAfterSeconds: number; readonly limits: readonly RateLimitName[] };
  readonly refundable: readonly Refundable[];
}

type Budgets = Pick<Config, 'rateLimits' | 'rateLimitScale'>;

/**
 * Takes a point from each limit before the work: from all, or from none if one is known to be used up.
 *
 * Points are taken atomically before anything is checked, so that simultaneous attempts never exceed a budget. Attempts
 * that meet at the last point may take points beyond it; except for `all` limits these are refunded, because the work
 * does not run. A refund applies only to the window of its point and follows the rejection, so it never admits an extra
 * attempt. No point extends a window: however often a blocked caller tries, the block ends with it. Rejects with
 * `StorageUnavailable` when the budgets are unreachable.
 */
export async function takeLimits(
  limiter: Pick<RateLimiter, 'take' | 'giveBack'>,
  budgets: Budgets,
  requested: readonly BudgetedLimit[],
): Promise<TakenLimits> {
  if (requested.length === 0) return { statuses: [], refundable: [] };
  const allStatuses = await limiter.take(requested.map((limit) => budgetOf(limit, budgets)));
  // The limiter returns one status per budget, in order.
  const taken = allStatuses.map((status, index) => ({ status, limit: requested[index] as BudgetedLimit }));
  const refundable = taken.filter(({ status, limit }) => status.isTaken && limit.counts !== 'all');
  const statuses = taken.filter(({ limit }) => limit.isHidden !== true).map(({ status }) => status);
  const spent = taken.filter(({ status }) => status.isExceeded);
  if (spent.length === 0) return { statuses, refundable };
  await ifReachable(limiter.giveBack(refundable.map(({ status }) => status)));
  if (spent.every(({ limit }) => limit.afterwards !== undefined)) {
    const slower = taken.map(({ status, limit }) => (status.isExceeded ? slowed(limit, budgets) : limit));
    return takeLimits(limiter, budgets, slower);
  }
  await reportLocks(spent);
  const limits = spent.map(({ limit }) => limit.name);
  return { statuses, exceeded: { retryAfterSeconds: Math.max(...spent.map(secondsToWait)), limits }, refundable: [] };
}

async function reportLocks(taken: readonly Refundable[]): Promise<void> {
  for (const { status, limit } of taken) if (status.beginsLock) await limit.onLock?.();
}

/** A limit, optionally with another budget than the configured one. */
type BudgetedLimit = Limit & { readonly budget?: RateLimitPolicy };

/** The configured budgets of limits. */
export const budgetsOf = (limits: readonly Limit[], budgets: Budgets): readonly Budget[] =>
  limits.map((limit) => budgetOf(limit, budgets));

function budgetOf(limit: BudgetedLimit, { rateLimits }: Budgets): Budget {
  const { name } = limit.budget ?? limit;
  const { points, seconds } = limit.budget ?? rateLimits[limit.name];
  return { name, points: points * (limit.times ?? 1), seconds, consecutive: isConsecutive(limit), parts: limit.parts };
}

const isConsecutive = ({ counts }: Limit): boolean => counts === 'consecutive failures';

function slowed({ afterwards, ...limit }: BudgetedLimit, { rateLimitScale }: Budgets): BudgetedLimit {
  if (afterwards === undefined) return limit;
  const points = Math.max(1, Math.round(afterwards.points * rateLimitScale));
  return { ...limit, budget: { name: `${limit.name}-slow`, points, seconds: afterwards.seconds } };
}

/** For a hidden budget, reveals only the length of its window. */
const secondsToWait = ({ status, limit }: { readonly status: LimitStatus; readonly limit: Limit }): number =>
  limit.isHidden === true ? status.windowSeconds : status.resetSeconds;

/** After the work: refunds points according to its outcome, and reports the locks it starts. */
export async function refundPoints(
  limiter: RateLimiter,
  { refundable }: TakenLimits,
  outcome: WorkOutcome,
): Promise<void> {
  const isCost = ({ limit }: Refundable): boolean =>
    outcome === (limit.counts === 'successes' ? 'success' : 'wrong guess');
  const isReset = ({ limit }: Refundable): boolean => isConsecutive(limit) && outcome === 'success';
  const unused = refundable.filter((each) => !isCost(each) && !isReset(each));
  await ifReachable(limiter.giveBack(unused.map(({ status }) => status)));
  for (const { status } of refundable.filter(isReset)) await ifReachable(limiter.clear(status));
  await reportLocks(refundable.filter(isCost));
}

/** Drops a change of points that storage cannot accept now: losing it is better than losing a response to completed work. */
export async function ifReachable(change: Promise<void>): Promise<void> {
  await change.catch((failure: unknown) => {
    if (!(failure instanceof StorageUnavailable)) throw failure;
  });
}

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10 sections 3 and 4), with one member per
 * limit; no fields without limits.
 */
export function rateLimitHeaders(statuses: readonly LimitStatus[]): Readonly<Record<string, string>> {
  if (statuses.length === 0) return {};
  const policies = statuses.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const left = statuses.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`);
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: left.join(', ') };
}
