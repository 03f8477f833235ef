import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { password } from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './support/api-process.ts';
import { startLoad, unexpectedResponses } from './support/load.ts';
import { measuredUpTo, median, timed } from './support/medians.ts';
import { aPerson } from './support/people.ts';

describe('Health checks', function () {
  this.timeout(120_000);
  let home: Home;
  let database: Database;
  let api: ApiProcess;

  before(async () => {
    home = makeHome();
    const fresh = await freshDatabase();
    database = fresh.database;
    api = await startApi(home, { DATABASE_URL: fresh.url });
  });
  after(async () => {
    await api.kill();
    await database.$pool.end();
    home.remove();
  });

  it('are answered within 200 ms during a flood of logins', async () => {
    const ada = await aPerson({ url: api.url, database });
    const flood = startLoad(
      Array.from({ length: 40 }, () => () => clientOf(api.url).post('/api/auth/login', { email: ada.email, password })),
    );
    await flood.seen(5);
    const medianTime = async () => {
      const times: number[] = [];
      for (const path of Array.from({ length: 10 }, () => ['/healthz', '/readyz']).flat()) {
        times.push(await timed(async () => expect((await clientOf(api.url).get(path)).status).to.equal(200)));
      }
      return median(times);
    };
    const milliseconds = await measuredUpTo(3, (found) => found < 200, medianTime);
    expect(unexpectedResponses(await flood.stop())).to.deep.equal([]);
    expect(milliseconds).to.be.below(200);
  });
});
