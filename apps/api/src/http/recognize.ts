import {
  type Authenticate,
  type Caller,
  type IsPlausible,
  isSessionCaller,
  type PresentedCredential,
  sessionRequired,
  unauthenticated,
} from '@zonewright/core';
import type { Context } from 'koa';
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { ApiError } from '../errors/problems.ts';
import { type CredentialSource, countingFailures, type FailedCredentials } from '../limits/failed-credentials.ts';
import type { Credential, RequestCredentials } from './credentials.ts';
import { isSafe } from './origin.ts';
import type { HttpClient, Route } from './route.ts';

interface PresentedRequest {
  readonly route: Pick<Route, 'access'>;
  readonly credentials: RequestCredentials;
  readonly client: HttpClient;
}

/** What tells who calls. */
export interface Recognition {
  readonly authenticate: Authenticate;
  readonly isPlausible: IsPlausible;
  readonly failedCredentials: FailedCredentials;
}

/** Who calls, as far as the route wants to know. A read-only token writes nowhere, public routes included. */
export function recognize(
  ctx: Context,
  { route, credentials, client }: PresentedRequest,
  { authenticate, isPlausible, failedCredentials: failures }: Recognition,
): ResultAsync<Caller | undefined, ApiError> {
  const authenticated = (credential: PresentedCredential) => {
    const isFailure = ({ type }: ApiError) => type === 'Unauthenticated' && isPlausible(credential);
    const counted = { failures, source: sourceOf(credential, client), isFailure };
    return countingFailures(ctx, counted, () => authenticate(credential, client));
  };
  const recognizeCaller = (): ResultAsync<Caller, ApiError> =>
    credentials
      .presented()
      .andThen(requireCredential)
      .asyncAndThen(authenticated)
      .andThen((caller) => {
        // Known from here on, also to those who write down refusals.
        ctx.state['caller'] = caller;
        return requireWritable(ctx, caller);
      });
  switch (route.access) {
    case 'public':
      return refuseReadOnlyToken(ctx, credentials, recognizeCaller);
    case 'protected':
      return recognizeCaller();
    case 'session':
      return recognizeCaller().andThen(requireSession);
  }
}

/**
 * Anybody can make up API tokens, so they count by network. A signed access token that is refused was live once: it counts
 * by itself, and nobody's budget but its own is spent.
 */
const sourceOf = ({ kind, token }: PresentedCredential, { network }: HttpClient): CredentialSource =>
  kind === 'API token' ? [network] : ['access token', token];

/** On public routes only an API token is looked at, and only to see whether it may write. */
const refuseReadOnlyToken = (
  ctx: Context,
  credentials: RequestCredentials,
  recognizeCaller: () => ResultAsync<Caller, ApiError>,
): ResultAsync<undefined, ApiError> => {
  if (isSafe(ctx.method) || ctx.get('X-API-TOKEN') === '') return okAsync(undefined);
  const presented = credentials.presented();
  if (presented.isErr()) return errAsync(presented.error);
  return recognizeCaller()
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
