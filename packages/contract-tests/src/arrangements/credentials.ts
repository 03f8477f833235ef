import type {
  AuthenticatedCaller,
  OrganizationId,
  PlausibleCredential,
  ProviderId,
  Role,
  SessionCaller,
  TokenHash,
  UserId,
} from '@zonewright/core';
import { anApiToken, aSession, aSessionId, aTokenHash, type NewSession, noClient } from '../builders/index.ts';
import { okOf, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { userOf } from './accounts.ts';

/** Opens a session with a first refresh token, by default of a new user. */
export const storedSession = async (
  storage: Storage,
  given: Partial<NewSession> = {},
  token: { readonly hash?: TokenHash; readonly lifetimeSeconds?: number } = {},
) => {
  const session = aSession({ ...given, userId: await userOf(storage, given) });
  const first = { hash: aTokenHash(), sessionId: session.id, lifetimeSeconds: 1000, ...token };
  return runUnit(storage, ({ sessions, refreshTokens }) =>
    sessions
      .open(session)
      .andThen(() => refreshTokens.add(first))
      .map(() => ({ ...session, sessionId: session.id, token: first.hash })),
  );
};

/** How a session with a password stands right after the sign-in. */
export const justSignedIn = { provider: undefined, confirmed: true, confirmableBy: ['password'] } as const;

/** A caller whose only membership is this one. */
export const callerWith = (userId: UserId, organization: OrganizationId, role: Role): SessionCaller => ({
  userId,
  credential: { kind: 'session', id: aSessionId(), ...justSignedIn },
  memberships: new Map([[organization, { role, needsTwoFactor: false }]]),
  client: noClient,
});

/** A live credential of the user; an API token may be scoped to some organizations. */
export async function storedCredential(
  storage: Storage,
  kind: PlausibleCredential['kind'],
  userId: UserId,
  organizations: readonly OrganizationId[] = [],
  provider?: ProviderId,
): Promise<PlausibleCredential> {
  if (kind === 'session') return { kind, ...(await storedSession(storage, { userId, provider })) };
  const token = anApiToken({ userId, organizations });
  await runUnit(storage, ({ apiTokens }) => apiTokens.add(token));
  return { kind, hash: token.hash };
}

/** The holder of a live credential. */
export const callerOf = ({ unitOfWork }: Storage, credential: PlausibleCredential): Promise<AuthenticatedCaller> =>
  okOf(unitOfWork.session(credential).caller());
