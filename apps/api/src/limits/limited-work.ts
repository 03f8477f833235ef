import type { Config, RateLimitName } from '@zonewright/configuration';
import type { LimitStanding, RateLimiter } from '@zonewright/core';
import type { Context } from 'koa';
import { errAsync, type Result, ResultAsync } from 'neverthrow';
import type { ApiError } from '../errors/problems.ts';
import type { Leases } from './leases.ts';
import { type Limit, rateLimitHeaders, settleLimits, takeLimits, type WorkOutcome } from './rate-limits.ts';

/** Where budgets are kept, and how large they are. */
export interface LimitDependencies {
  readonly limiter: RateLimiter;
  readonly leases: Leases;
  readonly budgets: Pick<Config, 'rateLimits' | 'rateLimitScale'>;
}

/** Errors that say a guess was wrong. Everything else costs no attempt: no code is compared under a dead challenge. */
const wrongGuesses: ReadonlySet<ApiError['type']> = new Set([
  'InvalidCredentials',
  'InvalidVerificationCode',
  'MailedTokenInvalid',
  'WrongCurrentPassword',
]);

/** Does the work if every limit has a point for it, and says in the header fields what is left. */
export const underLimits = <T>(
  ctx: Context,
  { limiter, leases, budgets }: LimitDependencies,
  asked: readonly Limit[],
  work: () => ResultAsync<T, ApiError>,
  isRepetition: (value: T) => boolean = () => false,
): ResultAsync<T, ApiError> => {
  if (asked.length === 0) return work();
  const source = asked.every(({ isLeased }) => isLeased === true) ? leases : limiter;
  return ResultAsync.fromSafePromise(takeLimits(source, budgets, asked)).andThen((taken) => {
    announceLimits(ctx, taken.standings);
    if (taken.exceeded !== undefined) {
      const { retryAfterSeconds, limits } = taken.exceeded;
      noteExceeded(ctx, limits);
      return errAsync<T, ApiError>({ type: 'TooManyRequests', retryAfterSeconds });
    }
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

/** Notes for the metrics by which limits a request is refused. */
export function noteExceeded(ctx: Context, limits: readonly RateLimitName[]): void {
  ctx.state['exceededLimits'] = limits;
}

/** By which limits a request was refused. */
export const exceededLimits = (ctx: Context): readonly RateLimitName[] =>
  // Only `noteExceeded` writes the member.
  (ctx.state['exceededLimits'] as readonly RateLimitName[] | undefined) ?? [];

/** The header fields speak of every limit of the request, the general ones included. */
export function announceLimits(ctx: Context, standings: readonly LimitStanding[]): void {
  // Only this function writes the member.
  const all = [...((ctx.state['limits'] as readonly LimitStanding[] | undefined) ?? []), ...standings];
  ctx.state['limits'] = all;
  ctx.set(rateLimitHeaders(all));
}
