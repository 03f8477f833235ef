import { errAsync, type ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import { hasValidChecksum } from '../shared/checksummed-token.ts';
import type { Client } from '../shared/client.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import { type Unauthenticated, unauthenticated } from './errors.ts';
import type { AccessTokens } from './ports.ts';

/** A credential that is meant to prove who calls. */
export type PresentedCredential =
  | { readonly kind: 'access token'; readonly token: string }
  | { readonly kind: 'API token'; readonly token: string };

export type Authenticate = (credential: PresentedCredential, client: Client) => ResultAsync<Caller, Unauthenticated>;

/**
 * Whether a credential may be live: its checksum or its signature and times are right. Only then is storage asked, so
 * it distinguishes expired or mistyped credentials from made-up ones that cost a look-up.
 */
export type IsPlausible = (credential: PresentedCredential) => boolean;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly accessTokens: AccessTokens;
  readonly tokenHashes: TokenHashes;
}

/** Recognizes the caller by a live session or API token; storage is asked every time, so what is revoked ends at once. */
export const authenticate =
  (dependencies: Dependencies): Authenticate =>
  (credential, client) =>
    (credential.kind === 'access token'
      ? bySession(dependencies, credential.token)
      : byApiToken(dependencies, credential.token)
    ).map((caller) => ({ ...caller, client }));

/** Makes `IsPlausible`. */
export const isPlausible =
  ({ accessTokens }: Pick<Dependencies, 'accessTokens'>): IsPlausible =>
  ({ kind, token }) =>
    kind === 'access token' ? accessTokens.verify(token).isOk() : mayBeApiToken(token);

const mayBeApiToken = (token: string): boolean => token.length === 39 && hasValidChecksum(token);

const bySession = ({ unitOfWork, accessTokens }: Dependencies, token: string) =>
  accessTokens.verify(token).asyncAndThen((claims) => unitOfWork.view(({ sessions }) => sessions.caller(claims)));

/** A mistyped token is refused without a look-up. */
const byApiToken = ({ unitOfWork, tokenHashes }: Dependencies, token: string) =>
  mayBeApiToken(token)
    ? unitOfWork.run(({ apiTokens }) => apiTokens.caller(tokenHashes.of(token)))
    : errAsync(unauthenticated());
