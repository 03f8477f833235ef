import type { ResultAsync } from 'neverthrow';
import type { CredentialsVersion } from '../accounts/account.ts';
import { recordFor } from '../audit/record.ts';
import type { Repositories } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import { SessionId, type UserId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { InvalidCredentials } from './errors.ts';
import { type AccessClaims, type AuthenticationMethod, RefreshToken, sessionLifetimes } from './session.ts';

/** A session just opened: what its tokens are made of once the unit has committed. */
export interface OpenedSession extends AccessClaims {
  readonly methods: readonly AuthenticationMethod[];
  readonly refreshToken: RefreshToken;
}

interface Proof {
  readonly userId: UserId;
  readonly credentialsVersion: CredentialsVersion;
  readonly methods: readonly AuthenticationMethod[];
}

/** Opens a session with its first refresh token for somebody who has proven everything they had to. */
export function openSession(
  repositories: Repositories,
  { randomness, tokenHashes }: { readonly randomness: Randomness; readonly tokenHashes: TokenHashes },
  { userId, credentialsVersion, methods }: Proof,
  client: Client,
): ResultAsync<OpenedSession, InvalidCredentials> {
  const { sessions, refreshTokens } = repositories;
  const sessionId = SessionId.parse(randomness.uuid());
  const refreshToken = RefreshToken.parse(randomness.token());
  const { sessionSeconds, refreshTokenSeconds } = sessionLifetimes;
  const { userAgent } = client;
  return sessions
    .open({ id: sessionId, userId, credentialsVersion, methods, userAgent, lifetimeSeconds: sessionSeconds })
    .andThen(() =>
      refreshTokens.add({ hash: tokenHashes.of(refreshToken), sessionId, lifetimeSeconds: refreshTokenSeconds }),
    )
    .andThen(() => recordFor(repositories, userId, client, 'session.opened', { session: sessionId }))
    .map(() => ({ userId, sessionId, methods, refreshToken }));
}
