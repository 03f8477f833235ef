import { expect } from 'chai';
import { type Database, openDatabase } from '../src/index.ts';
import { faultOfStandby } from '../src/session/standby-fault.ts';
import { sql } from '../src/sql.ts';
import { migratedDatabase } from './support/database.ts';

describe('faultOfStandby', function () {
  this.timeout(20_000);
  let primary: Database;
  before(async () => {
    primary = openDatabase({ url: await migratedDatabase(), connections: 2 });
    await primary.none(`INSERT INTO audit_log (action, objects) VALUES ('zone.created', '{}')`);
  });
  after(() => primary?.$pool.end());

  /** A server whose state differs from the primary's in some respects. */
  async function serverWith(differences: object): Promise<Database> {
    const state = await primary.one<object>(sql.standby.state.prepared());
    // Nothing else is asked of it.
    return { one: () => Promise.resolve({ ...state, ...differences }) } as unknown as Database;
  }
  const following = { isStandby: true, startedAt: '1' };
  const otherHistory = 'a standby with another history than this database';
  const cases: readonly [what: string, differences: object, fault: string | undefined][] = [
    ['accepts the server itself', {}, undefined],
    ['accepts a standby that has replayed as much', following, undefined],
    ['accepts one that lags', { ...following, position: '0/1', timeline: 1 }, undefined],
    ['refuses a server of another cluster', { ...following, cluster: '1' }, 'not a standby of this database'],
    ['refuses another database', { ...following, database: '1' }, 'not a standby of this database'],
    ['refuses a clone that takes writes', { startedAt: '1' }, 'not a standby, but a server of its own'],
    ['refuses a later timeline', { ...following, timeline: 1000 }, otherHistory],
    ['refuses one that has replayed more', { ...following, position: 'FFFF/0' }, otherHistory],
    ['refuses a clone with another entry in its audit log', { ...following, digest: '' }, otherHistory],
    ['refuses a clone with a further entry in its audit log', { ...following, entry: '1000' }, otherHistory],
  ];
  for (const [what, differences, fault] of cases) {
    it(what, async () => {
      expect(await faultOfStandby(primary, await serverWith(differences))).to.equal(fault);
    });
  }
});
