import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { aRegisteredUser, logIn, password } from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { type Mailbox, openMailbox, tokenIn } from '../support/mailbox.ts';
import { codeOf } from '../support/two-factor.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './support/api-process.ts';
import { aPerson, enableTwoFactor, type Person } from './support/people.ts';

interface Challenge {
  readonly challengeToken: string;
}

/** Something consumed before the restart, and a check that it stays consumed. */
type Check = (afterwards: string) => Promise<void>;

describe('Several processes on one database', function () {
  this.timeout(60_000);
  let home: Home;
  let mails: Mailbox;
  let databaseUrl: string;
  let database: Database;
  let running: ApiProcess[] = [];

  beforeEach(async () => {
    home = makeHome();
    mails = await openMailbox();
    ({ url: databaseUrl, database } = await freshDatabase());
  });
  afterEach(async () => {
    await Promise.all(running.map((api) => api.kill()));
    running = [];
    await database.$pool.end();
    await mails.close();
    home.remove();
  });

  const start = async (variables: Readonly<Record<string, string>> = {}): Promise<ApiProcess> => {
    const limits = { RATE_LIMIT_SCALE: '1', RATE_LIMIT_REGISTER: '1000/3600', LOG_LEVEL: 'warn' };
    const api = await startApi(home, { DATABASE_URL: databaseUrl, SMTP_URL: mails.url, ...limits, ...variables });
    running.push(api);
    return api;
  };
  const auth = (url: string, path: string, body: unknown): Promise<Reply> =>
    clientOf(url).post(`/api/auth/${path}`, body);
  const statusOf = async (url: string, path: string, body: unknown) => (await auth(url, path, body)).status;
  const challenged = async (url: string, { email }: Person) =>
    ((await auth(url, 'login', { email, password })).json() as Challenge).challengeToken;

  const checks: Readonly<Record<string, (url: string) => Promise<Check>>> = {
    'failed logins of an address': async (url) => {
      const { email } = await aPerson({ database, url });
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect(await statusOf(url, 'login', { email, password: 'Wrong-Horse-7' })).to.equal(401);
      }
      return async (then) => {
        expect(await statusOf(then, 'login', { email, password })).to.equal(429);
      };
    },
    'a used refresh token': async (url) => {
      const { refreshToken } = await logIn({ url }, await aPerson({ database, url }));
      const { refreshToken: successor } = (await auth(url, 'refresh', { refreshToken })).json() as {
        refreshToken: string;
      };
      return async (then) => {
        expect(await statusOf(then, 'refresh', { refreshToken })).to.equal(401);
        expect(await statusOf(then, 'refresh', { refreshToken: successor }), 'ended by the reuse').to.equal(401);
      };
    },
    'a used token of a mail': async (url) => {
      const { email } = await aRegisteredUser({ url });
      const token = tokenIn(await mails.nextMailTo(email));
      expect(await statusOf(url, 'verify-email', { token })).to.equal(200);
      return async (then) => {
        expect(await statusOf(then, 'verify-email', { token })).to.equal(400);
      };
    },
    'a session that was ended': async (url) => {
      const { token, refreshToken } = await logIn({ url }, await aPerson({ database, url }));
      expect(await statusOf(url, 'logout', { refreshToken })).to.equal(200);
      return async (then) => {
        const headers = { authorization: `Bearer ${token}` };
        expect((await clientOf(then, headers).get('/api/users/me')).status).to.equal(401);
        expect(await statusOf(then, 'refresh', { refreshToken })).to.equal(401);
      };
    },
    'codes of an authenticator app and recovery codes': async (url) => {
      const { recoveryCodes, code, ...person } = await aTwoFactorPerson(url);
      const recovery = recoveryCodes[0];
      const answer = { challengeToken: await challenged(url, person), code: recovery };
      expect(await statusOf(url, '2fa', answer)).to.equal(200);
      return async (then) => {
        for (const spent of [code, recovery]) {
          const again = { challengeToken: await challenged(then, person), code: spent };
          expect(await statusOf(then, '2fa', again)).to.equal(401);
        }
        expect(await statusOf(then, '2fa', answer), 'the challenge').to.equal(401);
      };
    },
    'the attempts of a challenge': async (url) => {
      const { recoveryCodes, ...person } = await aTwoFactorPerson(url);
      const challengeToken = await challenged(url, person);
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect(await statusOf(url, '2fa', { challengeToken, code: 'no code' })).to.equal(401);
      }
      return async (then) => {
        expect(await statusOf(then, '2fa', { challengeToken, code: recoveryCodes[0] })).to.equal(401);
        const another = { challengeToken: await challenged(then, person), code: recoveryCodes[0] };
        expect(await statusOf(then, '2fa', another), 'which spent nothing').to.equal(200);
      };
    },
  };

  it('still know, after being killed and restarted, everything that was used up, ended or counted', async () => {
    const first = await start();
    const afterwards: Check[] = [];
    for (const spend of Object.values(checks)) afterwards.push(await spend(first.url));
    await first.kill();
    const second = await start();
    for (const check of afterwards) await check(second.url);
  });

  it('agree although their clocks are three seconds apart', async () => {
    const early = await start();
    const late = await start({ NODE_OPTIONS: aheadBy(3_000) });
    for (const [one, other] of [
      [early, late],
      [late, early],
    ] as const) {
      const person = await aPerson({ database, url: one.url });
      const tokens = await logIn(one, person);
      const headers = { authorization: `Bearer ${tokens.token}` };
      const reply = await clientOf(other.url, headers).get('/api/users/me');
      expect(reply.status, reply.text).to.equal(200);
      const { refreshToken } = tokens;
      expect(await statusOf(other.url, 'refresh', { refreshToken })).to.equal(200);
      expect(await statusOf(one.url, 'refresh', { refreshToken }), 'used there').to.equal(401);
      for (const spend of Object.values(checks)) await (await spend(one.url))(other.url);
    }
    const { secret, ...person } = await aTwoFactorPerson(early.url);
    const code = codeOf(secret, 1);
    const answer = async ({ url }: ApiProcess) => ({ challengeToken: await challenged(url, person), code });
    expect(await statusOf(late.url, '2fa', await answer(late))).to.equal(200);
    expect(await statusOf(early.url, '2fa', await answer(early)), 'a code counts once').to.equal(401);
  });

  async function aTwoFactorPerson(url: string) {
    const person = await aPerson({ database, url });
    const { token } = await logIn({ url }, person);
    return { ...person, ...(await enableTwoFactor(clientOf(url, { authorization: `Bearer ${token}` }))) };
  }
});

/** Shifts a process's clock into the future. */
const aheadBy = (milliseconds: number): string => {
  const script = `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...args) { if (args.length > 0) super(...args); else super(Real.now() + ${milliseconds}); }
      static now() { return Real.now() + ${milliseconds}; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
};
