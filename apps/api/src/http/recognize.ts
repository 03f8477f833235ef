import {
  type Authenticate,
  type Caller,
  type CheckCredential,
  isSessionCaller,
  type PlausibleCredential,
  type PresentedCredential,
  type RecognizeAtZone,
  type RecognizedRead,
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
import type { HttpClient, Route } from './route.ts';

interface PresentedRequest {
  readonly route: Pick<Route, 'access'>;
  readonly credentials: RequestCredentials;
  readonly client: HttpClient;
  /** The zone that the request changes, if it is known by then. */
  readonly zone?: ZoneId | undefined;
}

/** What says who calls. */
export interface Recognition {
  readonly authenticate: Authenticate;
  readonly checkCredential: CheckCredential;
  readonly recognizeAtZone: RecognizeAtZone;
  readonly failedCredentials: FailedCredentials;
}

/** Who calls, as far as the route wants to know. A read-only token writes nowhere, public routes included. */
export function recognize(
  ctx: Context,
  { route, credentials, client, zone }: PresentedRequest,
  recognition: Recognition,
): ResultAsync<Caller | undefined, ApiError> {
  const { authenticate, checkCredential, recognizeAtZone } = recognition;
  const callerOf = (credential: PresentedCredential): ResultAsync<Caller, Unauthenticated> =>
    zone === undefined
      ? authenticate(credential, client)
      : checkCredential(credential).asyncAndThen((plausible) => recognizeAtZone(plausible, client, zone));
  const recognizeCaller = (): ResultAsync<Caller, ApiError> =>
    recognizing(ctx, { credentials, client }, recognition, (credential) =>
      callerOf(credential).map((caller) => ({ caller })),
    ).andThen(({ caller }) => requireWritable(ctx, caller));
  switch (route.access) {
    case 'public':
      return refuseReadOnlyToken(ctx, credentials, recognizeCaller);
    case 'protected':
      return recognizeCaller();
    case 'session':
      return recognizeCaller().andThen(requireSession);
  }
}

/** As `recognize` of a read on a protected route, by the statement that reads. */
export const recognizeBy = <T, E>(
  ctx: Context,
  request: Omit<PresentedRequest, 'route' | 'zone'>,
  recognition: Recognition,
  read: (credential: PlausibleCredential) => ResultAsync<RecognizedRead<T, E>, Unauthenticated>,
): ResultAsync<RecognizedRead<T, E>, ApiError> =>
  recognizing(ctx, request, recognition, (credential) => recognition.checkCredential(credential).asyncAndThen(read));

/** Presents the credential of the request to storage, and counts it if it is refused there. */
const recognizing = <T extends { readonly caller: Caller }>(
  ctx: Context,
  { credentials, client }: Omit<PresentedRequest, 'route' | 'zone'>,
  { checkCredential, failedCredentials: failures }: Recognition,
  recognizeCaller: (credential: PresentedCredential) => ResultAsync<T, Unauthenticated>,
): ResultAsync<T, ApiError> =>
  credentials
    .presented()
    .andThen(requireCredential)
    .asyncAndThen((credential) => {
      const isFailure = ({ type }: ApiError) => type === 'Unauthenticated' && checkCredential(credential).isOk();
      const counted = { failures, source: sourceOf(credential, client), isFailure };
      return countingFailures<T>(ctx, counted, () => recognizeCaller(credential));
    })
    .map((recognized) => {
      // Known from here on, also to those who write down refusals.
      ctx.state['caller'] = recognized.caller;
      return recognized;
    });

/** Who calls; absent until the request is recognized. Only `recognizing` sets the member. */
export const callerIn = (ctx: Context) => ctx.state['caller'] as Caller | undefined;

/**
 * Anybody can make up API tokens, so they count by network. A signed access token that is refused was live once: it counts
 * by itself, and spends no budget but its own.
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
