import type { ApiError } from '@zonewright/api-description';
import type { Caller, extraPoints, PlausibleCredential } from '@zonewright/core';
import type { NewestEntries } from '@zonewright/gate';
import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import { type Limit, limitsOf } from '../http/limits.ts';
import type { Route } from '../http/route.ts';
import type { ForwardedAdmission } from './forwarding.ts';
import { withinRateLimits } from './rate-limiting.ts';
import { budgetsOf, ifReachable, type LimitSources } from './rate-limits.ts';

export interface BudgetDependencies extends LimitSources {
  /** Who used up their budgets, by a credential that this process has authenticated. */
  readonly refusedCallers: NewestEntries<Caller>;
  /** On a request thread: the limits that the forwarding thread has taken. */
  readonly forwarded?: ForwardedAdmission | undefined;
  /** The price of work. */
  readonly extraPoints: typeof extraPoints;
}

/**
 * Refuses a credential whose budgets this process knows to be used up, before any statement. Whether it has been revoked
 * since it was refused first is found out when the window ends. Other credentials learn
 * nothing.
 */
export function requireUnrefused(
  exchange: Exchange,
  _route: Route,
  dependencies: BudgetDependencies,
): Result<void, ApiError> | ResultAsync<void, ApiError> {
  const { refusedCallers, leases } = dependencies;
  if (exchange.credential === undefined || refusedCallers.size === 0) return ok();
  const caller = refusedCallers.get(keyOf(exchange.credential));
  if (caller === undefined || !leases.isUsedUp(generalBudgets(caller, dependencies))) return ok();
  exchange.caller = { ...caller, client: exchange.client };
  return requireBudget(exchange, _route, dependencies);
}

/** Takes a point of the caller's general budgets: for the credential, and for the user. */
export function requireBudget(
  exchange: Exchange,
  _route: Route,
  dependencies: BudgetDependencies,
): ResultAsync<void, ApiError> | Result<void, ApiError> {
  const { caller, credential } = exchange;
  if (caller === undefined || credential === undefined || dependencies.forwarded !== undefined) return ok();
  return withinRateLimits(exchange, dependencies, limitsOf.authenticated(caller), () => okAsync())
    .map(() => {
      exchange.isAdmitted = true;
      if (dependencies.refusedCallers.size > 0) dependencies.refusedCallers.delete(keyOf(credential));
    })
    .mapErr((error) => {
      if (error.type === 'TooManyRequests') dependencies.refusedCallers.set(keyOf(credential), caller);
      return error;
    });
}

/** An API token is known only at the address that it was used from: elsewhere it may be an unknown one. */
const keyOf = (credential: PlausibleCredential): string =>
  credential.kind === 'session' ? credential.sessionId : `${credential.hash} ${credential.address ?? ''}`;

/** Charges an admitted request for its body, and for the work of a request thread; that of an edge for its answer. */
export function chargeWork(exchange: Exchange, dependencies: BudgetDependencies): void {
  const { caller, edge, isAdmitted, answerPoints, ctx, threadMilliseconds: milliseconds } = exchange;
  if (edge !== undefined && answerPoints > 0) charge(limitsOf.edge(edge), answerPoints, dependencies);
  if (caller === undefined || !isAdmitted) return;
  const { rawBody } = ctx.request;
  const bytes = typeof rawBody === 'string' ? Buffer.byteLength(rawBody) : exchange.forwardedBytes;
  const points = dependencies.extraPoints({ milliseconds, bytes });
  if (points > 0) charge(limitsOf.authenticated(caller), points, dependencies);
}

/** Storage that cannot be reached now is charged with the next request. */
const charge = (limits: readonly Limit[], points: number, { leases, budgets }: LimitSources): void =>
  void ifReachable(leases.charge(budgetsOf(limits, budgets), points));

const generalBudgets = (caller: Caller, { budgets }: LimitSources) =>
  budgetsOf(limitsOf.authenticated(caller), budgets);
