import { type ApiError, permissionsOf } from '@zonewright/api-description';
import {
  type AuthenticateEdge,
  type Caller,
  type CheckCredential,
  callerFrom,
  type DomainStorage,
  isSessionCaller,
  type PlausibleCredential,
  type PresentedCredential,
  requireTokenPermission,
  sessionRequired,
  unauthenticated,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, Result, type ResultAsync } from 'neverthrow';
import type { Exchange } from '../http/exchange.ts';
import { isSafe } from '../http/origin.ts';
import type { Route } from '../http/route.ts';
import type { CredentialSource } from './failed-credentials.ts';
import type { PayloadBudget } from './payload-budget.ts';
import { memoryOf } from './payloads.ts';
import { countFailures, type FailureCounting, requireUnblocked } from './rate-limiting.ts';
import { lookUpInTurn, type Turns } from './shares.ts';

/** What it takes to know who sends a request, and to look that up when it is their turn. */
export interface Authentication extends FailureCounting, Turns {
  readonly checkCredential: CheckCredential;
  readonly authenticateEdge: AuthenticateEdge;
  /** Storage of the service, which opens sessions of its own for requests. */
  readonly unitOfWork: DomainStorage;
  /** Memory of the process. */
  readonly payloads: PayloadBudget;
}

/** Requires one plausible credential, from a source that has not failed too often. */
export const presentCredential = (
  exchange: Exchange,
  _route: Route,
  dependencies: Authentication,
): Result<PlausibleCredential, ApiError> =>
  exchange.credentials.presented().andThen((presented): Result<PlausibleCredential, ApiError> => {
    if (presented.kind === 'none') return err(unauthenticated());
    exchange.source = sourceOf(presented, exchange);
    exchange.secret = presented.kind === 'API token' ? presented.token : undefined;
    return requireUnblocked(exchange, { source: exchange.source, secret: exchange.secret }, dependencies)
      .andThen(() => dependencies.checkCredential(addressed(presented, exchange)))
      .andTee((credential) => {
        exchange.credential = credential;
      });
  });

/**
 * Looks the credential up when it is its user's turn, and counts a failure. What the request is about may be read
 * together with the caller.
 */
export function lookUpCaller(
  exchange: Exchange,
  _route: Route,
  dependencies: Authentication,
): ResultAsync<void, ApiError> {
  const { credential, source, secret, subject } = exchange;
  if (credential === undefined || source === undefined) return errAsync(unauthenticated());
  const memory = memoryOf(exchange, dependencies.payloads);
  const storage = dependencies.unitOfWork.session(credential, subject, { memory });
  return lookUpInTurn(credential, dependencies, () => storage.caller())
    .map((caller) => {
      // As early as possible, for the audit records of rejected requests.
      exchange.caller = callerFrom(caller, exchange.client);
      exchange.storage = storage;
      if (secret !== undefined) dependencies.failedCredentials.found(source, secret);
    })
    .orElse((error) => {
      if (error.type === 'ForeignNetwork') exchange.target = () => okAsync(error.user);
      return isUnauthenticated(error.type) ? dependencies.failedCredentials.counted(source, error, secret) : err(error);
    });
}

/** Authenticates an edge; failures count per network, as those of unknown API tokens. */
export const requireEdgeKey = (
  exchange: Exchange,
  _route: Route,
  dependencies: Authentication,
): ResultAsync<void, ApiError> =>
  exchange.credentials.edgeKey().asyncAndThen((key) =>
    countFailures(
      exchange,
      { source: [exchange.client.network], secret: key, isFailure: ({ type }) => type === 'EdgeKeyInvalid' },
      dependencies,
      () => dependencies.authenticateEdge(key),
    ).map((edge) => {
      exchange.edge = edge;
    }),
  );

/** Public routes look only at API tokens, and only to reject writes with a read-only one. */
export function refuseReadOnlyToken(
  exchange: Exchange,
  route: Route,
  dependencies: Authentication,
): ResultAsync<void, ApiError> | Result<void, ApiError> {
  const { ctx } = exchange;
  if (isSafe(ctx.method) || ctx.get('X-API-TOKEN') === '') return ok();
  return presentCredential(exchange, route, dependencies)
    .asyncAndThen(() => lookUpCaller(exchange, route, dependencies))
    .andThen(() => {
      exchange.storage = undefined;
      return exchange.caller === undefined ? ok() : requireWritable(ctx, exchange.caller);
    })
    .orElse((error) => (isUnauthenticated(error.type) ? ok() : err(error)));
}

/**
 * Anyone can invent API tokens, so failures count per network. A rejected access token has a valid signature and was
 * live once: it counts against itself only.
 */
const sourceOf = ({ kind, token }: PresentedCredential, { client }: Exchange): CredentialSource =>
  kind === 'API token' ? [client.network] : ['access token', token];

/** Where an API token is presented from matters: it may be limited to some networks. */
const addressed = (presented: PresentedCredential, { address }: Exchange): PresentedCredential =>
  presented.kind === 'API token' ? { ...presented, address } : presented;

const isUnauthenticated = (type: ApiError['type']): boolean => type === 'Unauthenticated' || type === 'ForeignNetwork';

/** Checks what the credential allows before anything else, so that a refusal tells nothing about resources. */
export function requirePermission(
  { ctx, caller }: Exchange,
  { access, permission }: Pick<Route, 'access' | 'permission'>,
): Result<void, ApiError> {
  if (caller === undefined) return ok();
  return requireWritable(ctx, caller)
    .andThen(
      (): Result<unknown, ApiError> =>
        Result.combine(permissionsOf(permission).map((needed) => requireTokenPermission(caller.credential, needed))),
    )
    .andThen(() => (access === 'session' && !isSessionCaller(caller) ? err(sessionRequired()) : ok()));
}

/** A read-only token cannot write, whatever the route. */
const requireWritable = ({ method }: Exchange['ctx'], { credential }: Caller): Result<void, ApiError> =>
  credential.kind === 'apiToken' && credential.readOnly && !isSafe(method) ? err({ type: 'ReadOnlyToken' }) : ok();
