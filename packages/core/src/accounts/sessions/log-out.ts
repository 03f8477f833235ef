import { err, errAsync, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { type Unauthenticated, unauthenticated } from '../../organizations/access/errors.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import type { AccessTokens } from './ports.ts';
import type { SessionRepositories } from './repositories.ts';
import type { RefreshToken } from './session.ts';

/** Credentials to log out with: either identifies a session, even after it has expired. */
export interface LogOutCredentials {
  readonly accessToken: string | undefined;
  readonly refreshToken: RefreshToken | undefined;
}

export type LogOut = (credentials: LogOutCredentials, client: Client) => ResultAsync<void, Unauthenticated>;

/**
 * Ends the session of the access token and, if it belongs to the same user, that of the refresh token. Idempotent.
 * `Unauthenticated`: neither credential ever belonged to a session.
 */
export const logOut =
  ({
    unitOfWork,
    accessTokens,
    tokenHashes,
  }: Pick<Dependencies<SessionRepositories>, 'unitOfWork' | 'tokenHashes'> & {
    readonly accessTokens: AccessTokens;
  }): LogOut =>
  ({ accessToken, refreshToken }, client) => {
    const current =
      accessToken === undefined ? undefined : accessTokens.verifyIgnoringExpiry(accessToken).unwrapOr(undefined);
    if (current === undefined && refreshToken === undefined) return errAsync(unauthenticated());
    return unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { sessions, refreshTokens } = repositories;
        const refreshed =
          refreshToken === undefined ? undefined : yield* refreshTokens.sessionOf(tokenHashes.of(refreshToken));
        const caller = current ?? refreshed;
        if (caller === undefined) return err(unauthenticated());
        const named = [caller, refreshed].filter((each) => each?.userId === caller.userId);
        for (const session of named) {
          if (session === undefined || !(yield* sessions.end(session))) continue;
          yield* recordFor(repositories, caller.userId, client, 'session.ended', { session: session.sessionId });
        }
        return ok();
      }),
    );
  };
