import { expectSessionsAsModelled, type SessionDoors, type TokenPair } from '@zonewright/contract-tests';
import { expect } from 'chai';
import { aMailedToken, aVerifiedUser, type Tokens, type User } from './support/arrange.ts';
import { clientOf, type Reply } from './support/client.ts';
import { openService, type TestService } from './support/service.ts';
import { aTwoFactorUser, codeOf, forgetSteps, wrongCodeFor } from './support/two-factor.ts';

describe('Sessions over HTTP, in any order', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await openService();
  });
  after(() => service.close());

  it('begin, go on and end as in the model', () =>
    expectSessionsAsModelled(async () => ({ open: (account) => openDoors(service, account), close: async () => {} }), {
      runs: 6,
      commands: 25,
    }));
});

/** Somebody whose sessions have ended, and the endpoints as they would use them. */
async function openDoors(
  service: TestService,
  { secondFactor }: { readonly secondFactor: boolean },
): Promise<SessionDoors> {
  const user = secondFactor ? await aTwoFactorUser(service) : { ...(await aVerifiedUser(service)), secret: '' };
  await service.database.none('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [user.id]);
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
    liveRefreshTokens: () => liveRefreshTokens(service, user),
  };
}

/** Any status but 200 and that of the refusal is a failure. */
function isDone({ status, text }: Reply, refusal: number): boolean {
  expect([200, refusal], text).to.include(status);
  return status === 200;
}

function pairIn(reply: Reply): TokenPair {
  const { token, refreshToken } = reply.json() as Tokens;
  return { accessToken: token, refreshToken };
}

const liveRefreshTokens = async ({ database }: TestService, { id }: Pick<User, 'id'>): Promise<number> =>
  (
    await database.one<{ count: number }>(
      `SELECT count(*)::int FROM refresh_tokens AS t JOIN sessions AS s ON s.id = t.session_id
       WHERE s.user_id = $1 AND s.ended_at IS NULL AND t.used_at IS NULL AND t.expires_at > now()`,
      [id],
    )
  ).count;
