import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@zonewright/dev-postgres';
import { type Database, openDatabase } from '@zonewright/postgres';
import { missingSettings } from '@zonewright/postgres-operations';
import { expect } from 'chai';
import { type ApiProcess, type Home, makeHome, startApi } from '../faults/support/api-process.ts';
import { expectConsistentDatabase } from '../faults/support/people.ts';
import { until } from '../faults/support/until.ts';
import {
  aRule,
  aVerifiedUser,
  aZone,
  logIn,
  type RuleBody,
  rulesOf,
  type User,
  type ZoneBody,
} from '../support/arrange.ts';
import { type Client, clientOf, expectProblem, statusCounts } from '../support/client.ts';
import { ConcurrentWriters, report } from './support/concurrent-writers.ts';
import { openPgBouncer, type PgBouncer, pgBouncerVersion } from './support/pgbouncer.ts';

const { text: version, keepsStatements } = pgBouncerVersion();
const kind = keepsStatements ? 'prepared' : 'on';
const plain = { accept: 'application/json' };

/**
 * Two instances on one database through PgBouncer. Run by `pnpm test pool`, because the check requires only Node. The
 * variable PGBOUNCER selects another binary than Debian's.
 */
describe(`Through PgBouncer ${version} in transaction mode`, function () {
  this.timeout(120_000);
  let server: EmbeddedPostgres;
  let directUrl: string;
  let pooler: PgBouncer;
  let database: Database;
  let home: Home;
  let apis: readonly ApiProcess[] = [];
  let ada: User;
  let writers: ConcurrentWriters;
  /** What starts without the variable, and without the settings of the role, print. */
  let refusals: readonly string[];

  before(async () => {
    home = makeHome();
    server = await startTemporaryPostgres();
    directUrl = await ownedDatabase(server.url);
    database = openDatabase({ url: directUrl, connections: 2 });
    pooler = await openPgBouncer(directUrl);
    refusals = [await refusalOf({}), await refusalOf({ DATABASE_POOLER: kind })];
    await database.none((await missingSettings(pooler.url, kind)).join('\n'));
    // Its connections have the settings of before.
    await pooler.kill();
    await pooler.start();
    // Both migrate an empty database concurrently, one of them bypassing the pooler.
    apis = await Promise.all([startPooled(), startPooled({ DATABASE_DIRECT_URL: directUrl })]);
    ada = await aVerifiedUser({ url: url(), database });
    writers = await ConcurrentWriters.invite([url(0), url(1)], database, 8);
  });
  after(async () => {
    await Promise.all(apis.map((api) => api.kill()));
    await pooler?.remove();
    await database?.$pool.end();
    await server?.stop();
    home.remove();
  });
  afterEach('the instances keep running', async () => {
    for (const api of apis) expect(api.hasEnded(), api.output()).to.equal(false);
    await expectConsistentDatabase(database);
  });

  const url = (index = 0): string => apis[index % apis.length]?.url ?? expect.fail('no instance');
  const client = (index: number): Client => clientOf(url(index), { authorization: `Bearer ${ada.token}` });
  const startPooled = (variables: Readonly<Record<string, string>> = {}): Promise<ApiProcess> =>
    startApi(home, { DATABASE_URL: pooler.url, DATABASE_POOLER: kind, ...variables });
  const refusalOf = (variables: Readonly<Record<string, string>>): Promise<string> =>
    startApi(home, { DATABASE_URL: pooler.url, ...variables }).then(() => expect.fail('it started'), String);
  const isReady = async (index = 0) => (await clientOf(url(index)).get('/readyz')).status === 200;

  it('does not start until it knows the pooler, and the role has its limits', () => {
    expect(refusals[0]).to.match(/DATABASE_URL: .*startup parameter.*; DATABASE_POOLER says that there is a pooler$/m);
    expect(refusals[1]).to.match(
      /DATABASE_POOLER: .*\n(?:ALTER ROLE owner IN DATABASE pooled SET \w+ = '\w+';\n?){4}/m,
    );
  });

  it('enforces the limits on every connection of the pooler', async () => {
    const pooled = openDatabase({ url: pooler.url, pooler: kind, connections: 10 });
    const limits = await Promise.all(
      Array.from({ length: 10 }, () =>
        pooled.one<{ pid: number; limit: string }>(
          `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') || current_setting('lock_timeout') AS limit, pg_sleep(1)::text`,
        ),
      ),
    );
    await pooled.$pool.end();
    expect(new Set(limits.map(({ pid }) => pid)).size).to.equal(5);
    expect(new Set(limits.map(({ limit }) => limit))).to.deep.equal(new Set(['5s2s']));
  });

  it('signs in, and one of ten simultaneous refreshes on two instances succeeds', async () => {
    const eve = await aVerifiedUser({ url: url(), database });
    const { token, refreshToken } = await logIn({ url: url() }, eve);
    expect((await clientOf(url(1), { authorization: `Bearer ${token}` }).get('/api/users/me')).status).to.equal(200);
    const refreshed = await Promise.all(
      Array.from({ length: 10 }, (_, index) => clientOf(url(index)).post('/api/auth/refresh', { refreshToken })),
    );
    expect(statusCounts(refreshed)[200]).to.equal(1);
  });

  it('creates, changes and deletes a zone', async () => {
    const zone = await aZone(ada);
    await aRule(ada, zone);
    expect((await client(1).patch(`/api/zones/${zone.id}`, { tag: 'dev' })).status).to.equal(200);
    expect((await client(0).get(`/api/zones/${zone.id}/revisions`, plain)).json()).to.have.lengthOf(3);
    expect((await client(1).delete(`/api/zones/${zone.id}`)).status).to.equal(204);
    expect((await client(0).get(`/api/zones/${zone.id}`)).status).to.equal(404);
  });

  it('keeps rules in order while two instances move them', async () => {
    const zone = await aZone(ada);
    const rules: RuleBody[] = [];
    for (let count = 0; count < 10; count += 1) rules.push(await aRule(ada, zone));
    const ids = rules.map(({ id }) => id);
    for (let round = 0; round < 5; round += 1) {
      const moves = await Promise.all(
        ids.flatMap((id, index) =>
          [0, 1].map((each) => client(each).patch(`${rulesOf(zone)}/${id}`, { order: 10 - index })),
        ),
      );
      expect(statusCounts(moves)).to.deep.equal({ 200: 20 });
      const listed = (await client(round).get(rulesOf(zone), plain)).json() as RuleBody[];
      expect(listed.map(({ order }) => order)).to.deep.equal(ids.map((_, index) => index + 1));
      expect(listed.map(({ id }) => id)).to.have.members(ids);
    }
  });

  it('executes one of twenty requests with the same Idempotency-Key', async () => {
    const [body, key] = [
      { name: `once-${randomUUID()}`, organization: ada.organization },
      { 'idempotency-key': randomUUID() },
    ];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client(index).post('/api/zones', body, key)),
    );
    expect(statusCounts(replies)).to.deep.equal({ 201: 20 });
    expect(new Set(replies.map((reply) => (reply.json() as ZoneBody).id)).size).to.equal(1);
  });

  it('enforces the timeouts of statements, locks and idle transactions', async () => {
    await database.none(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(20); RETURN NEW; END';
      CREATE TRIGGER dawdle BEFORE INSERT ON zones FOR EACH ROW WHEN (NEW.name = 'slow.example') EXECUTE FUNCTION dawdle()`);
    const zone = await aZone(ada);
    const locked = await timed(() =>
      database.tx(async (transaction) => {
        await transaction.any('SELECT FROM zones WHERE id = $1 FOR UPDATE', [zone.id]);
        return client(1).patch(`/api/zones/${zone.id}`, { tag: 'dev' });
      }),
    );
    const [slow, idle] = await Promise.all([
      timed(() => client(0).post('/api/zones', { name: 'slow.example', organization: ada.organization })),
      timed(() => endedWhileIdle(pooler.url, database)),
    ]);
    expectProblem(slow.result, 503, 'service-unavailable');
    expectProblem(locked.result, 503, 'service-unavailable');
    expect(idle.result).to.equal(true);
    expect([slow.seconds, locked.seconds, idle.seconds].map(Math.round)).to.deep.equal([5, 2, 10]);
    await database.none('DROP FUNCTION dawdle CASCADE');
  });

  it('leaves no state on the connections of the pooler', async () => {
    expect(await database.one(`SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory'`)).to.deep.equal(
      {
        locks: 0,
      },
    );
  });

  it('answers 503 while PgBouncer is down, and recovers without a restart', async () => {
    for (let round = 0; round < 3; round += 1) {
      const tally = await writers.meanwhile(async () => {
        await pooler.kill();
        await until(async () => !(await isReady(0)) && !(await isReady(1)));
        expectProblem(await client(round).get('/api/zones'), 503, 'service-unavailable');
        await pooler.start();
        await until(async () => (await isReady(0)) && (await isReady(1)));
      });
      report('PgBouncer killed', tally);
    }
  });

  it("answers at worst 503 while the server closes the pooler's connections", async () => {
    const tally = await writers.meanwhile(async () => {
      for (let round = 0; round < 10; round += 1) {
        await database.any(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        await delay(100);
      }
    });
    report('connections ended ten times', tally);
  });
});

/** Creates a database owned by an unprivileged user, as in production; returns its URL. */
async function ownedDatabase(serverUrl: string): Promise<string> {
  const admin = openDatabase({ url: serverUrl, connections: 1 });
  await admin.none(`CREATE ROLE owner LOGIN PASSWORD 'secret'`);
  await admin.none('CREATE DATABASE pooled OWNER owner');
  await admin.$pool.end();
  const url = new URL(serverUrl);
  [url.username, url.password, url.pathname] = ['owner', 'secret', '/pooled'];
  return url.href;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const began = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - began) / 1000 };
}

/**
 * Leaves a transaction idle through the pooler until the server ends it; resolves to whether its next statement fails.
 */
async function endedWhileIdle(url: string, observer: Database): Promise<boolean> {
  const database = openDatabase({ url, pooler: 'on', connections: 1 });
  const outcome = database.tx(async (transaction) => {
    const own = await transaction.one('SELECT pg_backend_pid() AS pid');
    const isGone = async () =>
      (await observer.any('SELECT FROM pg_stat_activity WHERE pid = ${pid}', own)).length === 0;
    await until(isGone, { seconds: 20 });
    await transaction.one('SELECT 1');
  });
  const failed = await outcome.then(
    () => false,
    () => true,
  );
  await database.$pool.end();
  return failed;
}
