import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import { type Unauthenticated, unauthenticated } from './errors.ts';
import type { AccessTokens } from './ports.ts';
import type { RefreshToken } from './session.ts';

/** The credentials somebody logs out with: either names a session, even when it has expired. */
export interface LogOutCredentials {
  readonly accessToken: string | undefined;
  readonly refreshToken: RefreshToken | undefined;
}

export type LogOut = (credentials: LogOutCredentials) => ResultAsync<void, Unauthenticated>;

/**
 * Ends the session that the access token names and, if it belongs to the same user, the one of the refresh token.
 * Repeating it is harmless. `Unauthenticated`: neither credential ever named a session.
 */
export const logOut =
  ({
    unitOfWork,
    accessTokens,
    tokenHashes,
  }: {
    unitOfWork: UnitOfWork;
    accessTokens: AccessTokens;
    tokenHashes: TokenHashes;
  }): LogOut =>
  ({ accessToken, refreshToken }) =>
    unitOfWork.run(({ sessions, refreshTokens }) =>
      safeTry(async function* () {
        const current =
          accessToken === undefined ? undefined : accessTokens.verifyIgnoringExpiry(accessToken).unwrapOr(undefined);
        const refreshed =
          refreshToken === undefined ? undefined : yield* refreshTokens.sessionOf(tokenHashes.of(refreshToken));
        const caller = current ?? refreshed;
        if (caller === undefined) return err(unauthenticated());
        yield* sessions.end(caller);
        if (refreshed !== undefined && refreshed.userId === caller.userId) yield* sessions.end(refreshed);
        return ok();
      }),
    );
