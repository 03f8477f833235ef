import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { SessionId, type UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import type { InvalidCredentials } from './errors.ts';
import type { AccessTokens, SignInProof, SilentSignIn, TokenClaims } from './ports.ts';
import type { SessionRepositories } from './repositories.ts';
import {
  knownNetworks,
  maxLiveSessions,
  RefreshToken,
  type SessionTokens,
  sessionActions,
  sessionLifetimes,
} from './session.ts';

/** A session just opened, with the claims for its tokens once the unit has committed. */
export interface OpenedSession extends TokenClaims {
  readonly refreshToken: RefreshToken;
}

/** The tokens of a session whose unit has committed. */
export const tokensOf = (
  { accessTokens }: { readonly accessTokens: AccessTokens },
  { refreshToken, ...claims }: OpenedSession,
): SessionTokens => ({ accessToken: accessTokens.issue(claims), refreshToken });

type Secrets = Pick<Dependencies, 'randomness' | 'tokenHashes'>;

/** A session to open: its id and token stay the same on every attempt. */
interface Planned {
  readonly tokens: OpenedSession;
  readonly session: SilentSignIn['session'];
  readonly refreshToken: SilentSignIn['refreshToken'];
}

function planned(
  { randomness, tokenHashes }: Secrets,
  { userId, credentialsVersion, methods, provider }: SignInProof,
  { userAgent }: Client,
): Planned {
  const sessionId = SessionId.parse(randomness.uuid());
  const refreshToken = RefreshToken.parse(randomness.token());
  const { sessionSeconds: lifetimeSeconds, refreshTokenSeconds } = sessionLifetimes;
  const session = { id: sessionId, userId, credentialsVersion, methods, provider, userAgent, lifetimeSeconds };
  return {
    tokens: { userId, sessionId, methods, refreshToken },
    session: { ...session, maxLive: maxLiveSessions },
    refreshToken: { hash: tokenHashes.of(refreshToken), lifetimeSeconds: refreshTokenSeconds },
  };
}

/** Opens a session with its first refresh token for a fully authenticated user. It may end an older session. */
export const openSession = (
  repositories: SessionRepositories,
  secrets: Secrets,
  proof: SignInProof,
  client: Client,
): ResultAsync<OpenedSession, InvalidCredentials> => open(repositories, planned(secrets, proof, client), client);

/** The same in its own unit, or in a single statement unless a new network must be reported. */
export function openSessionAlone(
  { unitOfWork, ...secrets }: Secrets & { readonly unitOfWork: UnitOfWork<SessionRepositories> },
  proof: SignInProof,
  client: Client,
): ResultAsync<OpenedSession, InvalidCredentials> {
  const plan = planned(secrets, proof, client);
  const { session, refreshToken, tokens } = plan;
  const { rememberedSeconds } = knownNetworks;
  const signIn = { session, refreshToken, client, rememberedSeconds };
  return unitOfWork
    .single(({ signIns }) => signIns.openSilently(signIn))
    .andThen((isOpen) =>
      isOpen ? okAsync(tokens) : unitOfWork.run((repositories) => open(repositories, plan, client)),
    );
}

const open = (
  repositories: SessionRepositories,
  { session, refreshToken, tokens }: Planned,
  client: Client,
): ResultAsync<OpenedSession, InvalidCredentials> =>
  safeTry(async function* () {
    const { sessions, refreshTokens } = repositories;
    const { userId, sessionId } = tokens;
    const ended = yield* sessions.open(session);
    yield* refreshTokens.add({ ...refreshToken, sessionId });
    yield* reportNewNetwork(repositories, userId, client);
    const { provider } = session;
    const by = provider === undefined ? {} : { provider };
    yield* recordFor(repositories, userId, client, sessionActions.opened, { session: sessionId, ...by });
    for (const id of ended) yield* recordFor(repositories, userId, client, sessionActions.ended, { session: id });
    return ok(tokens);
  });

/** Notifies the owner of a sign-in from a new network, except for the very first sign-in. */
const reportNewNetwork = (
  repositories: SessionRepositories,
  userId: UserId,
  client: Client,
): ResultAsync<void, never> =>
  client.network === undefined
    ? okAsync()
    : repositories.signIns
        .noteNetwork(userId, client.network, knownNetworks)
        .andThen((network) =>
          network === 'new' ? notify(repositories, userId, 'signed-in-from-new-network', client) : okAsync(),
        );
