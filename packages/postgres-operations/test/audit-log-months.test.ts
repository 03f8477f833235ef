import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { cleanUp } from './support/clean-up.ts';
import { migratedDatabase } from './support/database.ts';

describe('The months of the audit log', function () {
  this.timeout(60_000);
  let database: Database;

  before(async () => {
    database = openDatabase({ url: await migratedDatabase(), connections: 3 });
  });
  after(() => database?.$pool.end());

  const record = (at: string, on: Pick<Database, 'one'> = database) =>
    on.one<{ id: string; partition: string }>(
      `INSERT INTO audit_log (action, objects, at) VALUES ('zone.created', '{}', ${at}) RETURNING id, tableoid::regclass AS partition`,
    );
  const partitions = async () =>
    (
      await database.any<{ name: string }>('SELECT partition::text AS name FROM audit_log_partitions() ORDER BY ends')
    ).map(({ name }) => name);
  /** The partition of the month `ahead` months from now. */
  const month = async (ahead: number) =>
    (
      await database.one<{ name: string }>(
        `SELECT to_char(now() AT TIME ZONE 'UTC' + make_interval(months => $1), '"audit_log_months.from_"YYYY_MM') AS name`,
        [ahead],
      )
    ).name;

  it('begin with this one and the next three; ids are in the order of recording', async () => {
    expect(await partitions()).to.deep.equal([await month(0), await month(1), await month(2), await month(3)]);
    const [first, second] = [await record('now()'), await record("now() + interval '1 month'")];
    expect([first.partition, second.partition]).to.deep.equal([await month(0), await month(1)]);
    expect(BigInt(second.id)).to.equal(BigInt(first.id) + 1n);
  });

  it('are created ahead by the clean-up, concurrently with writes and by many instances', async () => {
    const last = await month(3);
    await database.none('DROP TABLE $1:raw', [last]);
    await database.tx(async (transaction) => {
      await record('now()', transaction);
      await Promise.all([cleanUp(database), cleanUp(database)]);
      expect(await partitions()).to.include(last);
    });
    expect((await record(`now() + interval '3 months'`)).partition).to.equal(last);
  });

  it('lose no entry: one without a month goes to the default partition, as do later ones of that month', async () => {
    expect((await record(`now() + interval '4 months'`)).partition).to.equal('audit_log_months.rest');
    await database.any('SELECT make_audit_log_months(5)');
    expect((await partitions()).at(-1)).to.equal(await month(5));
    expect((await record(`now() + interval '4 months'`)).partition).to.equal('audit_log_months.rest');
  });

  it('are as immutable as the whole log', async () => {
    for (const partition of ['audit_log_months.rest', ...(await partitions())]) {
      for (const statement of ['TRUNCATE $1:raw', 'DELETE FROM $1:raw', 'UPDATE $1:raw SET actor_id = NULL']) {
        const isEmpty = (await database.any('SELECT FROM $1:raw', [partition])).length === 0;
        if (isEmpty && !statement.startsWith('TRUNCATE')) continue;
        const failure = await database.none(statement, [partition]).catch((reason: unknown) => reason);
        expect(failure, statement).to.have.property('message', 'the audit log takes new entries only');
      }
    }
  });
});
