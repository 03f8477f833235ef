import { err, errAsync, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import { type AccountInactive, accountInactive } from '../accounts/errors.ts';
import { notify } from '../mailing/notify.ts';
import {
  type RefreshTokenInvalid,
  type RefreshTokenReused,
  refreshTokenInvalid,
  refreshTokenReused,
} from './errors.ts';
import type { AccessTokens, TokenClaims } from './ports.ts';
import type { SessionRepositories } from './repositories.ts';
import { RefreshToken, type SessionTokens, sessionLifetimes } from './session.ts';

/** The claims after the commit; undefined if the token was used before. */
type Outcome = TokenClaims | undefined;

/**
 * Exchanges a refresh token for a new pair (RFC 9700 section 4.14.2). A token that is used twice has leaked, so all
 * sessions of the user end (interface, "Authentication", rule 2).
 *
 * A live token is exchanged in one statement. If that fails, a unit with locks finds out why.
 */
export const refreshSession =
  ({
    unitOfWork,
    accessTokens,
    randomness,
    tokenHashes,
  }: Pick<Dependencies<SessionRepositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'> & {
    readonly accessTokens: AccessTokens;
  }) =>
  (
    token: RefreshToken,
    client: Client,
  ): ResultAsync<SessionTokens, RefreshTokenInvalid | RefreshTokenReused | AccountInactive> => {
    const successor = RefreshToken.parse(randomness.token());
    const exchange = { hash: tokenHashes.of(token), successor: tokenHashes.of(successor), client };
    return unitOfWork
      .single((repositories) => rotate(repositories, exchange))
      .andThen((rotation): ResultAsync<Outcome, RefreshTokenInvalid | AccountInactive> => {
        if (rotation.state === 'rotated') return okAsync(rotation);
        if (rotation.state !== 'refused') return errAsync(refreshTokenInvalid());
        return unitOfWork.run((repositories) => judge(repositories, exchange));
      })
      .andThen((claims) =>
        claims === undefined
          ? err(refreshTokenReused())
          : ok({ accessToken: accessTokens.issue(claims), refreshToken: successor }),
      );
  };

interface Exchange {
  readonly hash: TokenHash;
  readonly successor: TokenHash;
  readonly client: Client;
}

const rotate = ({ refreshTokens }: Pick<SessionRepositories, 'refreshTokens'>, { hash, successor, client }: Exchange) =>
  refreshTokens.rotate(hash, { hash: successor, lifetimeSeconds: sessionLifetimes.refreshTokenSeconds }, client);

const judge = (
  repositories: SessionRepositories,
  exchange: Exchange,
): ResultAsync<Outcome, RefreshTokenInvalid | AccountInactive> =>
  safeTry(async function* () {
    const { refreshTokens, sessions } = repositories;
    const { hash, client } = exchange;
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
        // Ok on purpose: an Err would roll back the end of the sessions.
        return ok(undefined);
      }
      case 'live': {
        if (presented.standing === 'inactive') return err(accountInactive());
        // The account was inactive when the exchange was first tried.
        const rotation = yield* rotate(repositories, exchange);
        return rotation.state === 'rotated' ? ok(rotation) : err(refreshTokenInvalid());
      }
    }
  });
