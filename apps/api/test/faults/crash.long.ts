import { randomUUID } from 'node:crypto';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import {
  aRegistration,
  aRule,
  aVerifiedUser,
  aZone,
  password,
  rulesOf,
  type User,
  unique,
} from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { tokenIn } from '../support/mailbox.ts';
import { codeOf } from '../support/two-factor.ts';
import { doomedService } from './support/doomed-service.ts';
import { aPerson, enableTwoFactor, type Person } from './support/people.ts';
import { until } from './support/until.ts';

const newPassword = 'Another-Horse-8';

describe('kill -9 between two statements', function () {
  this.timeout(120_000);
  const { place, mails, post, count, liveSessions, killAtEachCut } = doomedService();
  const statusOfLogin = async (email: string, password: string) =>
    (await post('/api/auth/login', { email, password })).status;

  /** Logs in. On a busy machine, many passwords at once get 503 until there is room to hash them. */
  const challengeOf = (person: object): Promise<Challenge> =>
    until(async () => {
      const reply = await post('/api/auth/login', person);
      return reply.status === 503 ? undefined : (reply.json() as Challenge);
    });

  it('keeps all of a registration or nothing', () =>
    killAtEachCut({
      arrange: () => Promise.resolve(aRegistration()),
      request: (registration) => post('/api/auth/register', registration),
      succeeds: 201,
      check: async (registration, commits) => {
        const { email } = registration;
        expect(await count('SELECT count(*)::int FROM users WHERE email = $1', [email])).to.equal(commits);
        expect((await post('/api/auth/register', registration)).status).to.equal(commits === 0 ? 201 : 409);
        await leasesRunOut(place().database);
        const token = tokenIn(await mails().nextMailTo(email));
        expect((await post('/api/auth/verify-email', { token })).status).to.equal(200);
        expect(await statusOfLogin(email, password)).to.equal(200);
      },
    }));

  it('keeps all of a session or nothing when a login is interrupted', () =>
    killAtEachCut({
      arrange: () => aPerson(place()),
      request: (person) => post('/api/auth/login', person),
      succeeds: 200,
      check: async ({ id, email }, commits) => {
        expect(await count('SELECT count(*)::int FROM sessions WHERE user_id = $1', [id])).to.equal(commits);
        expect(await statusOfLogin(email, password)).to.equal(200);
      },
    }));

  it('keeps all of a challenge or nothing, and no session, when a two-factor login is interrupted', () =>
    killAtEachCut({
      arrange: () => aTwoFactorPerson(place()),
      request: (person) => post('/api/auth/login', person),
      succeeds: 200,
      check: async ({ id, email, secret }, commits) => {
        expect(await count('SELECT count(*)::int FROM challenges WHERE user_id = $1', [id])).to.equal(commits);
        expect(await liveSessions(id)).to.equal(0);
        const { challengeToken } = await challengeOf({ email, password });
        const answer = { challengeToken, code: codeOf(secret, 1) };
        expect((await post('/api/auth/2fa', answer)).status).to.equal(200);
      },
    }));

  it('consumes challenge and code together with creating the session, or neither', () =>
    killAtEachCut({
      arrange: async () => {
        const person = await aTwoFactorPerson(place());
        const { challengeToken } = await challengeOf(person);
        return { ...person, answer: { challengeToken, code: codeOf(person.secret, 1) } };
      },
      request: ({ answer }) => post('/api/auth/2fa', answer),
      succeeds: 200,
      check: async ({ id, email, answer }, commits) => {
        // The first transaction counts the attempt, the second does everything else.
        const isDone = commits === 2;
        expect(await liveSessions(id)).to.equal(isDone ? 1 : 0);
        const attempts = 'SELECT attempts::int AS count FROM challenges WHERE user_id = $1';
        expect(await count(attempts, [id])).to.equal(Math.min(commits, 1));
        expect((await post('/api/auth/2fa', answer)).status).to.equal(isDone ? 401 : 200);
        const { challengeToken } = await challengeOf({ email, password });
        const again = await post('/api/auth/2fa', { ...answer, challengeToken });
        expect(again.status, 'the same code under another challenge').to.equal(401);
      },
    }));

  it('consumes a reset token together with all effects of the reset, or nothing', () =>
    killAtEachCut({
      arrange: async () => {
        const person = await aVerifiedUser(place());
        await post('/api/auth/forgot-password', { email: person.email });
        return { ...person, resetToken: tokenIn(await mails().nextMailTo(person.email)) };
      },
      request: ({ resetToken }) => post('/api/auth/reset-password', { token: resetToken, password: newPassword }),
      succeeds: 200,
      check: async ({ id, email, resetToken, refreshToken }, commits) => {
        const isDone = commits === 1;
        expect(await liveSessions(id)).to.equal(isDone ? 0 : 1);
        expect(await statusOfLogin(email, isDone ? password : newPassword)).to.equal(401);
        const refreshed = await post('/api/auth/refresh', { refreshToken });
        expect(refreshed.status).to.equal(isDone ? 401 : 200);
        const again = await post('/api/auth/reset-password', { token: resetToken, password: newPassword });
        expect(again.status).to.equal(isDone ? 400 : 200);
        expect(await statusOfLogin(email, newPassword)).to.equal(200);
        await leasesRunOut(place().database);
        expect((await mails().nextMailTo(email)).subject).to.equal('Your password at Zonewright was changed');
      },
    }));

  it('moves and renames a rule, or leaves every rule unchanged', async () => {
    const owner = await aVerifiedUser(place());
    await killAtEachCut({
      arrange: () => aZoneWithRules(owner),
      request: ({ path }) => owner.patch(path, { order: 1, name: 'moved' }),
      succeeds: 200,
      check: async ({ zone, path, names }, commits) => {
        const [a, b, c, d] = names;
        // The restarted process has another port.
        const again = clientOf(place().url, { authorization: `Bearer ${owner.token}` });
        const namesNow = async () =>
          ((await again.get(rulesOf(zone), { accept: 'application/json' })).json() as readonly Rule[]).map(
            ({ name, order }) => `${order} ${name}`,
          );
        const moved = ['1 moved', `2 ${a}`, `3 ${b}`, `4 ${c}`];
        expect(await namesNow()).to.deep.equal(commits === 0 ? [`1 ${a}`, `2 ${b}`, `3 ${c}`, `4 ${d}`] : moved);
        const changes = `SELECT count(*)::int FROM audit_log
          WHERE action = 'configurationRule.changed' AND objects->>'zone' = $1`;
        expect(await count(changes, [zone.id])).to.equal(commits);
        expect((await again.patch(path, { order: 1, name: 'moved' })).status).to.equal(200);
        expect(await namesNow()).to.deep.equal(moved);
      },
    });
  });

  it('stores the response under an Idempotency-Key together with the created object, or neither', async () => {
    await killAtEachCut({
      // A new user for each interruption: two organizations founded by one user would wait for the same lock.
      arrange: async () => ({
        owner: await aVerifiedUser(place()),
        body: { name: `Team ${unique()}` },
        headers: { 'idempotency-key': randomUUID() },
      }),
      request: ({ owner, body, headers }) => owner.post('/api/organizations', body, headers),
      succeeds: 201,
      check: async ({ owner, body, headers }, commits) => {
        const again = clientOf(place().url, { authorization: `Bearer ${owner.token}` });
        const teams = 'SELECT count(*)::int FROM organizations WHERE name = $1';
        expect(await count(teams, [body.name])).to.equal(commits);
        const retried = await again.post('/api/organizations', body, headers);
        const isReplay = retried.headers.get('idempotency-replayed') === 'true';
        expect([retried.status, isReplay], retried.text).to.deep.equal([201, commits === 1]);
        const { id } = retried.json() as { readonly id: number };
        const found = await place().database.one<{ id: number }>('SELECT id FROM organizations WHERE name = $1', [
          body.name,
        ]);
        expect(found).to.deep.equal({ id });
      },
    });
  });

  /** Signed out again, because the tests are about signing in. */
  const aTwoFactorPerson = async (at: ReturnType<typeof place>): Promise<Person & { readonly secret: string }> => {
    const user = await aVerifiedUser(at);
    const { secret } = await enableTwoFactor(user);
    expect((await user.post('/api/auth/logout')).status).to.equal(200);
    return { ...user, secret };
  };

  async function aZoneWithRules(owner: User) {
    const user = { ...owner, ...clientOf(place().url, { authorization: `Bearer ${owner.token}` }) };
    const zone = await aZone(user);
    const rules = [await aRule(user, zone), await aRule(user, zone), await aRule(user, zone), await aRule(user, zone)];
    return { zone, path: `${rulesOf(zone)}/${rules.at(-1)?.id}`, names: rules.map(({ name }) => name) };
  }
});

interface Challenge {
  readonly challengeToken: string;
}

interface Rule {
  readonly name: string;
  readonly order: number;
}

/** Simulates a passed minute: another instance may send the killed process's mails. */
const leasesRunOut = (database: Database): Promise<null> =>
  database.none('UPDATE outbox_mails SET due_at = now() WHERE done_at IS NULL');
