import { maxOpenBytes } from '@zonewright/core';
import type { SentStatement } from '@zonewright/postgres';
import { expect } from 'chai';
import { aVerifiedUser, aZone, type User } from './support/arrange.ts';
import type { Reply } from './support/client.ts';
import { openService, type TestService } from './support/service.ts';
import { aChangeSet, changeSetsOf, promotionsOf } from './support/zone-contents.ts';

/** As many as a zone can have, each with more text than a list may merge for a tenth of them. */
const [drafts, draftBytes] = [50, 300_000];
/** What a list may read of drafts, and of the zone, in bytes. */
const mostBytes = 2_500_000;

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

describe('The cost of drafts', function () {
  this.timeout(60_000);
  const sent: SentStatement[] = [];
  let service: TestService;
  let ada: User;

  before(async () => {
    service = await openService({}, { onStatement: (statement) => void sent.push(statement) });
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  async function statementsOf(request: () => Promise<Reply>) {
    sent.length = 0;
    const reply = await request();
    expect(reply.status, reply.text).to.be.within(200, 299);
    // Workers begin transactions, too.
    const statements = sent.filter(
      ({ name }) =>
        name !== undefined && !/^(?:outbox|clean-up|edge-feed|rollouts|domain-checks|rate-limits)\//.test(name),
    );
    return { statements, names: statements.map(({ name }) => name ?? ''), reply };
  }

  /** Text that every single draft has, in a member that conflicts with a later change of the zone. */
  const fill = (zone: string) =>
    service.database.none(
      `INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_at, updated_at, ends_at)
       SELECT gen_random_uuid(), $1, 'draft ' || n, 'draft ' || n, '', 1,
         json_build_object('zone_settings', json_build_object('cachingDefaultTtl', 100 + n, 'text', repeat('x', $3))),
         now(), now(), now() + interval '1 day'
       FROM generate_series(1, $2) AS n`,
      [zone, drafts, draftBytes],
    );

  it('does not grow with the texts of drafts in lists, which find out about all of them bit by bit', async () => {
    const zone = await aZone(ada);
    await fill(zone.id);
    const changed = await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { cachingDefaultTtl: 7 } });
    expect(changed.status, changed.text).to.equal(200);
    const paths = ['?itemsPerPage=1', '', '?status=conflicted', '?q=draft&status=open', '?itemsPerPage=100'];
    for (const query of [...paths, ...paths, ...paths]) {
      const { statements, names } = await statementsOf(() => ada.get(`${changeSetsOf(zone)}${query}`));
      expect(names.length, names.join()).to.be.at.most(15);
      const read = statements.filter(({ text }) => !/\bUPDATE\b/.test(text));
      let bytes = 0;
      for (const { text, values } of read) {
        bytes += JSON.stringify(await service.database.any(text, [...(values ?? [])])).length;
      }
      expect(bytes, query).to.be.within(1, mostBytes);
    }
    const listed = await ada.get(`${changeSetsOf(zone)}?itemsPerPage=100`, { accept: 'application/json' });
    const statuses = (listed.json() as readonly Listed[]).map(({ status }) => status);
    expect(statuses).to.deep.equal(Array.from({ length: drafts }, () => 'conflicted'));
    const { names } = await statementsOf(() => ada.get(`${changeSetsOf(zone)}?itemsPerPage=100`));
    expect(names.filter((name) => /by-ids|whole|trail|note/.test(name))).to.deep.equal([]);
  });

  it('is bounded by the bytes of all open drafts of a zone', async () => {
    const zone = await aZone(ada);
    await fill(zone.id);
    const draft = async () => {
      const patch = { zone_settings: { headersResponseSet: [{ name: 'X-Text', value: 'x'.repeat(400) }] } };
      const reply = await ada.post(changeSetsOf(zone), { patch });
      const { violations = [] } = reply.json() as { readonly violations?: readonly { readonly code: string }[] };
      return [reply.status, ...violations.map(({ code }) => code)];
    };
    await service.database.none(
      `UPDATE change_sets SET patch = json_build_object('text', repeat('x', $2)) WHERE zone_id = $1 AND title <> 'draft 1'`,
      [zone.id, Math.floor(maxOpenBytes / (drafts - 1)) - 10],
    );
    await service.database.none(`UPDATE change_sets SET ends_at = now() WHERE zone_id = $1 AND title = 'draft 1'`, [
      zone.id,
    ]);
    expect(await draft()).to.deep.equal([422, 'changeSet.bytes']);
    await service.database.none(`UPDATE change_sets SET ends_at = now() WHERE zone_id = $1 AND title = 'draft 2'`, [
      zone.id,
    ]);
    expect(await draft()).to.deep.equal([201]);
  });

  it('is no time while the zone is locked: nothing is read or computed then', async () => {
    const [zone, source] = [await aZone(ada), await aZone(ada)];
    const set = await aChangeSet(ada, zone);
    await ada.patch(`/api/zones/${source.id}`, { zone_settings: { minifyHtml: true } });
    await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { cachingDefaultTtl: 9 } });
    const path = `${changeSetsOf(zone)}/${set.id}`;
    const writes = [
      () => ada.post(changeSetsOf(zone), { patch: { zone_settings: { cachingStaticEnabled: true } } }),
      () => ada.patch(path, { patch: { zone_settings: { minifyHtml: true } } }),
      () => ada.patch(`/api/zones/${zone.id}`, { zone_settings: { cachingDefaultTtl: 10 } }),
      () => ada.post(`${path}/rebase`, {}),
      () => ada.post(promotionsOf(zone), { from: source.id }),
      () => ada.delete(path),
      () => ada.delete(`/api/zones/${zone.id}`),
    ];
    const afterLock = new Set<string>();
    for (const write of writes) {
      const { names } = await statementsOf(write);
      const lock = names.indexOf('zone-changes/lock.sql');
      if (lock !== -1) for (const name of names.slice(lock + 1)) afterLock.add(name);
    }
    expect([...afterLock]).to.have.members([
      'storage-quotas/of.sql',
      'change-sets/add.sql',
      'change-sets/save.sql',
      'change-sets/discard.sql',
      'promotions/open-like.sql',
      'promotions/add.sql',
      'audit-log/record.sql',
      'zones/remove.sql',
    ]);
  });
});
