import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { type AccountInactive, accountInactive } from '../accounts/errors.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHash, TokenHashes } from '../shared/token-hash.ts';
import type { Repositories, UnitOfWork } from '../shared/unit-of-work.ts';
import {
  type RefreshTokenInvalid,
  type RefreshTokenReused,
  refreshTokenInvalid,
  refreshTokenReused,
} from './errors.ts';
import type { AccessTokens } from './ports.ts';
import {
  type AccessClaims,
  type AuthenticationMethod,
  RefreshToken,
  type SessionTokens,
  sessionLifetimes,
} from './session.ts';

export type RefreshSessionError = RefreshTokenInvalid | RefreshTokenReused | AccountInactive;
export type RefreshSession = (token: RefreshToken) => ResultAsync<SessionTokens, RefreshSessionError>;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly accessTokens: AccessTokens;
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
}

type Outcome =
  | {
      readonly outcome: 'rotated';
      readonly claims: AccessClaims & { readonly methods: readonly AuthenticationMethod[] };
    }
  | { readonly outcome: 'reused' };

/**
 * Exchanges a refresh token for a new pair (RFC 9700 section 4.14.2). A token that was used before means that two
 * parties hold it: all sessions of the user end (interface, "Authentication", rule 2).
 */
export const refreshSession =
  ({ unitOfWork, accessTokens, randomness, tokenHashes }: Dependencies): RefreshSession =>
  (token) => {
    const successor = RefreshToken.parse(randomness.token());
    return unitOfWork
      .run((repositories) => exchange(repositories, tokenHashes.of(token), tokenHashes.of(successor)))
      .andThen(
        (done): Result<SessionTokens, RefreshTokenReused> =>
          done.outcome === 'reused'
            ? err(refreshTokenReused())
            : ok({ accessToken: accessTokens.issue(done.claims), refreshToken: successor }),
      );
  };

const exchange = (
  { refreshTokens, sessions }: Repositories,
  hash: TokenHash,
  successor: TokenHash,
): ResultAsync<Outcome, RefreshTokenInvalid | AccountInactive> =>
  safeTry(async function* () {
    const presented = yield* refreshTokens.present(hash);
    switch (presented.state) {
      case 'unknown':
      case 'in flight':
      case 'dead':
        return err(refreshTokenInvalid());
      case 'used':
        yield* sessions.endAllOf(presented.userId);
        // Ok on purpose: an Err would undo the end of the sessions.
        return ok({ outcome: 'reused' as const });
      case 'live': {
        if (presented.standing === 'inactive') return err(accountInactive());
        yield* refreshTokens.rotate(hash, { hash: successor, lifetimeSeconds: sessionLifetimes.refreshTokenSeconds });
        const { userId, sessionId, methods } = presented;
        return ok({ outcome: 'rotated' as const, claims: { userId, sessionId, methods } });
      }
    }
  });
