import { defaultZoneSettings } from '@zonewright/core';
import type { Database, SentStatement } from '@zonewright/postgres';
import { expect } from 'chai';
import { aVerifiedUser, type User } from './support/arrange.ts';
import { rowsReadBy } from './support/plans.ts';
import { openService, type TestService } from './support/service.ts';

const page = 30;

/** Maximum rows and index entries per item of a page: the entries of three tags, and one lookup of the zone by id. */
const perItem = 8;

const sorts = ['name', 'tag', 'createdAt', 'updatedAt'].flatMap((key) =>
  ['asc', 'desc'].map((direction) => `order[${key}]=${direction}`),
);
const orders = ['', ...sorts, 'order[tag]=asc&order[name]=desc', 'order[name]=asc&order[createdAt]=desc'];
const filters = ['', 'tag=dev', 'tag[]=stage&tag[]=dev', 'organization'];

describe('A page of zones', function () {
  this.timeout(30_000);
  const sent: SentStatement[] = [];
  let service: TestService;
  let ada: User;
  let stranger: User;

  before(async () => {
    service = await openService({}, { onStatement: (statement) => void sent.push(statement) });
    [ada, stranger] = [await aVerifiedUser(service), await aVerifiedUser(service)];
    await addZones(service.database, ada, 3000);
  });
  after(() => service.close());

  const paths = () =>
    filters.flatMap((filter) => {
      const given = filter === 'organization' ? `organization=${ada.organization}` : filter;
      return orders.map((order) => `/api/zones?${given}&${order}`);
    });

  /** Rows read by the list statement of each path. */
  async function rowsRead(): Promise<Readonly<Record<string, number>>> {
    const rows: Record<string, number> = {};
    for (const path of paths()) {
      sent.length = 0;
      const { status, text } = await ada.get(path, { accept: 'application/json' });
      expect(status, text).to.equal(200);
      const list = sent.find(({ name }) => name?.startsWith('zones/list'));
      rows[path] = list === undefined ? Infinity : await rowsReadBy(service.database, list);
    }
    return rows;
  }

  it('costs as much as it shows, whatever else the caller and others have', async () => {
    await addZones(service.database, stranger, 100);
    for (const others of [0, 4000]) {
      if (others > 0) await addZones(service.database, stranger, others);
      for (const [path, rows] of Object.entries(await rowsRead())) expect(rows, path).to.be.below(perItem * page);
    }
  });
});

/** Batch size that stays within the statement timeout. */
const part = 1000;

/** Adds zones of the user: most are `prod`, with shuffled names and times. */
async function addZones(database: Database, { id, organization }: User, count: number): Promise<void> {
  for (let from = 0; from < count; from += part) {
    await database.none(
      `WITH added AS (
         INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash, created_by, created_at, updated_at)
         SELECT gen_random_uuid(), $<organization>, 'Z ' || key, 'z ' || key,
           CASE WHEN n % 100 = 0 THEN 'dev' WHEN n % 10 = 0 THEN 'stage' ELSE 'prod' END, 'ban_' || key || '0000', $<id>,
           now() - hashint4(n) % 1000000 * interval '1 second', now() - hashint4(n + 1) % 1000000 * interval '1 second'
         FROM (
           SELECT n, md5($<organization> || ' ' || $<count> || ' ' || n) AS key
           FROM generate_series($<from> + 1, least($<from> + $<part>, $<count>)) AS n
         ) AS made
         RETURNING id
       )
       INSERT INTO zone_settings (zone_id, settings) SELECT id, $<settings>::json FROM added`,
      { id, organization, count, from, part, settings: JSON.stringify(defaultZoneSettings) },
    );
  }
  await database.none('VACUUM ANALYZE');
}
