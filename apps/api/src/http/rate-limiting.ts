import type { RateLimitName } from '@zonewright/configuration';
import type { LimitStatus } from '@zonewright/core';
import { err, errAsync, type Result, ResultAsync } from 'neverthrow';
import type { ApiError } from '../errors/problems.ts';
import type { CredentialSource, FailedCredentials } from '../limits/failed-credentials.ts';
import {
  type Limit,
  type LimitSources,
  rateLimitHeaders,
  refundPoints,
  takeLimits,
  type WorkOutcome,
} from '../limits/rate-limits.ts';
import { reportOf } from '../tracing/request-report.ts';
import type { Exchange } from './exchange.ts';

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
    announce(exchange, taken.statuses);
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
  readonly isFailure: (error: ApiError) => boolean;
}

/** Runs work unless its source is blocked, and counts its failures. */
export const unlessBlocked = <T>(
  exchange: Exchange,
  { source, isFailure }: CountedFailures,
  { failedCredentials }: FailureCounting,
  work: () => ResultAsync<T, ApiError>,
): ResultAsync<T, ApiError> => {
  const block = failedCredentials.blockOf(source);
  if (block !== undefined) {
    announce(exchange, [block.status]);
    reportExceeded(exchange, ['credentials']);
    const { isRepeated, status } = block;
    return errAsync({ type: 'TooManyRequests', retryAfterSeconds: status.resetSeconds, isRepeated });
  }
  return work().orElse((error) => {
    if (!isFailure(error)) return errAsync(error);
    return ResultAsync.fromSafePromise(failedCredentials.count(source)).andThen(() => err(error));
  });
};

/** For the metrics. */
function reportExceeded({ ctx }: Exchange, limits: readonly RateLimitName[]): void {
  reportOf(ctx).exceededLimits = limits;
}

/** Adds statuses to the header fields, which cover every limit of the request, including general ones. */
export function announce(exchange: Exchange, statuses: readonly LimitStatus[]): void {
  exchange.limits = [...exchange.limits, ...statuses];
  exchange.ctx.set(rateLimitHeaders(exchange.limits));
}
