import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { type AccountInactive, accountInactive } from '../accounts/errors.ts';
import { recordFor } from '../audit/record.ts';
import { notify } from '../mail/notify.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHash, TokenHashes } from '../shared/token-hash.ts';
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
export type RefreshSession = (token: RefreshToken, client: Client) => ResultAsync<SessionTokens, RefreshSessionError>;

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
  (token, client) => {
    const successor = RefreshToken.parse(randomness.token());
    return unitOfWork
      .run((repositories) =>
        exchange(repositories, { hash: tokenHashes.of(token), successor: tokenHashes.of(successor), client }),
      )
      .andThen(
        (done): Result<SessionTokens, RefreshTokenReused> =>
          done.outcome === 'reused'
            ? err(refreshTokenReused())
            : ok({ accessToken: accessTokens.issue(done.claims), refreshToken: successor }),
      );
  };

interface Exchange {
  readonly hash: TokenHash;
  readonly successor: TokenHash;
  readonly client: Client;
}

const exchange = (
  repositories: Repositories,
  { hash, successor, client }: Exchange,
): ResultAsync<Outcome, RefreshTokenInvalid | AccountInactive> =>
  safeTry(async function* () {
    const { refreshTokens, sessions } = repositories;
    const presented = yield* refreshTokens.present(hash);
    switch (presented.state) {
      case 'unknown':
      case 'in flight':
      case 'dead':
        return err(refreshTokenInvalid());
      case 'used': {
        const { userId, sessionId } = presented;
        yield* sessions.endAllOf(userId);
        yield* recordFor(repositories, userId, client, 'session.refreshTokenReused', { session: sessionId });
        yield* notify(repositories, userId, 'sessions-ended-after-reuse', client);
        // Ok on purpose: an Err would undo the end of the sessions.
        return ok({ outcome: 'reused' as const });
      }
      case 'live': {
        if (presented.standing === 'inactive') return err(accountInactive());
        const { userId, sessionId, methods } = presented;
        yield* refreshTokens.rotate(hash, { hash: successor, lifetimeSeconds: sessionLifetimes.refreshTokenSeconds });
        yield* recordFor(repositories, userId, client, 'session.refreshed', { session: sessionId });
        return ok({ outcome: 'rotated' as const, claims: { userId, sessionId, methods } });
      }
    }
  });
