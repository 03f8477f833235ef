import { type Database, openDatabase, statement } from '@zonewright/postgres';
import { expect } from 'chai';
import { missingSettings } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';

describe('The settings of sessions', () => {
  let url: string;
  let database: Database;

  before(async () => {
    url = await emptyDatabase();
    database = openDatabase({ url, connections: 1 });
  });
  after(() => database?.$pool.end());

  it('are those of the connection without a pooler', async () => {
    expect(await missingSettings(url, 'off')).to.deep.equal([]);
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode'];
    const columns = settings.map((name) => `current_setting('${name}') AS "${name}"`);
    expect(await database.one(`SELECT ${columns.join(', ')}`)).to.deep.equal({
      statement_timeout: '5s',
      lock_timeout: '2s',
      idle_in_transaction_session_timeout: '10s',
      plan_cache_mode: 'force_generic_plan',
    });
  });

  it('are missing with a pooler until the role has them', async () => {
    const statements = await missingSettings(url, 'on');
    expect(statements).to.have.length(4);
    expect(statements.join('\n')).to.match(/^ALTER ROLE \w+ IN DATABASE \w+ SET statement_timeout = '5000';$/m);
    const [first = '', ...others] = statements;
    await database.none(first);
    expect(await missingSettings(url, 'prepared')).to.deep.equal(others);
    await database.none(others.join('\n'));
    expect(await missingSettings(url, 'on')).to.deep.equal([]);
  });

  for (const pooler of ['on', 'prepared'] as const) {
    it(`come with ${pooler === 'on' ? 'no names' : 'names'} of statements if the pooler is ${pooler}`, async () => {
      const pooled = openDatabase({ url, pooler, connections: 1 });
      const add = statement('add.sql', 'SELECT ${value}::int + 1 AS "sum"');
      for (const value of [1, 2]) expect(await pooled.one(add.prepared({ value }))).to.deep.equal({ sum: value + 1 });
      const names = await pooled.map('SELECT name FROM pg_prepared_statements', [], ({ name }) => String(name));
      expect(names).to.deep.equal(pooler === 'on' ? [] : ['add.sql']);
      await pooled.$pool.end();
    });
  }
});
