import {
  type AuthenticateEdge,
  type Caller,
  type CheckCredential,
  callerFrom,
  type DomainStorage,
  isSessionCaller,
  type PlausibleCredential,
  type PresentedCredential,
  type StorageSession,
  type Subject,
  sessionRequired,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { ApiError } from '../errors/problems.ts';
import type { CredentialSource } from '../limits/failed-credentials.ts';
import type { PayloadBudget } from '../limits/payload-budget.ts';
import { type Admission, admit, unlessRefused } from './admission.ts';
import type { Credential } from './credentials.ts';
import type { Exchange } from './exchange.ts';
import { isSafe } from './origin.ts';
import { roomOf } from './payloads.ts';
import { type FailureCounting, unlessBlocked } from './rate-limiting.ts';
import type { Route } from './route.ts';
import { requireRoutePermission } from './route-permission.ts';
import { lookUpInTurn, type Turns } from './turns.ts';

/** What authentication needs. */
export interface Authentication extends FailureCounting, Admission, Turns {
  readonly checkCredential: CheckCredential;
  readonly authenticateEdge: AuthenticateEdge;
  /** Storage of the service, which opens sessions of its own for requests. */
  readonly unitOfWork: DomainStorage;
  /** Memory of the process. */
  readonly payloads: PayloadBudget;
}

/** A caller, with the storage of their request. */
export interface Authenticated {
  readonly caller: Caller;
  readonly credential: PlausibleCredential;
  readonly storage: StorageSession;
}

/**
 * Authenticates the caller as far as the route requires, and takes a point for them; undefined on public routes. A
 * read-only token cannot write, even there. What the request is about may be read together with the caller.
 */
export function authenticate(
  exchange: Exchange,
  route: Pick<Route, 'access' | 'path' | 'permission'>,
  subject: Subject | undefined,
  authentication: Authentication,
): ResultAsync<Authenticated | undefined, ApiError> {
  const unlessUsedUp = (credential: PlausibleCredential) =>
    unlessRefused(exchange, route, credential, authentication).map(() => credential);
  // Before the credential is refused for what it is: these refusals cost statements, too.
  const admitted = () =>
    authenticated(exchange, subject, authentication, unlessUsedUp)
      .andThrough((caller) => admit(exchange, route, caller, authentication))
      .andThrough(({ caller }) => requireWritable(exchange, caller))
      .andThrough(({ caller }) => requireRoutePermission(caller.credential, route.permission));
  switch (route.access) {
    case 'public':
      return refuseReadOnlyToken(exchange, authentication);
    case 'protected':
      return admitted();
    case 'edge':
      return withKey(exchange, authentication);
    case 'session':
      return admitted().andThrough(({ caller }) => requireSession(caller));
  }
}

/** Authenticates an edge; failures count per network, as those of unknown API tokens. */
const withKey = (exchange: Exchange, authentication: Authentication): ResultAsync<undefined, ApiError> =>
  exchange.credentials.edgeKey().asyncAndThen((key) =>
    unlessBlocked(
      exchange,
      { source: [exchange.client.network], isFailure: ({ type }) => type === 'EdgeKeyInvalid' },
      authentication,
      () => authentication.authenticateEdge(key),
    ).map((edge) => {
      exchange.edge = edge;
      return undefined;
    }),
  );

/** Authenticates the presented credential, and counts a failure. */
const authenticated = (
  exchange: Exchange,
  subject: Subject | undefined,
  authentication: Authentication,
  mayBeLookedUp: (credential: PlausibleCredential) => ResultAsync<PlausibleCredential, ApiError> = okAsync,
): ResultAsync<Authenticated, ApiError> =>
  exchange.credentials
    .presented()
    .andThen(requireCredential)
    .asyncAndThen((presented) => {
      const plausible = authentication.checkCredential(addressed(presented, exchange));
      const isFailure = ({ type }: ApiError) => isUnauthenticated(type) && plausible.isOk();
      const counted = { source: sourceOf(presented, exchange), isFailure };
      return unlessBlocked(exchange, counted, authentication, () =>
        plausible.asyncAndThen(mayBeLookedUp).andThen((credential) => {
          const storage = authentication.unitOfWork.session(credential, subject, {
            room: roomOf(exchange, authentication.payloads),
            onWork: (milliseconds) => {
              exchange.workMilliseconds += milliseconds;
            },
          });
          const lookedUp = lookUpInTurn(credential, authentication, () => storage.caller()).mapErr((error) => {
            if (error.type === 'ForeignNetwork') exchange.target = () => okAsync(error.user);
            return error;
          });
          return lookedUp.map((caller) => ({
            storage,
            credential,
            caller: callerFrom(caller, exchange.client),
          }));
        }),
      );
    })
    .andTee(({ caller }) => {
      // As early as possible, for the audit records of rejected requests.
      exchange.caller = caller;
    });

/**
 * Anyone can invent API tokens, so failures count per network. A rejected access token has a valid signature and was
 * live once: it counts against itself only.
 */
const sourceOf = ({ kind, token }: PresentedCredential, { client }: Exchange): CredentialSource =>
  kind === 'API token' ? [client.network] : ['access token', token];

/** Public routes look only at API tokens, and only to reject writes with a read-only one. */
const refuseReadOnlyToken = (exchange: Exchange, authentication: Authentication): ResultAsync<undefined, ApiError> => {
  const { ctx, credentials } = exchange;
  if (isSafe(ctx.method) || ctx.get('X-API-TOKEN') === '') return okAsync(undefined);
  return credentials
    .presented()
    .asyncAndThen(() => authenticated(exchange, undefined, authentication))
    .andThen(({ caller }) => requireWritable(exchange, caller))
    .map(() => undefined)
    .orElse((error) => (isUnauthenticated(error.type) ? ok(undefined) : err(error)));
};

/** Where an API token is presented from matters: it may be limited to some networks. */
const addressed = (presented: PresentedCredential, { address }: Exchange): PresentedCredential =>
  presented.kind === 'API token' ? { ...presented, address } : presented;

const isUnauthenticated = (type: ApiError['type']): boolean => type === 'Unauthenticated' || type === 'ForeignNetwork';

const requireCredential = (credential: Credential) =>
  credential.kind === 'none' ? err(unauthenticated()) : ok(credential);

const requireWritable = ({ ctx }: Exchange, { credential }: Caller): Result<void, ApiError> =>
  credential.kind === 'apiToken' && credential.readOnly && !isSafe(ctx.method) ? err({ type: 'ReadOnlyToken' }) : ok();

const requireSession = (caller: Caller): Result<void, ApiError> =>
  isSessionCaller(caller) ? ok() : err(sessionRequired());
