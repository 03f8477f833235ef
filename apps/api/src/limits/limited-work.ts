import type { Config, RateLimitName } from '@zonewright/configuration';
import type { LimitStatus, RateLimiter } from '@zonewright/core';
import type { Context } from 'koa';
import { errAsync, type Result, ResultAsync } from 'neverthrow';
import type { ApiError } from '../errors/problems.ts';
import type { Leases } from './leases.ts';
import { type Limit, rateLimitHeaders, settleLimits, takeLimits, type WorkOutcome } from './rate-limits.ts';

/** Where budgets are kept, and their sizes. */
export interface LimitDependencies {
  readonly limiter: RateLimiter;
  readonly leases: Leases;
  readonly budgets: Pick<Config, 'rateLimits' | 'rateLimitScale'>;
}

/** Errors that mean a wrong guess. Others cost no attempt: with an invalid challenge no code is compared. */
const wrongGuesses: ReadonlySet<ApiError['type']> = new Set([
  'InvalidCredentials',
  'InvalidVerificationCode',
  'MailedTokenInvalid',
  'WrongCurrentPassword',
]);

/** Runs work if every limit has a point for it, and reports the remaining points in header fields. */
export const withinRateLimits = <T>(
  ctx: Context,
  { limiter, leases, budgets }: LimitDependencies,
  limits: readonly Limit[],
  work: () => ResultAsync<T, ApiError>,
  isRepetition: (value: T) => boolean = () => false,
): ResultAsync<T, ApiError> => {
  if (limits.length === 0) return work();
  const source = limits.every(({ isLeased }) => isLeased === true) ? leases : limiter;
  return ResultAsync.fromSafePromise(takeLimits(source, budgets, limits)).andThen((taken) => {
    announceLimits(ctx, taken.statuses);
    if (taken.exceeded !== undefined) {
      const { retryAfterSeconds, limits: exceeded } = taken.exceeded;
      noteExceeded(ctx, exceeded);
      return errAsync<T, ApiError>({ type: 'TooManyRequests', retryAfterSeconds });
    }
    if (taken.refundable.length === 0) return work();
    const settled = async (): Promise<Result<T, ApiError>> => {
      const result = await work();
      await settleLimits(limiter, taken, outcomeOf(result, isRepetition));
      return result;
    };
    return new ResultAsync(settled());
  });
};

const outcomeOf = <T>(result: Result<T, ApiError>, isRepetition: (value: T) => boolean): WorkOutcome => {
  if (result.isOk()) return isRepetition(result.value) ? 'repetition' : 'success';
  return wrongGuesses.has(result.error.type) ? 'wrong guess' : 'other refusal';
};

/** Records for the metrics which limits rejected a request. */
export function noteExceeded(ctx: Context, limits: readonly RateLimitName[]): void {
  ctx.state['exceededLimits'] = limits;
}

/** The limits that rejected a request. */
export const exceededLimits = (ctx: Context): readonly RateLimitName[] =>
  // Only `noteExceeded` sets this member.
  (ctx.state['exceededLimits'] as readonly RateLimitName[] | undefined) ?? [];

/** Adds statuses to the header fields, which cover every limit of the request, including general ones. */
export function announceLimits(ctx: Context, statuses: readonly LimitStatus[]): void {
  // Only this function sets this member.
  const earlier = ctx.state['limits'] as readonly LimitStatus[] | undefined;
  const all = earlier === undefined ? statuses : [...earlier, ...statuses];
  ctx.state['limits'] = all;
  ctx.set(rateLimitHeaders(all));
}
