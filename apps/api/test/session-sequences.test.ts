import { expectSessionsAsModelled, type SessionOperations, type TokenPair } from '@zonewright/contract-tests';
import { expect } from 'chai';
import { aMailedToken, aVerifiedUser, type Tokens, type User } from './support/arrange.ts';
import { clientOf, type Reply } from './support/client.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aTwoFactorUser, codeOf, forgetSteps, wrongCodeFor } from './support/two-factor.ts';

describe('Sessions over HTTP, in any order', function () {
  this.timeout(60_000);
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  it('begin, continue and end as in the model', () =>
    expectSessionsAsModelled(
      async () => ({ open: (account) => endpointsOf(service, account), close: async () => {} }),
      {
        runs: 6,
        commands: 25,
      },
    ));
});

/** A user whose sessions have ended, and the endpoints as they would call them. */
async function endpointsOf(
  service: MemoryService,
  { secondFactor }: { readonly secondFactor: boolean },
): Promise<SessionOperations> {
  const user = secondFactor ? await aTwoFactorUser(service) : { ...(await aVerifiedUser(service)), secret: '' };
  service.inTables(({ sessions }) => changeRows(sessions, ({ userId }) => userId === user.id, { ended: true }));
  const { email, password } = user;
  const post = (path: string, body: unknown, headers?: Record<string, string>) =>
    clientOf(service.url).post(`/api/auth/${path}`, body, headers);
  return {
    password,
    logIn: async (given) => {
      const reply = await post('login', { email, password: given });
      if (!isDone(reply, 401)) return undefined;
      const { challengeToken } = reply.json() as { readonly challengeToken?: string };
      return challengeToken === undefined ? { tokens: pairIn(reply) } : { challenge: challengeToken };
    },
    answer: async (challengeToken, code) => {
      await forgetSteps(service, user);
      const reply = await post('2fa', {
        challengeToken,
        code: (code === 'right' ? codeOf : wrongCodeFor)(user.secret),
      });
      return isDone(reply, 401) ? pairIn(reply) : undefined;
    },
    refresh: async (refreshToken) => {
      const reply = await post('refresh', { refreshToken });
      if (isDone(reply, 401)) return pairIn(reply);
      const { type } = reply.json() as { readonly type: string };
      return type === '/errors/refresh-token-reused' ? 'reused' : undefined;
    },
    logOut: async ({ accessToken, refreshToken }) => {
      const reply =
        accessToken === undefined
          ? await post('logout', { refreshToken })
          : await post('logout', undefined, { authorization: `Bearer ${accessToken}` });
      expect(reply.status, reply.text).to.equal(200);
    },
    resetToken: () => aMailedToken(service, user, 'reset-password'),
    reset: async (token, newPassword) => isDone(await post('reset-password', { token, password: newPassword }), 400),
    isAccepted: async (accessToken) =>
      isDone(await clientOf(service.url).get('/api/users/me', { authorization: `Bearer ${accessToken}` }), 401),
    liveRefreshTokens: async () => liveRefreshTokens(service, user),
  };
}

/** Fails for any status except 200 and the expected rejection. */
function isDone({ status, text }: Reply, refusal: number): boolean {
  expect([200, refusal], text).to.include(status);
  return status === 200;
}

function pairIn(reply: Reply): TokenPair {
  const { token, refreshToken } = reply.json() as Tokens;
  return { accessToken: token, refreshToken };
}

const liveRefreshTokens = ({ inTables }: MemoryService, { id }: Pick<User, 'id'>): number =>
  inTables(({ refreshTokens, sessions }) =>
    [...refreshTokens.values()].filter(({ sessionId, usedBy, expiresAt }) => {
      const session = sessions.get(sessionId);
      return session?.userId === id && !session.ended && usedBy === undefined && expiresAt > new Date();
    }),
  ).length;
