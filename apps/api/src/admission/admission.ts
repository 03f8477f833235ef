import type { ApiError } from '@zonewright/api-description';
import type { Caller, extraPoints, PlausibleCredential } from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import { limitsOf } from '../http/limits.ts';
import type { Route } from '../http/route.ts';
import type { ForwardedAdmission } from './forwarding.ts';
import { withinRateLimits } from './rate-limiting.ts';
import { budgetsOf, ifReachable, type LimitSources } from './rate-limits.ts';
import type { RefusedCallers } from './refused-callers.ts';

/** What the general budgets need. */
export interface Admission extends LimitSources {
  readonly refusedCallers: RefusedCallers;
  /** On a request thread: the limits that the forwarding thread has taken. */
  readonly forwarded?: ForwardedAdmission | undefined;
  /** The price of work. */
  readonly extraPoints: typeof extraPoints;
}

type Place = Pick<Route, 'path'>;

/** Takes a point of the caller's general budgets for an authenticated request. */
export const admit = (
  exchange: Exchange,
  { path }: Place,
  { caller, credential }: { readonly caller: Caller; readonly credential: PlausibleCredential },
  admission: Admission,
): ResultAsync<void, ApiError> => {
  if (admission.forwarded !== undefined) return okAsync();
  return withinRateLimits(exchange, admission, limitsOf.authenticated(caller), () => okAsync())
    .map(() => {
      exchange.isAdmitted = true;
      admission.refusedCallers.forget(credential);
    })
    .mapErr((error) => {
      if (error.type !== 'TooManyRequests') return error;
      const isRepeated = admission.refusedCallers.remember(credential, caller, path);
      return { ...error, isRepeated };
    });
};

/**
 * Refuses a credential whose budgets this process knows to be used up, before any statement. Whether it has been revoked
 * since it was refused first is found out when the window ends.
 */
export function unlessRefused(
  exchange: Exchange,
  place: Place,
  credential: PlausibleCredential,
  admission: Admission,
): ResultAsync<void, ApiError> {
  const caller = admission.refusedCallers.callerOf(credential);
  if (caller === undefined) return okAsync();
  if (!admission.leases.isUsedUp(generalBudgets(caller, admission))) return okAsync();
  exchange.caller = { ...caller, client: exchange.client };
  return admit(exchange, place, { caller: exchange.caller, credential }, admission);
}

/**
 * Charges an admitted request for its work, once its response has been computed. This is a moment later, because the
 * computing under way is timed as a whole.
 */
export function chargeWork(exchange: Exchange, admission: Admission): void {
  const { caller, isAdmitted, ctx } = exchange;
  if (caller === undefined || !isAdmitted) return;
  setImmediate(() => {
    const { rawBody } = ctx.request;
    const bytes = typeof rawBody === 'string' ? Buffer.byteLength(rawBody) : exchange.forwardedBytes;
    const points = admission.extraPoints({ milliseconds: exchange.workMilliseconds, bytes });
    // Storage that cannot be reached now is charged with the next request.
    if (points > 0) void ifReachable(admission.leases.charge(generalBudgets(caller, admission), points));
  });
}

const generalBudgets = (caller: Caller, { budgets }: LimitSources) =>
  budgetsOf(limitsOf.authenticated(caller), budgets);
