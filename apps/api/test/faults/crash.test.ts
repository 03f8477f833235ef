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
  sessionOf,
  type User,
  unique,
} from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { type Mailbox, openMailbox, tokenIn } from '../support/mailbox.ts';
import { codeOf } from '../support/two-factor.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './support/api-process.ts';
import { type DatabaseLink, openDatabaseLink } from './support/database-link.ts';
import { aPerson, enableTwoFactor, expectConsistentDatabase, type Person } from './support/people.ts';
import { until } from './support/until.ts';

/** One request, which is interrupted again and again, each time at a later statement. */
interface Scenario<S> {
  /** Creates a new subject for each interruption. */
  readonly arrange: () => Promise<S>;
  readonly request: (subject: S) => Promise<Reply>;
  readonly succeeds: number;
  /** What must hold on the restarted service, given how many of the request's transactions had committed. */
  readonly check: (subject: S, commits: number) => Promise<void>;
}

/** Whether a statement is sent outside a transaction and commits by itself. */
const commitsAlone = (name: string): boolean =>
  /^(sign-ins\/open-silently|refresh-tokens\/rotate|zone-changes\/apply)\b/.test(name);

/** Whether what came before is permanent once the statement has been executed. */
const isPermanent = (name: string): boolean => name.toUpperCase() === 'COMMIT' || commitsAlone(name);

/**
 * After how many statements to interrupt: before and after each that makes something permanent, and at the end. What
 * an earlier statement made permanent too soon is still there at the next cut.
 */
const cutsOf = (names: readonly string[]): readonly number[] =>
  names.flatMap((name, index) => {
    const next = names[index + 1];
    return isPermanent(name) || next === undefined || isPermanent(next) ? [index + 1] : [];
  });

const newPassword = 'Another-Horse-8';

describe('kill -9 between two statements', function () {
  this.timeout(120_000);
  let home: Home;
  let mails: Mailbox;
  let database: Database;
  let link: DatabaseLink;
  let api: ApiProcess;

  const start = () => startApi(home, { DATABASE_URL: link.url, SMTP_URL: mails.url, LOG_LEVEL: 'warn' });
  const place = () => ({ url: api.url, database });
  const post = (path: string, body: unknown) => clientOf(api.url).post(path, body);
  const statusOfLogin = async (email: string, password: string) =>
    (await post('/api/auth/login', { email, password })).status;
  const count = async (query: string, values: readonly unknown[]) =>
    (await database.one<{ count: number }>(query, [...values])).count;

  before(async () => {
    home = makeHome();
    mails = await openMailbox();
    const fresh = await freshDatabase();
    database = fresh.database;
    link = await openDatabaseLink(fresh.url);
    api = await start();
  });
  after(async () => {
    await api.kill();
    await link.close();
    await database.$pool.end();
    await mails.close();
    home.remove();
  });

  /** Interrupts the request at each of its cuts, kills the process with all of them pending, and restarts it. */
  async function killAtEachCut<S>(scenario: Scenario<S>): Promise<void> {
    const { arrange, request, succeeds, check } = scenario;
    const whole = await arrange();
    const names = await link.namesDuring(async () => {
      const reply = await request(whole);
      expect(reply.status, reply.text).to.equal(succeeds);
    });
    // The interruptions must hit a transaction of several statements, or a statement that commits by itself.
    expect(names.lastIndexOf('COMMIT') >= 4 || names.some(commitsAlone), names.join()).to.equal(true);
    const cutAfter = async (length: number) => ({ subject: await arrange(), executed: names.slice(0, length) });
    // All subjects are arranged first: interrupted transactions keep their locks.
    const cuts = await Promise.all(cutsOf(names).map(cutAfter));
    for (const { subject, executed } of cuts) await link.holdAfter(executed.length, () => request(subject));
    await api.kill();
    await until(() => isQuiet(database));
    await expectConsistentDatabase(database);
    api = await start();
    for (const { subject, executed } of cuts) {
      const commits = executed.filter(isPermanent).length;
      await check(subject, commits).catch((failure: Error) => {
        failure.message = `cut after ${executed.join(', ')}: ${failure.message}`;
        throw failure;
      });
    }
    await expectConsistentDatabase(database);
  }

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
        await leasesRunOut(database);
        const token = tokenIn(await mails.nextMailTo(email));
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

  it('keeps either the old refresh token or its successor usable', () =>
    killAtEachCut({
      arrange: () => aVerifiedUser(place()),
      request: ({ refreshToken }) => post('/api/auth/refresh', { refreshToken }),
      succeeds: 200,
      check: async ({ token, refreshToken, id }, commits) => {
        const tokens = 'SELECT count(*)::int FROM refresh_tokens WHERE session_id = $1';
        // Sign-in created one.
        expect(await count(tokens, [sessionOf(token)])).to.equal(commits + 2);
        expect(await count(`${tokens} AND used_at IS NULL`, [sessionOf(token)])).to.equal(1);
        expect((await post('/api/auth/refresh', { refreshToken })).status).to.equal(commits === 0 ? 200 : 401);
        expect(await liveSessions(id)).to.equal(commits === 0 ? 1 : 0);
      },
    }));

  it('consumes a reset token together with all effects of the reset, or nothing', () =>
    killAtEachCut({
      arrange: async () => {
        const person = await aVerifiedUser(place());
        await post('/api/auth/forgot-password', { email: person.email });
        return { ...person, resetToken: tokenIn(await mails.nextMailTo(person.email)) };
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
        await leasesRunOut(database);
        expect((await mails.nextMailTo(email)).subject).to.equal('Your password at Zonewright was changed');
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
        const again = clientOf(api.url, { authorization: `Bearer ${owner.token}` });
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
        const again = clientOf(api.url, { authorization: `Bearer ${owner.token}` });
        const teams = 'SELECT count(*)::int FROM organizations WHERE name = $1';
        expect(await count(teams, [body.name])).to.equal(commits);
        const retried = await again.post('/api/organizations', body, headers);
        const isReplay = retried.headers.get('idempotency-replayed') === 'true';
        expect([retried.status, isReplay], retried.text).to.deep.equal([201, commits === 1]);
        const { id } = retried.json() as { readonly id: number };
        const found = await database.one<{ id: number }>('SELECT id FROM organizations WHERE name = $1', [body.name]);
        expect(found).to.deep.equal({ id });
      },
    });
  });

  const liveSessions = (user: string) =>
    count('SELECT count(*)::int FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [user]);

  /** Signed out again, because the tests are about signing in. */
  const aTwoFactorPerson = async (at: ReturnType<typeof place>): Promise<Person & { readonly secret: string }> => {
    const user = await aVerifiedUser(at);
    const { secret } = await enableTwoFactor(user);
    expect((await user.post('/api/auth/logout')).status).to.equal(200);
    return { ...user, secret };
  };

  async function aZoneWithRules(owner: User) {
    const user = { ...owner, ...clientOf(api.url, { authorization: `Bearer ${owner.token}` }) };
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

/** No other connection exists, so the killed process's transactions have been rolled back. */
const isQuiet = async (database: Database): Promise<boolean> => {
  const { busy } = await database.one<{ busy: number }>(
    `SELECT count(*)::int AS busy FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
  );
  return busy === 0;
};

/** Simulates a passed minute: another instance may send the killed process's mails. */
const leasesRunOut = (database: Database): Promise<null> =>
  database.none('UPDATE outbox_mails SET due_at = now() WHERE done_at IS NULL');
