import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { statement } from '../src/connection/statement.ts';
import { HotStandby, openDatabase, type StatementServer, type StatementWatchers } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';

/** A writable server in place of a standby. */
async function openStandby(trace?: StatementWatchers['trace']) {
  const url = await migratedDatabase();
  const primary = openDatabase({ url, connections: 1 });
  const standby = new HotStandby({
    url,
    primary,
    connections: 1,
    detectPooler: async () => undefined,
    trace,
    onDown: () => undefined,
    onUp: () => undefined,
  });
  while (!standby.stats.isUp) await turn();
  return { url, primary, standby };
}

describe('A hot standby', () => {
  it('associates its statements with the request and the server', async () => {
    const requests = new AsyncLocalStorage<string>();
    const traced: unknown[] = [];
    const { url, primary, standby } = await openStandby(({ name }, server: StatementServer) => {
      const request = requests.getStore();
      if (request === undefined) return undefined;
      return { request, ended: (failure) => void traced.push({ request, name, server, failed: failure?.message }) };
    });
    const supply = (name: string, text: string) =>
      standby.supply(statement(name, text), {}, (rows) => ({ value: rows.length, isComplete: true }));
    await requests.run('r-1', () => supply('zones/one', 'SELECT 1'));
    await requests.run('r-2', () => supply('zones/none', 'SELECT 1 / 0'));
    await standby.close();
    await primary.$pool.end();

    const { hostname, port, pathname } = new URL(url);
    const server = { address: hostname, port: Number(port), database: pathname.slice(1), role: 'standby' };
    expect(traced).to.deep.equal([
      { request: 'r-1', name: 'zones/one', server, failed: undefined },
      { request: 'r-2', name: 'zones/none', server, failed: 'division by zero' },
    ]);
  });

  it('has no known lag if the server is not a standby or does not respond', async () => {
    const { primary, standby } = await openStandby();
    expect(await standby.lag(primary)).to.equal(undefined);
    await standby.close();
    expect(await standby.lag(primary)).to.equal(undefined);
    await primary.$pool.end();
  });
});
