import type { Config, RateLimit, RateLimitName } from '@zonewright/configuration';
import {
  type Budget,
  type Caller,
  type LimitStanding,
  type RateLimiter,
  type RateLimitPolicy,
  StorageUnavailable,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';

/** One limit that a request comes under. */
export interface Limit {
  readonly name: RateLimitName;
  /** Whose budget it is: values that may be known about the caller before any work is done. */
  readonly parts: readonly string[];
  /**
   * `failures`: the point is given back unless the work fails by a wrong guess. `failures in a row`: a success gives
   * back the points of all failures before it, too. `successes`: the point is given back unless the work is done.
   */
  readonly counts: 'all' | 'failures' | 'failures in a row' | 'successes';
  /** What remains when the budget is spent: a slower one, so that strangers cannot lock a user out for the whole window. */
  readonly afterwards?: RateLimit;
  /**
   * No header field says how this budget stands: callers share it with people they do not know, and what those do is
   * none of their business.
   */
  readonly isHidden?: boolean;
  /**
   * Points are spent out of leases. Only for budgets that bound how much is asked, never for those that bound guesses: all
   * limits of a request are leased or none.
   */
  readonly isLeased?: boolean;
  /** Called when a lock begins: once, however many attempts find it. */
  readonly onLock?: () => ResultAsync<void, never>;
}

/**
 * What became of the work: only wrong guesses are failures, other refusals say nothing about the guess. An answer that
 * was repeated did nothing anew.
 */
export type WorkOutcome = 'success' | 'wrong guess' | 'other refusal' | 'repetition';

/** A point that some outcomes of the work give back. */
interface Refundable {
  readonly standing: LimitStanding;
  readonly limit: Limit;
}

/** What `takeLimits` found and took. */
export interface TakenLimits {
  /** For the header fields. */
  readonly standings: readonly LimitStanding[];
  /** The work must not be done; it may be tried again after so many seconds. */
  readonly exceeded?: { readonly retryAfterSeconds: number; readonly limits: readonly RateLimitName[] };
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
 * the form in which addresses are compared, whether or not it has an account.
 */
export const limitsOf = {
  logIn: (of: Pair): readonly Limit[] => [
    netLimit('login-net', of, 'failures'),
    pairLimit('login-pair', of, 'failures'),
    {
      name: 'login-account',
      parts: [of.emailKey],
      counts: 'failures',
      afterwards: { points: 1, seconds: 30 },
      isHidden: true,
    },
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
  /** Every endpoint that checks a second factor shares one count a user. */
  secondFactor: ({ userId }: { readonly userId: string }, onLock: NonNullable<Limit['onLock']>): readonly Limit[] => [
    { name: 'mfa-user', parts: [userId], counts: 'failures in a row', onLock },
  ],
  /** Each invitation mail counts, whether sent first or again; those to one address count across all organizations. */
  invite: ({ userId, emailKey }: { readonly userId: string; readonly emailKey: string }): readonly Limit[] => [
    { name: 'invite-user', parts: [userId], counts: 'successes' },
    { name: 'invite-address', parts: [emailKey], counts: 'successes', isHidden: true },
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
  /** Refresh tokens cannot be guessed: this bounds the work of a network, no guesses. */
  refresh: (of: Net): readonly Limit[] => [{ ...netLimit('refresh', of, 'all'), isLeased: true }],
  /** One budget for the credential and one for its user, so that more credentials do not mean more requests. */
  authenticated: ({ userId, credential }: Pick<Caller, 'userId' | 'credential'>): readonly Limit[] => [
    { name: 'api', parts: [credential.id], counts: 'all', isLeased: true },
    { name: 'api-user', parts: [userId], counts: 'all', isLeased: true },
  ],
  /** Computed anew for each request; more credentials do not mean more of them. */
  evaluate: ({ userId }: { readonly userId: string }): readonly Limit[] => [
    { name: 'evaluate', parts: [userId], counts: 'all' },
  ],
  /** Answers that take much more work than others. */
  analyze: ({ userId }: { readonly userId: string }): readonly Limit[] => [
    { name: 'analysis', parts: [userId], counts: 'all' },
  ],
  /** Taken only after a failure: `source` is where credentials come from that storage was asked for in vain. */
  failedCredential: ({ source }: { readonly source: readonly string[] }): readonly Limit[] => [
    { name: 'credentials', parts: source, counts: 'all' },
  ],
} as const;

type Budgets = Pick<Config, 'rateLimits' | 'rateLimitScale'>;

/**
 * Takes a point from each limit, before the work: from all of them, or from none when one is known to be spent.
 *
 * Points are taken in one atomic step and before anything is checked, so that simultaneous attempts never exceed a budget.
 * Attempts that meet at the last point may take points beyond it; all but those of `all` limits are given back, because
 * the work is not done and there is nothing to count. A refund reaches only the window it was taken from and comes after
 * the attempt was refused, so it never admits one more than the budget. No point extends a window: however often a
 * blocked caller tries, the block ends with it. Rejects with `StorageUnavailable` when the budgets cannot be reached.
 */
export async function takeLimits(
  limiter: Pick<RateLimiter, 'take' | 'giveBack'>,
  budgets: Budgets,
  asked: readonly Asked[],
): Promise<TakenLimits> {
  if (asked.length === 0) return { standings: [], refundable: [] };
  const found = await limiter.take(asked.map((limit) => budgetOf(limit, budgets)));
  // The limiter answers with one standing per budget, in the order asked.
  const taken = found.map((standing, index) => ({ standing, limit: asked[index] as Asked }));
  const refundable = taken.filter(({ standing, limit }) => standing.isTaken && limit.counts !== 'all');
  const standings = taken.filter(({ limit }) => limit.isHidden !== true).map(({ standing }) => standing);
  const spent = taken.filter(({ standing }) => standing.isExceeded);
  if (spent.length === 0) return { standings, refundable };
  await ifReachable(limiter.giveBack(refundable.map(({ standing }) => standing)));
  if (spent.every(({ limit }) => limit.afterwards !== undefined)) {
    const slower = taken.map(({ standing, limit }) => (standing.isExceeded ? slowed(limit, budgets) : limit));
    return takeLimits(limiter, budgets, slower);
  }
  await reportLocks(spent);
  const limits = spent.map(({ limit }) => limit.name);
  return { standings, exceeded: { retryAfterSeconds: Math.max(...spent.map(secondsToWait)), limits }, refundable: [] };
}

async function reportLocks(taken: readonly Refundable[]): Promise<void> {
  for (const { standing, limit } of taken) if (standing.beginsLock) await limit.onLock?.();
}

/** A limit, and the budget in place of the configured one. */
type Asked = Limit & { readonly budget?: RateLimitPolicy };

const budgetOf = (limit: Asked, { rateLimits }: Budgets): Budget => ({
  ...(limit.budget ?? { name: limit.name, ...rateLimits[limit.name] }),
  inARow: isInARow(limit),
  parts: limit.parts,
});

const isInARow = ({ counts }: Limit): boolean => counts === 'failures in a row';

function slowed({ afterwards, ...limit }: Asked, { rateLimitScale }: Budgets): Asked {
  if (afterwards === undefined) return limit;
  const points = Math.max(1, Math.round(afterwards.points * rateLimitScale));
  return { ...limit, budget: { name: `${limit.name}-slow`, points, seconds: afterwards.seconds } };
}

/** Of a hidden budget no more is said than how long its window may last. */
const secondsToWait = ({ standing, limit }: { readonly standing: LimitStanding; readonly limit: Limit }): number =>
  limit.isHidden === true ? standing.windowSeconds : standing.resetSeconds;

/** After the work: gives back the points that its outcome does not cost, and reports the locks that begin with it. */
export async function settleLimits(
  limiter: RateLimiter,
  { refundable }: TakenLimits,
  outcome: WorkOutcome,
): Promise<void> {
  const isCost = ({ limit }: Refundable): boolean =>
    outcome === (limit.counts === 'successes' ? 'success' : 'wrong guess');
  const endsRow = ({ limit }: Refundable): boolean => isInARow(limit) && outcome === 'success';
  const unused = refundable.filter((each) => !isCost(each) && !endsRow(each));
  await ifReachable(limiter.giveBack(unused.map(({ standing }) => standing)));
  for (const { standing } of refundable.filter(endsRow)) await ifReachable(limiter.clear(standing));
  await reportLocks(refundable.filter(isCost));
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
