import {
  type AuditAction,
  type AuditFilter,
  auditActions,
  type OrganizationId,
  type RecordedAuditEntry,
  ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { removeOrganization, rollBack, storedOwner } from '../arrangements/index.ts';
import { anAuditEntry, aUserId, uuid, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { goesOn, hold } from '../gate.ts';
import { readInPages } from '../pages.ts';
import { concurrently, okOf, raceSize, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const auditLogContract = contract('AuditLog contract', (storage) => {
  describe('record', () => recording(storage));
  describe('list', () => lists(storage));
});

type Entry = ReturnType<typeof anAuditEntry>;
const record = (storage: Storage, entry: Entry) => runUnit(storage, ({ auditLog }) => auditLog.record(entry));
const filterOf = (organization: OrganizationId, given: Partial<AuditFilter> = {}): AuditFilter => ({
  organization,
  actions: [],
  actor: undefined,
  since: undefined,
  until: undefined,
  ...given,
});
const entriesOf = (storage: Storage, filter: AuditFilter, page = wholeList) =>
  readView(storage, ({ auditLog }) => auditLog.list(filter, page));

function recording(storage: () => Storage): void {
  it('stores what it is given', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    const entry = anAuditEntry({
      action: 'configurationRule.changed',
      actor: aUserId(),
      credential: uuid(),
      organization,
      objects: { zone: uuid(), rule: uuid(), constructor: 'quote " and \\ and ☂' },
      client: { network: '2001:db8::/64', userAgent: 'Browser/1.0 (☂)' },
    });
    await record(storage(), entry);
    const { items, totalItems } = await entriesOf(storage(), filterOf(organization));
    expect(totalItems).to.equal(1);
    const { id, at, ...rest } = items[0]!;
    expect(rest).to.deep.equal(entry);
    expect(id).to.be.a('string').and.not.equal('');
    expect(at).to.be.an.instanceOf(Date);
  });

  it('stores an event with few known facts', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    const entry = anAuditEntry({ organization });
    await record(storage(), entry);
    const { id: _, at: __, ...rest } = (await entriesOf(storage(), filterOf(organization))).items[0]!;
    expect(rest).to.deep.equal(entry);
  });

  it('accepts every action of the domain', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    for (const action of auditActions) await record(storage(), anAuditEntry({ action, organization }));
    const pages = await Promise.all(
      [1, 2].map((page) => entriesOf(storage(), filterOf(organization), { ...wholeList, page })),
    );
    const actions = pages.flatMap(({ items }) => items.map(({ action }) => action));
    expect(actions).to.deep.equal(auditActions.toReversed());
  });

  it('records nothing in a unit that is rolled back', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    await rollBack(storage(), ({ auditLog }) => auditLog.record(anAuditEntry({ organization })));
    expect(await entriesOf(storage(), filterOf(organization))).to.deep.equal({ items: [], totalItems: 0 });
  });

  it('keeps the entries of a deleted organization', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    await record(storage(), anAuditEntry({ organization }));
    await removeOrganization(storage(), organization);
    expect((await entriesOf(storage(), filterOf(organization))).totalItems).to.equal(1);
  });

  it('gives twenty concurrent entries distinct ids', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    await concurrently(raceSize, () => record(storage(), anAuditEntry({ organization })));
    const { items } = await entriesOf(storage(), filterOf(organization));
    expect(new Set(items.map(({ id }) => id))).to.have.property('size', raceSize);
  });

  it('does not block concurrent writers', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    const held = await hold(storage(), ({ auditLog }) => auditLog.record(anAuditEntry({ organization })));
    const other = record(storage(), anAuditEntry({ organization }));
    expect(await goesOn(storage(), other)).to.equal(true);
    await okOf(held.release(({ auditLog }) => auditLog.record(anAuditEntry({ organization }))));
    await other;
    expect((await entriesOf(storage(), filterOf(organization))).totalItems).to.equal(3);
  });
}

function lists(storage: () => Storage): void {
  const [ada, grace] = [aUserId(), aUserId()];

  /** Four entries of an organization, a minute apart; newest first, as in lists. */
  async function fourEntries() {
    const { organizationId: organization } = await storedOwner(storage());
    const events: readonly (readonly [AuditAction, typeof ada])[] = [
      ['zone.created', ada],
      ['zone.deleted', ada],
      ['member.removed', grace],
      ['zone.created', grace],
    ];
    for (const [action, actor] of events) {
      await record(storage(), anAuditEntry({ action, actor, organization }));
      await storage().passTime(60);
    }
    const { items } = await entriesOf(storage(), filterOf(organization));
    return { organization, items };
  }
  const idsOf = (items: readonly RecordedAuditEntry[]) => items.map(({ id }) => id);

  it('lists the entries of the organization, newest first', async () => {
    const { organization, items } = await fourEntries();
    await record(storage(), anAuditEntry({ organization: (await storedOwner(storage())).organizationId }));
    await record(storage(), anAuditEntry());
    expect(items.map(({ action, actor }) => [action, actor])).to.deep.equal([
      ['zone.created', grace],
      ['member.removed', grace],
      ['zone.deleted', ada],
      ['zone.created', ada],
    ]);
    expect((await entriesOf(storage(), filterOf(organization))).totalItems).to.equal(4);
    for (const [index, { at }] of items.entries()) {
      if (index > 0) expect(items[index - 1]!.at.getTime() - at.getTime()).to.be.within(59_000, 70_000);
    }
  });

  it('returns the requested page, always with the total', async () => {
    const { organization, items } = await fourEntries();
    const read = await readInPages((page) => entriesOf(storage(), filterOf(organization), page));
    expect(idsOf(read)).to.deep.equal(idsOf(items));
  });

  const filters: readonly (readonly [
    what: string,
    given: (items: readonly RecordedAuditEntry[]) => Partial<AuditFilter>,
    expected: readonly number[],
  ])[] = [
    ['one action', () => ({ actions: ['zone.created'] }), [0, 3]],
    ['several actions', () => ({ actions: ['zone.deleted', 'member.removed'] }), [1, 2]],
    ['an action without entries', () => ({ actions: ['organization.changed'] }), []],
    ['an actor', () => ({ actor: ada }), [2, 3]],
    ['an unknown actor', () => ({ actor: aUserId() }), []],
    ['a start time, inclusive', (items) => ({ since: items[1]!.at }), [0, 1]],
    ['an end time, exclusive', (items) => ({ until: items[1]!.at }), [2, 3]],
    [
      'everything together',
      (items) => ({ actions: ['zone.created', 'zone.deleted'], actor: ada, since: items[2]!.at, until: items[1]!.at }),
      [2],
    ],
  ];
  for (const [what, given, expected] of filters) {
    it(`filters by ${what}`, async () => {
      const { organization, items } = await fourEntries();
      const found = await entriesOf(storage(), filterOf(organization, given(items)));
      expect(idsOf(found.items)).to.deep.equal(expected.map((index) => items[index]!.id));
      expect(found.totalItems).to.equal(expected.length);
    });
  }

  it('leaves out entries about other zones than the given ones', async () => {
    const { organizationId: organization } = await storedOwner(storage());
    const zones = [ZoneId.parse(uuid()), ZoneId.parse(uuid())];
    for (const objects of [{ zone: zones[0]! }, { zone: zones[1]! }, { member: uuid() }]) {
      await record(storage(), anAuditEntry({ organization, objects }));
    }
    const found = await entriesOf(storage(), filterOf(organization, { zones: [zones[1]!] }));
    expect(found.items.map(({ objects: { zone } }) => zone)).to.deep.equal([undefined, zones[1]]);
    expect(found.totalItems).to.equal(2);
  });
}
