import { administration, OrganizationId, ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import { expensiveRules, largePages, mostRules } from './abuse/largest-zone.ts';
import { aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import type { Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { openService, type TestService } from './support/service.ts';
import {
  type ChangeSetBody,
  changeSetsOf,
  listOf,
  orderedLists,
  promotionsOf,
  type RuleListName,
} from './support/zone-contents.ts';

const json = { accept: 'application/json' };

const done = async (reply: Promise<Reply>): Promise<Reply> => {
  const { status, text } = await reply;
  expect(status, text.slice(0, 500)).to.be.within(200, 204);
  return reply;
};

/** What one request may write, on average and with indexes. */
const mostBytes = 40_000;

/** Replaces a list with so many rules with long conditions. */
async function fillList(user: User, zone: ZoneBody, list: RuleListName, count: number): Promise<void> {
  const body = JSON.stringify(expensiveRules(list, count));
  const headers = { ...json, 'content-type': 'application/json', 'if-match': '*' };
  await done(user.send('PUT', listOf(zone, list), { headers, body }));
}

/** Fills a zone with long texts. */
async function fill(user: User, zone: ZoneBody): Promise<void> {
  await done(user.patch(`/api/zones/${zone.id}`, { zone_settings: largePages(1) }));
  for (const list of orderedLists) await fillList(user, zone, list, mostRules[list]);
}

/** Promotes one zone into another. Resolves to the path of the change set. */
const promote = async (user: User, from: ZoneBody, to: ZoneBody, body: object = {}): Promise<string> => {
  const reply = await done(user.post(promotionsOf(to), { from: from.id, ...body }, json));
  return (reply.json() as { readonly changeSet: string }).changeSet;
};

const setAt = async (user: User, path: string) => {
  const reply = await done(user.get(path, json));
  return { text: reply.text, ...(reply.json() as ChangeSetBody) };
};

/** The patch as text, with ids by their first occurrence: each promotion makes new ones. */
const comparable = (patch: object): string => {
  const ids = new Map<string, string>();
  return JSON.stringify(patch).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
    return ids.get(id) ?? '';
  });
};

describe('The change set of a promotion of the largest zone', function () {
  this.timeout(60_000);
  const sent: string[] = [];
  let service: TestService;
  let ada: User;
  let dev: ZoneBody;
  let prod: ZoneBody;

  before(async () => {
    service = await openService({}, { onStatement: ({ name }) => void sent.push(name ?? '') });
    ada = await aVerifiedUser(service);
    [dev, prod] = [await aZone(ada, { tag: 'dev' }), await aZone(ada)];
    await fill(ada, dev);
  });
  after(() => service.close());

  /** Of all tables with their indexes. */
  const storedBytes = async () => {
    const { bytes } = await service.database.one<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
       WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace`,
    );
    return Number(bytes);
  };

  it('takes less than 40 KB with its promotion, and is read as a whole', async () => {
    // The first one creates files.
    await promote(ada, dev, prod, { title: 'a' });
    const before = await storedBytes();
    const paths = [];
    for (const title of ['b', 'c']) paths.push(await promote(ada, dev, prod, { title }));
    expect(((await storedBytes()) - before) / paths.length).to.be.below(mostBytes);
    const { text } = await setAt(ada, paths[0] ?? '');
    expect(text.length).to.be.above(2_000_000);
    expect(text).not.to.include('[[');
  });

  it('is listed and discarded without its lender', async () => {
    const path = await promote(ada, dev, prod, { title: 'b' });
    await done(ada.patch(`/api/zones/${prod.id}`, { zone_settings: { minifyHtml: true } }));
    sent.length = 0;
    await done(ada.get(changeSetsOf(prod)));
    await done(ada.delete(path));
    expect(sent.filter((name) => /by-ids|trail/.test(name))).to.deep.equal([]);
  });
});

describe('What the change set of a promotion leaves to its source', () => {
  let service: MemoryService;
  let ada: User;
  let dev: ZoneBody;
  let prod: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    [dev, prod] = [await aZone(ada, { tag: 'dev' }), await aZone(ada)];
    for (const list of orderedLists) await fillList(ada, dev, list, 8);
    // Values in the order of their last change.
    const [rule] = (await done(ada.get(listOf(dev, 'accessRules'), json))).json() as readonly { readonly id: string }[];
    const changes = { conditions: expensiveRules('accessRules', 9)[8]?.['conditions'], action: 'allow' };
    await done(ada.patch(`${listOf(dev, 'accessRules')}/${rule?.id}`, changes));
  });
  after(() => service.close());

  const storedOf = (path: string) =>
    service.inTables(({ changeSets }) => [...changeSets.values()].find(({ id }) => path.endsWith(id)));
  const deleteZone = async (zone: ZoneBody) => {
    await done(ada.delete(`/api/zones/${zone.id}`));
  };

  const apply = (path = '') => ada.post(`${path}/apply`, {}, { 'if-match': '*' });
  const change = async (zone: ZoneBody, conditions: unknown) => {
    const list = listOf(zone, 'accessRules');
    const [rule] = (await done(ada.get(list, json))).json() as readonly { readonly id: string }[];
    await done(ada.patch(`${list}/${rule?.id}`, { conditions }));
  };
  /** Two promotions of a change of a rule, after the first one was applied. */
  const twoOfOneChange = async () => {
    await done(apply(await promote(ada, dev, prod)));
    await change(dev, expensiveRules('configurationRules', 2)[1]?.['conditions']);
    return [await promote(ada, dev, prod, { title: 'a' }), await promote(ada, dev, prod, { title: 'b' })];
  };

  it('is filled in exactly as it was computed', async () => {
    const path = await promote(ada, dev, prod);
    expect(storedOf(path)?.lender).to.deep.include({ zone: dev.id });
    expect(storedOf(path)?.patch.text.length).to.be.below(5000);
    const { patch } = await setAt(ada, path);
    await done(ada.delete(path));
    // Without a history to refer to, the same promotion is stored as a whole.
    service.inTables(({ revisions }) => void revisions.delete(ZoneId.parse(dev.id)));
    const whole = await promote(ada, dev, prod);
    expect(storedOf(whole)?.lender).to.equal(undefined);
    expect(comparable(patch)).to.equal(comparable(JSON.parse(storedOf(whole)?.patch.text ?? '')));
  });

  it('stays the same when the source changes, and is still there when it is deleted', async () => {
    const path = await promote(ada, dev, prod);
    const { text } = await setAt(ada, path);
    await fillList(ada, dev, 'accessRules', 1);
    expect((await setAt(ada, path)).text).to.equal(text);
    await deleteZone(dev);
    expect((await setAt(ada, path)).text).to.equal(text);
  });

  it('is part of the set once it is applied', async () => {
    const path = await promote(ada, dev, prod);
    const { patch } = await setAt(ada, path);
    const rulesOf = async (zone: ZoneBody) =>
      (
        (await done(ada.get(listOf(zone, 'accessRules'), json))).json() as readonly Readonly<Record<string, unknown>>[]
      ).map(({ name, conditions }) => ({ name, conditions }));
    const rules = await rulesOf(dev);
    await deleteZone(dev);
    await done(apply(path));
    expect(await rulesOf(prod)).to.deep.equal(rules);
    expect(storedOf(path)).to.deep.include({ lender: undefined });
    expect(storedOf(path)?.patch.text).to.equal(JSON.stringify(patch));
  });

  it('is read to list what conflicts, unless that takes too long', async () => {
    const paths = await twoOfOneChange();
    service.inTables(({ changeSets }) => {
      const row = [...changeSets.values()].find(({ id }) => paths[1]?.endsWith(id));
      if (row?.lender) changeSets.set(row.id, { ...row, lender: { ...row.lender, characters: 3_000_000 } });
    });
    await change(prod, { logic: 'or', conditions: [{ field: 'uri', operator: 'contains', value: 'a' }] });
    const listed = await done(ada.get(`${changeSetsOf(prod)}?order[createdAt]=asc`, json));
    const statuses = (listed.json() as readonly ChangeSetBody[]).map(({ status }) => status);
    expect(statuses).to.deep.equal(['applied', 'conflicted', 'open']);
    expect((await setAt(ada, paths[1] ?? '')).status).to.equal('conflicted');
  });

  it('counts towards the quota once the set is applied, even if there is nothing left to change', async () => {
    const paths = await twoOfOneChange();
    const used = async () => {
      const { storage } = (await done(ada.get(`/api/organizations/${ada.organization}`))).json() as {
        readonly storage: { readonly used: number };
      };
      return storage.used;
    };
    const limit = async (storageBytes: number) => {
      const organization = OrganizationId.parse(ada.organization);
      const operator = { network: undefined, userAgent: 'test' };
      await administration(service).changeOrganizationLimits(operator, organization, { storageBytes });
    };
    await done(apply(paths[0]));
    const before = await used();
    await limit(before + 1000);
    const refused = await apply(paths[1]);
    expect([refused.status, refused.text.includes('organization.storage.limit')], refused.text).to.deep.equal([
      422,
      true,
    ]);
    await limit(1_000_000_000);
    await done(apply(paths[1]));
    expect((await used()) - before).to.be.above(5000);
  });

  it('cannot be applied without it by a version that knows of no lenders', async () => {
    const path = await promote(ada, dev, prod);
    service.inTables(({ changeSets }) => {
      const row = storedOf(path);
      if (row) changeSets.set(row.id, { ...row, lender: undefined });
    });
    await done(ada.get(path));
    await done(ada.get(changeSetsOf(prod)));
    const refused = [await apply(path), await ada.get(`${path}/findings`), await ada.post(`${path}/rebase`, {})];
    expect(refused.map(({ status }) => status)).to.deep.equal([422, 422, 422]);
    expect(refused[0]?.text).to.include('accessRules.items');
    await done(ada.delete(path));
  });

  const writes: readonly (readonly [what: string, write: (path: string) => Promise<Reply>])[] = [
    ['written again', (path) => ada.patch(path, { title: 'Another' })],
    ['rebased', (path) => ada.post(`${path}/rebase`, {})],
  ];
  for (const [what, write] of writes)
    it(`is part of the set once it is ${what}`, async () => {
      const path = await promote(ada, dev, prod);
      const { patch } = await setAt(ada, path);
      await done(ada.patch(`/api/zones/${prod.id}`, { zone_settings: { cachingDefaultTtl: 7 } }));
      await done(write(path));
      expect(storedOf(path)).to.deep.include({ lender: undefined });
      expect((await setAt(ada, path)).patch).to.deep.equal(patch);
    });
});
