import type { ApiError } from '@zonewright/api-description';
import type { RateLimitName } from '@zonewright/configuration';
import type { LimitStatus } from '@zonewright/core';
import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import type { Limit } from '../http/limits.ts';
import { reportOf } from '../observability/request-report.ts';
import type { CredentialSource, FailedCredentials } from './failed-credentials.ts';
import { type LimitSources, rateLimitHeaders, refundPoints, takeLimits, type WorkOutcome } from './rate-limits.ts';

/** Errors that mean a wrong guess. Others cost no attempt: with an invalid challenge no code is compared. */
const wrongGuesses: ReadonlySet<ApiError['type']> = new Set([
  'AttestationRefused',
  'InvalidCredentials',
  'InvalidVerificationCode',
  'MailedTokenInvalid',
  'PasskeyRefused',
  'WrongCurrentPassword',
]);

/** Runs work if every limit has a point for it, and reports the remaining points in header fields. */
export const withinRateLimits = <T>(
  exchange: Exchange,
  { limiter, leases, budgets }: LimitSources,
  limits: readonly Limit[],
  work: () => ResultAsync<T, ApiError>,
  isReplay: (value: T) => boolean = () => false,
): ResultAsync<T, ApiError> => {
  if (limits.length === 0) return work();
  const source = limits.every(({ isLeased }) => isLeased === true) ? leases : limiter;
  return ResultAsync.fromSafePromise(takeLimits(source, budgets, limits)).andThen((taken) => {
    setRateLimitHeaders(exchange, taken.statuses);
    if (taken.exceeded !== undefined) {
      const { retryAfterSeconds, limits: exceeded } = taken.exceeded;
      reportExceeded(exchange, exceeded);
      return errAsync<T, ApiError>({ type: 'TooManyRequests', retryAfterSeconds });
    }
    if (taken.refundable.length === 0) return work();
    const refunded = async (): Promise<Result<T, ApiError>> => {
      const result = await work();
      await refundPoints(limiter, taken, outcomeOf(result, isReplay));
      return result;
    };
    return new ResultAsync(refunded());
  });
};

const outcomeOf = <T>(result: Result<T, ApiError>, isReplay: (value: T) => boolean): WorkOutcome => {
  if (result.isOk()) return isReplay(result.value) ? 'replay' : 'success';
  return wrongGuesses.has(result.error.type) ? 'wrong guess' : 'other error';
};

/** Where failures of credentials are counted. */
export interface FailureCounting {
  readonly failedCredentials: FailedCredentials;
}

/** The source of a credential, and which errors are failed look-ups of it. */
export interface CountedFailures {
  readonly source: CredentialSource;
  /** The credential, if it can be used more than once. */
  readonly secret?: string | undefined;
  readonly isFailure: (error: ApiError) => boolean;
}

/** Refuses a source of credentials that has failed too often, except for those of them that are known to be good. */
export function requireUnblocked(
  exchange: Exchange,
  { source, secret }: Pick<CountedFailures, 'source' | 'secret'>,
  { failedCredentials }: FailureCounting,
): Result<void, ApiError> {
  const block = failedCredentials.blockOf(source, secret);
  if (block === undefined) return ok();
  setRateLimitHeaders(exchange, [block]);
  reportExceeded(exchange, ['credentials']);
  return err({ type: 'TooManyRequests', retryAfterSeconds: block.resetSeconds });
}

/** Runs work unless its source is blocked, and counts its failures. */
export const countFailures = <T>(
  exchange: Exchange,
  { source, secret, isFailure }: CountedFailures,
  dependencies: FailureCounting,
  work: () => ResultAsync<T, ApiError>,
): ResultAsync<T, ApiError> =>
  requireUnblocked(exchange, { source, secret }, dependencies)
    .asyncAndThen(work)
    .andTee(() => {
      if (secret !== undefined) dependencies.failedCredentials.found(source, secret);
    })
    .orElse((error) =>
      isFailure(error) ? dependencies.failedCredentials.counted(source, error, secret) : errAsync(error),
    );

/** For the metrics. */
function reportExceeded({ ctx }: Exchange, limits: readonly RateLimitName[]): void {
  reportOf(ctx).exceededLimits = limits;
}

/** Adds statuses to the header fields, which cover every limit of the request, including general ones. */
export function setRateLimitHeaders(exchange: Exchange, statuses: readonly LimitStatus[]): void {
  exchange.limits = [...exchange.limits, ...statuses];
  exchange.ctx.set(rateLimitHeaders(exchange.limits));
}
