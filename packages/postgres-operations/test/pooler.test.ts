import { openDatabase, planSettings, statement, timeLimits } from '@zonewright/postgres';
import { expect } from 'chai';
import { poolerBefore, prepareForPooler } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';
import { openMaskingProxy } from './support/masking-proxy.ts';

describe('A pooler', () => {
  let url: string;
  let proxy: Awaited<ReturnType<typeof openMaskingProxy>>;

  before(async () => {
    url = await emptyDatabase();
    proxy = await openMaskingProxy(url);
  });
  after(() => proxy.close());

  const settings = [...Object.keys(timeLimits), ...Object.keys(planSettings)].map(
    (name) => `current_setting('${name}') AS "${name}"`,
  );
  const inForce = {
    statement_timeout: '5s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '10s',
    plan_cache_mode: 'force_generic_plan',
  };

  const roleSettings =
    'SELECT count(*)::int FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())';

  it('is not detected on a direct connection, whose settings are its own', async () => {
    expect(await prepareForPooler(url)).to.equal(undefined);
    const database = openDatabase({ url, connections: 1 });
    expect(await database.one(`SELECT ${settings.join(', ')}`)).to.deep.equal(inForce);
    expect(await database.one(roleSettings)).to.deep.equal({ count: 0 });
    await database.$pool.end();
  });

  it('is detected by mismatching process ids, and leaves nothing behind', async () => {
    expect(await poolerBefore(proxy.url)).to.deep.equal({ keepsStatements: false });
    const database = openDatabase({ url });
    expect(await database.one(roleSettings)).to.deep.equal({ count: 0 });
    await database.$pool.end();
  });

  it('gets role settings, even with concurrent instances, and earlier connections are replaced', async () => {
    const database = openDatabase({ url: proxy.url, pooler: { keepsStatements: true }, connections: 1 });
    expect(await database.one(`SELECT ${settings.join(', ')}`)).to.not.deep.equal(inForce);
    const lost = new Promise((resolve) => database.$pool.once('error', resolve));
    await Promise.all([proxy.url, proxy.url, proxy.url].map((each) => prepareForPooler(each)));
    await lost;
    expect(await database.one(`SELECT ${settings.join(', ')}`)).to.deep.equal(inForce);
    await database.$pool.end();
  });

  for (const keepsStatements of [true, false]) {
    it(`is sent statements ${keepsStatements ? 'by' : 'without'} their names if it keeps ${keepsStatements ? 'them' : 'none'}`, async () => {
      const database = openDatabase({ url: proxy.url, pooler: { keepsStatements }, connections: 1 });
      const add = statement('add.sql', 'SELECT ${value}::int + 1 AS "sum"');
      for (const value of [1, 2]) expect(await database.one(add.prepared({ value }))).to.deep.equal({ sum: value + 1 });
      const names = await database.map('SELECT name FROM pg_prepared_statements', [], ({ name }) => String(name));
      expect(names).to.deep.equal(keepsStatements ? ['add.sql'] : []);
      await database.$pool.end();
    });
  }
});
