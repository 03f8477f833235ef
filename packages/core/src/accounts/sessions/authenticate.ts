import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import { hasValidChecksum } from '../../kernel/shared/checksummed-token.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { TokenHashes } from '../../kernel/shared/token-hash.ts';
import { type Caller, callerFrom } from '../../organizations/access/caller.ts';
import type { CallerError, PlausibleCredential } from '../../organizations/access/credential.ts';
import { type Unauthenticated, unauthenticated } from '../../organizations/access/errors.ts';
import type { CallerStorage } from '../../organizations/access/ports.ts';
import type { AccessTokens } from './ports.ts';

/** A credential as presented by a client. */
export type PresentedCredential =
  | { readonly kind: 'access token'; readonly token: string }
  | {
      readonly kind: 'API token';
      readonly token: string;
      /** Where the request comes from; without it, tokens that are limited to some networks are refused. */
      readonly address?: string | undefined;
    };

export type Authenticate = (credential: PresentedCredential, client: Client) => ResultAsync<Caller, CallerError>;

/**
 * Checks a credential without storage: its checksum, or its signature and times. This rejects expired, mistyped and
 * made-up credentials without a database query.
 */
export type CheckCredential = (credential: PresentedCredential) => Result<PlausibleCredential, Unauthenticated>;

interface AuthenticationPorts {
  readonly accessTokens: AccessTokens;
  readonly tokenHashes: TokenHashes;
  readonly unitOfWork: CallerStorage;
}

/**
 * Authenticates a caller by a live session or API token. Storage is queried every time, so a revocation takes effect
 * immediately.
 */
export const authenticate = ({ unitOfWork, ...checks }: AuthenticationPorts): Authenticate => {
  const check = checkCredential(checks);
  return (credential, client) =>
    check(credential)
      .asyncAndThen((plausible) => unitOfWork.session(plausible).caller())
      .map((caller) => callerFrom(caller, client));
};

/** Creates a `CheckCredential`. */
export const checkCredential =
  ({ accessTokens, tokenHashes }: Omit<AuthenticationPorts, 'unitOfWork'>): CheckCredential =>
  (presented) => {
    const { token } = presented;
    if (presented.kind === 'access token') {
      return accessTokens.verify(token).map((claims) => ({ kind: 'session', ...claims }));
    }
    if (!mayBeApiToken(token)) return err(unauthenticated());
    return ok({ kind: 'apiToken', hash: tokenHashes.of(token), address: presented.address });
  };

const mayBeApiToken = (token: string): boolean => token.length === 39 && hasValidChecksum(token);
