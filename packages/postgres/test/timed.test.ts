import { expect } from 'chai';
import { type Database, openDatabase } from '../src/connection/database.ts';
import { many, one, run } from '../src/connection/query.ts';
import { statement } from '../src/connection/statement.ts';
import { observe, observedPool } from '../src/connection/timed.ts';
import { migratedDatabase } from './support/database.ts';

const slow = statement('test/slow', 'SELECT pg_sleep(0.2)::text');
const quick = statement('test/quick', 'SELECT 1 AS one');

describe('Observed connections', () => {
  let database: Database;
  before(async () => {
    database = openDatabase({ url: await migratedDatabase() });
  });
  after(() => database.$pool.end());

  it('report the time of statements, of the pool and of transactions, and not that of others', async () => {
    const steps: number[] = [];
    const onWork = (milliseconds: number) => void steps.push(milliseconds);
    const pool = observedPool(database, onWork);
    await many(database, quick, {});
    await one(pool, slow, {});
    await many(pool, slow, {});
    await database.tx(async (transaction) => {
      await one(transaction, slow, {});
      observe(transaction, onWork);
      await one(transaction, slow, {});
      await run(transaction, statement('test/none', 'SET LOCAL statement_timeout = 5000'), {});
    });
    const long = steps.filter((step) => step > 150);
    expect(long.length).to.equal(3);
    expect(Math.max(...long)).to.be.below(2000);
  });
});
