import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { makeHome, startApi } from './faults/support/api-process.ts';
import { freshDatabase } from './support/database.ts';

describe('WORKERS', function () {
  this.timeout(60_000);
  const home = makeHome();
  let databaseUrl: string;

  before(async () => {
    const { url, database } = await freshDatabase();
    databaseUrl = url;
    await database.$pool.end();
  });
  after(() => home.remove());

  it('report an error once when none of them can start', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const start = startApi(home, { WORKERS: '2', DATABASE_URL: databaseUrl, PORT: `${port}` });
    const { message } = await start.then(
      () => new Error('It started.'),
      (error: Error) => error,
    );
    other.close();
    expect(message).to.match(/^The API did not start: PORT: \d+ on 127\.0\.0\.1 is in use[^\n]*\n$/);
  });
});
