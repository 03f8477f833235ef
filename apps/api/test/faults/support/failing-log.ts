import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import getPort from 'get-port';
import { aRegistration } from '../../support/arrange.ts';
import { clientOf, type Reply } from '../../support/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { entryPoint } from '../../support/entry-point.ts';
import { type Home, makeHome } from './api-process.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '../../../../..');

/** A standard output that blocks after a number of lines of some 300 bytes. */
export interface BlockedOutput {
  readonly what: string;
  readonly lines: number;
  readonly stdio: () => StdioOptions;
}

/** Defines the test that a service with this output loses only lines. */
export function losesOnlyLines({ what, lines, stdio }: BlockedOutput): void {
  let home: Home;
  let databaseUrl: string;
  let database: Database;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    home = makeHome();
    ({ url: databaseUrl, database } = await freshDatabase());
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await database.$pool.end();
    home.remove();
  });

  const ended = () => child?.exitCode ?? child?.signalCode ?? undefined;

  /** Starts the service without a working mail server; resolves to clients of the API and the metrics. */
  const start = async (stdio: StdioOptions) => {
    const [port, metricsPort] = [await getPort({ host: '127.0.0.1' }), await getPort({ host: '127.0.0.1' })];
    const variables = { PORT: `${port}`, METRICS_PORT: `${metricsPort}`, DATABASE_URL: databaseUrl };
    const env = { ...home.environment, ...variables, SMTP_URL: 'smtp://127.0.0.1:1' };
    child = spawn(process.execPath, entryPoint, { cwd: root, env, stdio });
    const url = `http://127.0.0.1:${port}`;
    const answers = () =>
      clientOf(url)
        .get('/readyz')
        .then(({ status }) => status === 200)
        .catch(() => false);
    await until(async () => ended() !== undefined || (await answers()));
    expect(ended()).to.equal(undefined);
    return { api: clientOf(url), figures: clientOf(`http://127.0.0.1:${metricsPort}`) };
  };

  const manyRequests = async (count: number, send: () => Promise<Reply>): Promise<readonly number[]> => {
    const statuses = new Set<number>();
    for (let round = 0; round < count / 50; round += 1) {
      const replies = await Promise.all(Array.from({ length: 50 }, send));
      for (const { status } of replies) statuses.add(status);
    }
    return [...statuses];
  };

  it(`loses lines, but no response and no process: ${what}`, async () => {
    const { api, figures } = await start(stdio());
    const complaints = text(child?.stderr ?? expect.fail('no output for errors'));
    expect((await api.post('/api/auth/register', aRegistration())).status).to.equal(201);
    expect(await manyRequests(lines, () => api.get('/healthz', { 'x-request-id': 'r'.repeat(64) }))).to.deep.equal([
      200,
    ]);
    expect((await api.get('/api/zones')).status).to.equal(401);
    // The worker logs each failure too, and continues.
    await until(async () => (await database.any('SELECT 1 FROM outbox_mails WHERE attempts > 0')).length > 0);
    const second = await api.post('/api/auth/register', aRegistration());
    expect(second.status).to.equal(201);
    await until(async () => (await database.any('SELECT 1 FROM outbox_mails WHERE attempts > 0')).length > 1);
    expect((await figures.get('/metrics')).text).to.match(/^log_lines_lost_total \d+$/m);
    expect(ended()).to.equal(undefined);
    child?.kill('SIGTERM');
    if (ended() === undefined) await once(child ?? expect.fail('no process'), 'exit');
    expect(ended()).to.equal(0);
    expect(await complaints).to.equal('');
  });
}
