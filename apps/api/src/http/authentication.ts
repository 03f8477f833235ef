import {
  type Authenticate,
  type AuthenticatedRead,
  type AuthenticateForZone,
  type Caller,
  type CheckCredential,
  isSessionCaller,
  type PlausibleCredential,
  type PresentedCredential,
  sessionRequired,
  type Unauthenticated,
  unauthenticated,
  type ZoneId,
} from '@zonewright/core';
import type { Context } from 'koa';
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { ApiError } from '../errors/problems.ts';
import { type CredentialSource, countingFailures, type FailedCredentials } from '../limits/failed-credentials.ts';
import type { Credential, RequestCredentials } from './credentials.ts';
import { isSafe } from './origin.ts';
import type { Route } from './route.ts';
import type { HttpClient } from './route-row.ts';

interface PresentedRequest {
  readonly route: Pick<Route, 'access'>;
  readonly credentials: RequestCredentials;
  readonly client: HttpClient;
  /** The zone that the request changes, once known. */
  readonly zone?: ZoneId | undefined;
}

/** The use cases that authenticate a caller. */
export interface Authentication {
  readonly authenticate: Authenticate;
  readonly checkCredential: CheckCredential;
  readonly authenticateForZone: AuthenticateForZone;
  readonly failedCredentials: FailedCredentials;
}

/** Authenticates the caller as far as the route requires. A read-only token cannot write, even on public routes. */
export function authenticateRequest(
  ctx: Context,
  { route, credentials, client, zone }: PresentedRequest,
  authentication: Authentication,
): ResultAsync<Caller | undefined, ApiError> {
  const { authenticate, checkCredential, authenticateForZone } = authentication;
  const callerOf = (credential: PresentedCredential): ResultAsync<Caller, Unauthenticated> =>
    zone === undefined
      ? authenticate(credential, client)
      : checkCredential(credential).asyncAndThen((plausible) => authenticateForZone(plausible, client, zone));
  const authenticateCaller = (): ResultAsync<Caller, ApiError> =>
    authenticating(ctx, { credentials, client }, authentication, (credential) =>
      callerOf(credential).map((caller) => ({ caller })),
    ).andThen(({ caller }) => requireWritable(ctx, caller));
  switch (route.access) {
    case 'public':
      return refuseReadOnlyToken(ctx, credentials, authenticateCaller);
    case 'protected':
      return authenticateCaller();
    case 'session':
      return authenticateCaller().andThen(requireSession);
  }
}

/** Like `authenticateRequest` for protected reads, but in the same statement as the read. */
export const authenticateRead = <T, E>(
  ctx: Context,
  request: Omit<PresentedRequest, 'route' | 'zone'>,
  authentication: Authentication,
  read: (credential: PlausibleCredential) => ResultAsync<AuthenticatedRead<T, E>, Unauthenticated>,
): ResultAsync<AuthenticatedRead<T, E>, ApiError> =>
  authenticating(ctx, request, authentication, (credential) =>
    authentication.checkCredential(credential).asyncAndThen(read),
  );

/** Authenticates the credential, and counts a failure. */
const authenticating = <T extends { readonly caller: Caller }>(
  ctx: Context,
  { credentials, client }: Omit<PresentedRequest, 'route' | 'zone'>,
  { checkCredential, failedCredentials: failures }: Authentication,
  authenticateCaller: (credential: PresentedCredential) => ResultAsync<T, Unauthenticated>,
): ResultAsync<T, ApiError> =>
  credentials
    .presented()
    .andThen(requireCredential)
    .asyncAndThen((credential) => {
      const isFailure = ({ type }: ApiError) => type === 'Unauthenticated' && checkCredential(credential).isOk();
      const counted = { failures, source: sourceOf(credential, client), isFailure };
      return countingFailures<T>(ctx, counted, () => authenticateCaller(credential));
    })
    .andThen((authenticated) => {
      // Set as early as possible, for the audit records of rejected requests.
      ctx.state['caller'] = authenticated.caller;
      return ok(authenticated);
    });

/** The caller, once authenticated. Only `authenticating` sets this member. */
export const callerIn = (ctx: Context) => ctx.state['caller'] as Caller | undefined;

/**
 * Anyone can invent API tokens, so failures count per network. A rejected access token has a valid signature and was
 * live once: it counts against itself only.
 */
const sourceOf = ({ kind, token }: PresentedCredential, { network }: HttpClient): CredentialSource =>
  kind === 'API token' ? [network] : ['access token', token];

/** Public routes look only at API tokens, and only to reject writes with a read-only one. */
const refuseReadOnlyToken = (
  ctx: Context,
  credentials: RequestCredentials,
  authenticateCaller: () => ResultAsync<Caller, ApiError>,
): ResultAsync<undefined, ApiError> => {
  if (isSafe(ctx.method) || ctx.get('X-API-TOKEN') === '') return okAsync(undefined);
  const presented = credentials.presented();
  if (presented.isErr()) return errAsync(presented.error);
  return authenticateCaller()
    .map(() => undefined)
    .orElse((error) => (error.type === 'Unauthenticated' ? ok(undefined) : err(error)));
};

const requireCredential = (credential: Credential) =>
  credential.kind === 'none' ? err(unauthenticated()) : ok(credential);

const requireWritable = (ctx: Context, caller: Caller): Result<Caller, ApiError> =>
  caller.credential.kind === 'apiToken' && caller.credential.readOnly && !isSafe(ctx.method)
    ? err({ type: 'ReadOnlyToken' })
    : ok(caller);

const requireSession = (caller: Caller): Result<Caller, ApiError> =>
  isSessionCaller(caller) ? ok(caller) : err(sessionRequired());
