import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { type ApiProcess, type Home, makeHome, startApi } from '../faults/support/api-process.ts';
import { expectConsistentDatabase } from '../faults/support/people.ts';
import { until } from '../faults/support/until.ts';
import { ConcurrentWriters, report } from './support/concurrent-writers.ts';
import { Cluster, ensureCluster } from './support/patroni.ts';

/**
 * Two instances on a cluster whose leader is repeatedly killed during writes. Run by `pnpm test failover`, as root on
 * Debian, because it installs packages.
 */
describe('On a cluster of three nodes under Patroni', function () {
  this.timeout(400_000);
  this.bail(true);
  let cluster: Cluster;
  let home: Home;
  let apis: readonly ApiProcess[] = [];
  let writers: ConcurrentWriters;

  before(async () => {
    ensureCluster();
    home = makeHome();
    cluster = await Cluster.open();
    apis = await Promise.all([
      startApi(home, { DATABASE_URL: cluster.url }),
      startApi(home, { DATABASE_URL: cluster.url }),
    ]);
    writers = await withDatabase((database) =>
      ConcurrentWriters.invite(
        apis.map(({ url }) => url),
        database,
        8,
      ),
    );
  });
  after(async () => {
    await Promise.all(apis.map((api) => api.kill()));
    await cluster?.close();
    home.remove();
  });
  afterEach('the instances keep running, and the data is consistent', async function () {
    if (this.currentTest?.state === 'failed') process.stderr.write(cluster.output());
    for (const api of apis) expect(api.hasEnded(), api.output()).to.equal(false);
    await withDatabase(expectConsistentDatabase);
  });

  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = openDatabase({ url: cluster.url, connections: 2 });
    try {
      return await work(database);
    } finally {
      await database.$pool.end();
    }
  }

  /** Resolves when another node is the leader and the services can write to it. */
  async function isSucceeded(former: string): Promise<void> {
    await until(async () => ![undefined, former].includes(await cluster.leader()), { seconds: 90 });
    const isReady = async ({ url }: ApiProcess) => (await fetch(`${url}/readyz`)).ok;
    await until(async () => (await Promise.all(apis.map(isReady))).every(Boolean), { seconds: 30 });
  }

  for (let round = 1; round <= 3; round += 1) {
    it(`loses nothing when PostgreSQL is killed on the leader, round ${round}`, async () => {
      const former = (await cluster.leader()) ?? expect.fail('no leader');
      const tally = await writers.meanwhile(async () => {
        cluster.killPostgres(former);
        await isSucceeded(former);
      });
      report(`PostgreSQL of ${former} killed`, tally);
      await cluster.isWhole();
    });

    it(`loses nothing when the leader's whole node is killed, round ${round}`, async () => {
      const former = (await cluster.leader()) ?? expect.fail('no leader');
      const tally = await writers.meanwhile(async () => {
        await cluster.killNode(former);
        await isSucceeded(former);
      });
      report(`node ${former} killed`, tally);
      cluster.startNode(former);
      await cluster.isWhole();
    });
  }
});
