import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { CredentialsVersion } from '../accounts/account.ts';
import { recordFor } from '../audit/record.ts';
import { notify } from '../mail/notify.ts';
import type { Repositories } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import { SessionId, type UserId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { InvalidCredentials } from './errors.ts';
import {
  type AccessClaims,
  type AuthenticationMethod,
  knownNetworks,
  maxLiveSessions,
  RefreshToken,
  sessionLifetimes,
} from './session.ts';

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

/**
 * Opens a session with its first refresh token for a user who has proven everything they had to. It may take the place
 * of an older one.
 */
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
  const session = { id: sessionId, userId, credentialsVersion, methods, userAgent: client.userAgent };
  return safeTry(async function* () {
    const ended = yield* sessions.open({ ...session, lifetimeSeconds: sessionSeconds, maxLive: maxLiveSessions });
    yield* refreshTokens.add({ hash: tokenHashes.of(refreshToken), sessionId, lifetimeSeconds: refreshTokenSeconds });
    yield* reportNewNetwork(repositories, userId, client);
    yield* recordFor(repositories, userId, client, 'session.opened', { session: sessionId });
    for (const id of ended) yield* recordFor(repositories, userId, client, 'session.ended', { session: id });
    return ok({ userId, sessionId, methods, refreshToken });
  });
}

/** The owner learns of a sign-in from where there was none before; the very first one surprises nobody. */
const reportNewNetwork = (repositories: Repositories, userId: UserId, client: Client): ResultAsync<void, never> =>
  client.network === undefined
    ? okAsync()
    : repositories.sessions
        .noteNetwork(userId, client.network, knownNetworks)
        .andThen((network) =>
          network === 'new' ? notify(repositories, userId, 'signed-in-from-new-network', client) : okAsync(),
        );
