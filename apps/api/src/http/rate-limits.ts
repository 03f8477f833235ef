import { StorageUnavailable } from '@zonewright/core';
import type { LimitStanding, RateLimiter, RateLimitPolicy } from '@zonewright/postgres';
import type { Config, RateLimit, RateLimitName } from '../config.ts';

/** One limit that a request comes under. */
export interface Limit {
  readonly name: RateLimitName;
  /** Whose budget it is: values that may be known about the caller before any work is done. */
  readonly parts: readonly string[];
  /**
   * `failures`: the point is given back unless the work fails by a wrong guess. `failures in a row`: a success gives
   * back the points of all failures before it, too.
   */
  readonly counts: 'all' | 'failures' | 'failures in a row';
  /** What remains when the budget is spent: a slower one, so that strangers cannot shut somebody out for the whole window. */
  readonly afterwards?: RateLimit;
}

/** A point that only a failure costs. */
interface Refundable {
  readonly standing: LimitStanding;
  readonly parts: readonly string[];
  /** A success gives back every other point, too. */
  readonly inARow: boolean;
}

/** What became of the work: only wrong guesses are failures, other refusals tell nothing about the guess. */
export type WorkOutcome = 'success' | 'wrong guess' | 'other refusal';

/** What `takeLimits` found and took. */
export interface TakenLimits {
  /** For the header fields; when exceeded, the last one is the limit that was. */
  readonly standings: readonly LimitStanding[];
  /** The work must not be done. */
  readonly exceeded: boolean;
  readonly refundable: readonly Refundable[];
}

type Net = { readonly network: string };
type Pair = Net & { readonly emailKey: string };

const netLimit = (name: RateLimitName, { network }: Net, counts: Limit['counts']): Limit => ({
  name,
  parts: [network],
  counts,
});
const pairLimit = (name: RateLimitName, { emailKey, network }: Pair, counts: Limit['counts']): Limit => ({
  name,
  parts: [emailKey, network],
  counts,
});

/**
 * The limits of each group of endpoints. `network` is what `clientNetwork` says; `emailKey` is the submitted address in
 * the form in which addresses are compared, whether or not it has an account. The net comes first: a network that is
 * shut out costs one statement.
 */
export const limitsOf = {
  logIn: (of: Pair): readonly Limit[] => [
    netLimit('login-net', of, 'failures'),
    pairLimit('login-pair', of, 'failures'),
    { name: 'login-account', parts: [of.emailKey], counts: 'failures', afterwards: { points: 1, seconds: 30 } },
  ],
  register: (of: Net): readonly Limit[] => [netLimit('register', of, 'all')],
  forgotPassword: (of: Pair): readonly Limit[] => [
    netLimit('forgot-net', of, 'all'),
    pairLimit('forgot-pair', of, 'all'),
  ],
  resendVerification: (of: Pair): readonly Limit[] => [
    netLimit('resend-net', of, 'all'),
    pairLimit('resend-pair', of, 'all'),
  ],
  resetPassword: (of: Net): readonly Limit[] => [netLimit('reset', of, 'failures')],
  verifyEmail: (of: Net): readonly Limit[] => [netLimit('verify', of, 'failures')],
  /** Every endpoint that checks a second factor shares one count a user (SR-40). */
  secondFactor: ({ userId }: { readonly userId: string }): readonly Limit[] => [
    { name: 'mfa-user', parts: [userId], counts: 'failures in a row' },
  ],
  /**
   * Guessing the current password with a stolen session is guessing all the same. It counts apart: who knows the
   * password must not get more guesses at codes by it.
   */
  currentPassword: ({ userId }: { readonly userId: string }): readonly Limit[] => [
    {
      name: 'mfa-user',
      parts: ['current-password', userId],
      counts: 'failures',
    },
  ],
  refresh: (of: Net): readonly Limit[] => [netLimit('refresh', of, 'all')],
  /** `credential` is the id of the session or of the API token, never the token itself. */
  authenticated: ({ credential }: { readonly credential: string }): readonly Limit[] => [
    { name: 'api', parts: [credential], counts: 'all' },
  ],
} as const;

type Budgets = Pick<Config, 'rateLimits' | 'rateLimitScale'>;

/**
 * Takes a point from each limit, before the work; stops at the first one that is spent.
 *
 * Points are taken in one atomic step each and before anything is checked, so that simultaneous attempts never exceed
 * a budget. If a limit is spent, points of `failures` limits taken by this call are given back, those beyond the budget
 * included: the work is not done, so there is no failure to count, and a budget that refunds free is free again. A
 * refund reaches only the window it was taken from and comes after the attempt was refused, so it never admits one more
 * than the budget. Points of `all` limits stay taken, also those of refused requests. No point extends a window:
 * however often a blocked caller tries, the block ends with it. Rejects with `StorageUnavailable` when the budgets
 * cannot be reached; points taken until then stay taken.
 */
export async function takeLimits(
  limiter: RateLimiter,
  budgets: Budgets,
  asked: readonly Limit[],
): Promise<TakenLimits> {
  const standings: LimitStanding[] = [];
  const refundable: Refundable[] = [];
  for (const limit of asked) {
    const standing = await takeLimit(limiter, budgets, limit);
    standings.push(standing);
    if (limit.counts !== 'all') refundable.push({ standing, parts: limit.parts, inARow: isInARow(limit) });
    if (!standing.isExceeded) continue;
    await giveBack(limiter, refundable);
    return { standings, exceeded: true, refundable: [] };
  }
  return { standings, exceeded: false, refundable };
}

/** After the work: gives back the points that only failures cost. */
export async function settleLimits(
  limiter: RateLimiter,
  { refundable }: TakenLimits,
  outcome: WorkOutcome,
): Promise<void> {
  if (outcome === 'wrong guess') return;
  for (const { standing, parts, inARow } of refundable) {
    const endsRow = inARow && outcome === 'success';
    await ifReachable(endsRow ? limiter.clear(standing, parts) : limiter.giveBack(standing, parts));
  }
}

/** A point from the limit, or from the slower one behind it. */
async function takeLimit(limiter: RateLimiter, budgets: Budgets, limit: Limit): Promise<LimitStanding> {
  const usual = { name: limit.name, ...budgets.rateLimits[limit.name], inARow: isInARow(limit) };
  const standing = await limiter.take(usual, limit.parts);
  if (!standing.isExceeded || limit.afterwards === undefined) return standing;
  if (limit.counts !== 'all') await giveBack(limiter, [{ standing, parts: limit.parts }]);
  return limiter.take(slower(limit.name, limit.afterwards, budgets), limit.parts);
}

const isInARow = ({ counts }: Limit): boolean => counts === 'failures in a row';

const slower = (name: RateLimitName, { points, seconds }: RateLimit, { rateLimitScale }: Budgets): RateLimitPolicy => ({
  name: `${name}-slow`,
  points: Math.max(1, Math.round(points * rateLimitScale)),
  seconds,
});

async function giveBack(
  limiter: RateLimiter,
  points: readonly Pick<Refundable, 'standing' | 'parts'>[],
): Promise<void> {
  for (const { standing, parts } of points) await ifReachable(limiter.giveBack(standing, parts));
}

/**
 * A refund that storage cannot take now is dropped: it costs the caller an attempt until the window ends, which is less
 * than losing the answer to work that is done.
 */
async function ifReachable(refund: Promise<void>): Promise<void> {
  try {
    await refund;
  } catch (failure) {
    if (!(failure instanceof StorageUnavailable)) throw failure;
  }
}

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10 sections 3 and 4): one member a limit.
 * No fields without limits.
 */
export function rateLimitHeaders(standings: readonly LimitStanding[]): Readonly<Record<string, string>> {
  if (standings.length === 0) return {};
  const policies = standings.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const left = standings.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`);
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: left.join(', ') };
}

/** Whole seconds after which a refused request may succeed, at least 1 (RFC 9110 section 10.2.3). */
export const retryAfterSeconds = (standings: readonly LimitStanding[]): number =>
  Math.max(1, ...standings.filter(({ isExceeded }) => isExceeded).map(({ resetSeconds }) => resetSeconds));
