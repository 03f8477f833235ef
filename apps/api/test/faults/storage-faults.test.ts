import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@zonewright/dev-postgres';
import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { logIn, password, type User } from '../support/arrange.ts';
import { clientOf, expectProblem, type Reply } from '../support/client.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './support/api-process.ts';
import { type DatabaseLink, openDatabaseLink } from './support/database-link.ts';
import { startLoad, unexpectedResponses } from './support/load.ts';
import { aPerson, expectConsistentDatabase, type Place } from './support/people.ts';
import { until } from './support/until.ts';

/** Longer than every timeout of the service, shorter than those of typical clients. */
const clientTimeoutSeconds = 10;

describe('Storage failures', function () {
  this.timeout(120_000);
  let home: Home;
  let dataDir: string;
  let server: EmbeddedPostgres;
  let link: DatabaseLink;
  let database: Database;
  let api: ApiProcess;
  let ada: User;

  const place = (): Place => ({ url: api.url, database });
  const startServer = async () => {
    server = await startEmbeddedPostgres({ dataDir });
    database = openDatabase({ url: `${server.url}?application_name=observer`, connections: 2 });
  };
  const stopServer = async () => {
    await database.$pool.end();
    await server.stop();
  };

  before(async () => {
    home = makeHome();
    dataDir = mkdtempSync(join(tmpdir(), 'zonewright-storage-'));
    await startServer();
    link = await openDatabaseLink(server.url);
    api = await startApi(home, { DATABASE_URL: link.url });
    ada = await aUser();
  });
  after(async () => {
    await api.kill();
    await link.close();
    await stopServer();
    home.remove();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  afterEach('the process survives', async () => {
    expect(api.hasEnded(), api.output()).to.equal(false);
    expect((await clientOf(api.url).get('/healthz')).status).to.equal(200);
    await expectConsistentDatabase(database);
  });

  const aUser = async (): Promise<User> => {
    const person = await aPerson(place());
    const tokens = await logIn(place(), person);
    const client = clientOf(api.url, { authorization: `Bearer ${tokens.token}` });
    return { ...client, ...person, ...tokens, url: api.url };
  };
  const kinds = (): readonly (() => Promise<Reply>)[] => [
    () => ada.get('/api/users/me'),
    () => ada.get('/api/zones'),
    () => ada.post('/api/zones', { name: `under load ${performance.now()}` }),
    () => clientOf(api.url).post('/api/auth/login', { email: ada.email, password }),
    () => clientOf(api.url).post('/api/auth/forgot-password', { email: ada.email }),
    () => clientOf(api.url).post('/api/auth/refresh', { refreshToken: 'a'.repeat(43) }),
  ];

  it('answers 503 with Retry-After while the server is down, and the next request works once it is back', async () => {
    const load = startLoad(kinds());
    await load.seen(20);
    await stopServer();
    await load.seen(100, ({ status }) => status === 503);
    expectProblem(
      await clientOf(api.url).get('/api/zones', { authorization: `Bearer ${ada.token}` }),
      503,
      unavailable,
    );
    expect((await clientOf(api.url).get('/healthz')).status).to.equal(200);
    expect((await clientOf(api.url).get('/readyz')).status).to.equal(503);
    await startServer();
    link.leadTo(server.url);
    expect((await ada.get('/api/users/me')).status).to.equal(200);
    await until(async () => (await clientOf(api.url).get('/readyz')).status === 200);
    const replies = await load.stop();
    expect(unexpectedResponses(replies)).to.deep.equal([]);
    for (const request of kinds().slice(0, 4)) expect((await request()).status).to.be.oneOf([200, 201]);
  });

  it('answers within the time limits when the server stops responding, and works with new connections', async () => {
    // More requests than pool connections: some time out waiting for one.
    const requests = Array.from({ length: 30 }, (_, index) => kinds()[index % kinds().length]);
    const forget = link.silence();
    const began = performance.now();
    const replies = await Promise.all(requests.map((request) => request?.() ?? ada.get('/api/users/me')));
    expect((performance.now() - began) / 1000).to.be.below(clientTimeoutSeconds);
    expect(unexpectedResponses(replies)).to.deep.equal([]);
    expect(replies.some(({ status }) => status === 503)).to.equal(true);
    await until(async () => (await ada.get('/api/users/me')).status === 200);
    forget();
    const afterwards = await Promise.all(Array.from({ length: 30 }, () => ada.get('/api/users/me')));
    expect(afterwards.map(({ status }) => status)).to.deep.equal(afterwards.map(() => 200));
  });

  it('answers 503 to requests whose connection is terminated, and leaves nothing half-done', async () => {
    const user = await aUser();
    const create = (name: string) => user.post('/api/zones', { name, organization: user.organization });
    const names = await link.namesDuring(() => create('whole.example'));
    for (const statements of [3, 6, names.length - 1]) {
      const answers: Promise<Reply>[] = [];
      await link.holdAfter(statements, () => {
        const answer = create('cut.example');
        answers.push(answer);
        return answer;
      });
      expect(await endConnections(database, `state LIKE 'idle in transaction%'`)).to.be.at.least(1);
      const [answer = expect.fail('no request was made')] = await Promise.all(answers);
      expectProblem(answer, 503, unavailable);
      expect((await user.get('/api/zones?q=cut.example')).json()).to.deep.equal([]);
    }
  });
});

const unavailable = 'service-unavailable';

/** Terminates other connections, as an administrator can, and resolves to their number. */
async function endConnections(database: Database, which: string): Promise<number> {
  const { ended } = await database.one<{ ended: number }>(
    `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
    WHERE datname = current_database() AND application_name <> 'observer' AND ${which}`,
  );
  return ended;
}
