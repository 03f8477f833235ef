import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import { many } from '../src/connection/query.ts';
import { statement } from '../src/connection/statement.ts';
import { openDatabase, type SentStatement, type SlowStatement } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';

describe('Watched connections', () => {
  it("name the request in the server's log for each execution of a prepared statement", async () => {
    const url = await emptyDatabase();
    const database = openDatabase({ url, connections: 1, trace: () => ({ request: 'r-1', ended: () => undefined }) });
    const logged: string[] = [];
    const connection = await database.connect();
    connection.client.on('notice', ({ message }: Error) => logged.push(message.replace(/^duration: [\d.]+ ms +/, '')));
    await connection.none('SET client_min_messages = log; SET log_min_duration_statement = 0');
    const some = statement('zones/some.sql', 'SELECT 7 AS found, ${value}::int AS value');
    await connection.tx(async (transaction) => {
      for (const value of [1, 2]) await transaction.one(some.prepared({ value }));
    });
    await connection.done();
    await database.$pool.end();
    // Executions are counted per process.
    const portals: string[] = [];
    const counted = logged.map((line) =>
      line.replace(/r-1\.\w+/, (portal) => {
        if (!portals.includes(portal)) portals.push(portal);
        return `r-1.${portals.indexOf(portal) + 1}`;
      }),
    );
    const text = '/* zones/some.sql */ SELECT 7 AS found, $1::int AS value';
    expect(counted.filter((line) => line.includes(text))).to.deep.equal([
      `parse zones/some.sql: ${text}`,
      ...['r-1.1', 'r-1.2'].flatMap((portal) =>
        ['bind', 'execute'].map((step) => `${step} zones/some.sql/${portal}: ${text}`),
      ),
    ]);
  });

  it('report statements that take a second or fail after that, with the server process', async () => {
    const url = await emptyDatabase();
    const reported: SlowStatement[] = [];
    const limited = new URL(url);
    limited.searchParams.set('statement_timeout', '1100');
    const database = openDatabase({
      url: limited.href,
      connections: 2,
      onSlowStatement: (slow) => reported.push(slow),
    });
    const asleep = (name: string, seconds: number) =>
      database.one(
        statement(name, 'SELECT pg_sleep(${seconds}), pg_backend_pid()::int AS "process"').prepared({ seconds }),
      );
    const [slept] = await Promise.allSettled([asleep('zones/slow', 1.01), asleep('zones/slower', 9)]);
    await database.any('SELECT 1');
    await database.$pool.end();
    expect(reported.map((each) => each.statement)).to.deep.equal(['zones/slow', 'zones/slower']);
    expect(slept).to.have.nested.property('value.process', reported[0]?.serverProcess);
  });

  it('trace statements in the context of their sender, even if they waited for a connection', async () => {
    const url = await emptyDatabase();
    const sender = new AsyncLocalStorage<string>();
    const traced: string[] = [];
    const trace = ({ name }: SentStatement) => void traced.push(`${name} by ${sender.getStore()}`);
    const database = openDatabase({ url, connections: 1, trace });
    const senders = ['first', 'second', 'third'];
    await Promise.all(
      senders.map((each) => sender.run(each, () => many(database, statement(`zones/${each}`, 'SELECT 1'), {}))),
    );
    await database.$pool.end();
    expect(traced).to.deep.equal(senders.map((each) => `zones/${each} by ${each}`));
  });
});
