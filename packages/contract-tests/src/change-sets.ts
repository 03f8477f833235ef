import {
  type AppliedChangeSet,
  ChangeSetDescription,
  type ChangeSetFilter,
  ChangeSetId,
  type ChangeSetSort,
  ChangeSetTitle,
  changeSetLifetimeSeconds,
  defaultUsageLimits,
  jsonDocument,
  type MergeRecord,
  maxOpenBytes,
  type NewChangeSet,
  type StoredChangeSet,
  type ZonePlan,
} from '@zonewright/core';
import { expect } from 'chai';
import { applied, applying, type OwnedZone, removed, storedMember, storedZone } from './arrangements.ts';
import { aChange, aZoneId, wholeList } from './builders.ts';
import { draftRaces } from './draft-races.ts';
import { contract } from './fresh-storage.ts';
import { goesOn, hold } from './gate.ts';
import { concurrently, errorOf, okOf, raceSize, readView, runUnit, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const changeSetsContract = contract('ChangeSets contract', (storage) => {
  describe('add', () => addition(storage));
  describe('save and discard', () => writes(storage));
  describe('list', () => listing(storage));
  describe('merges', () => merges(storage));
  describe('the room for open sets', () => room(storage));
  describe('concurrent writes', () => draftRaces(storage));
  describe('the application to a zone', () => application(storage));
});

let made = 0;
const aSetId = (): ChangeSetId => {
  made += 1;
  return ChangeSetId.parse(`0197c4e3-0000-7000-8000-${String(made).padStart(12, '0')}`);
};

/** What a merge with the first revision of a zone found out. */
export const aMerge = (given: Partial<MergeRecord> = {}): MergeRecord => ({
  zoneRevision: 1,
  isConflicted: false,
  characters: 100,
  ...given,
});

/** The limits of a zone with room for everything. */
const roomy = { sets: defaultUsageLimits.changeSets, bytes: maxOpenBytes };

const aSet = (
  { zone, userId }: Pick<OwnedZone, 'zone' | 'userId'>,
  given: Partial<NewChangeSet> = {},
): NewChangeSet => ({
  id: aSetId(),
  zoneId: zone.id,
  title: ChangeSetTitle.parse('A title'),
  description: ChangeSetDescription.parse('Several\nlines'),
  base: 1,
  patch: jsonDocument({ zone_settings: { b: null, a: [1, null] } }),
  operations: undefined,
  createdBy: userId,
  merge: aMerge(),
  ...given,
});

/** Adds a set like the use case, which locks the zone. */
export const added = (storage: Storage, owned: OwnedZone, given: Partial<NewChangeSet> = {}) =>
  storage.unitOfWork.run(({ changeSets, zoneChanges }) =>
    zoneChanges.lock(owned.zone.id, owned.userId).andThen(() => changeSets.add(aSet(owned, given), roomy)),
  );

async function addedOneByOne(storage: Storage, owned: OwnedZone, count: number): Promise<readonly StoredChangeSet[]> {
  const sets: StoredChangeSet[] = [];
  while (sets.length < count) sets.push(await okOf(added(storage, owned)));
  return sets;
}

async function zoneWithSet(storage: Storage, given: Partial<NewChangeSet> = {}) {
  const owned = await storedZone(storage);
  return { ...owned, set: await okOf(added(storage, owned, given)) };
}

const read = (storage: Storage, { zoneId, id }: Pick<NewChangeSet, 'zoneId' | 'id'>) =>
  readView(storage, ({ changeSets }) => changeSets.byId(zoneId, id));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function addition(storage: () => Storage): void {
  it('stores what it is given, including texts', async () => {
    const owned = await storedZone(storage());
    const operations = jsonDocument([
      { op: 'delete', id: 'Ünïcode' },
      { op: 'settings', patch: { a: null } },
    ]);
    const { patch, ...wanted } = aSet(owned, { operations, base: 7 });
    const set = await okOf(added(storage(), owned, { ...wanted, patch }));
    const { operations: _, ...others } = wanted;
    expect(set).to.deep.include({ ...others, status: 'open', application: undefined, revision: 1 });
    expect([set.patch.text, set.operations?.text]).to.deep.equal([patch.text, operations.text]);
    expect(Number(set.endsAt) - Number(set.createdAt)).to.equal(changeSetLifetimeSeconds * 1000);
    expect(plain(await read(storage(), set))).to.deep.equal(plain(set));
  });

  it('allows fifty open ones per zone, however many are added at once', async () => {
    const owned = await storedZone(storage());
    const other = await storedZone(storage());
    await addedOneByOne(storage(), owned, defaultUsageLimits.changeSets - 5);
    const results = await concurrently(raceSize, () => added(storage(), owned));
    expect(tally(results)).to.deep.equal({ Ok: 5, TooManyChangeSets: raceSize - 5 });
    await okOf(added(storage(), other));
    await storage().passTime(changeSetLifetimeSeconds + 1);
    await okOf(added(storage(), owned));
  });

  it('finds none of another zone, and keeps those of a restorable zone', async () => {
    const { set } = await zoneWithSet(storage());
    const { zone } = await storedZone(storage());
    const missing = (zoneId: typeof set.zoneId) =>
      errorOf(storage().unitOfWork.view(({ changeSets }) => changeSets.byId(zoneId, set.id)));
    expect(await missing(zone.id)).to.deep.equal({ type: 'ChangeSetNotFound' });
    expect(await missing(aZoneId())).to.deep.equal({ type: 'ChangeSetNotFound' });
    await runUnit(storage(), (each) => removed(each, set.zoneId));
    const kept = await readView(storage(), ({ changeSets }) => changeSets.byId(set.zoneId, set.id));
    expect(kept.id).to.equal(set.id);
  });
}

function writes(storage: () => Storage): void {
  it('write title, description and content, increment the revision and restart the lifetime', async () => {
    const { set } = await zoneWithSet(storage(), { operations: jsonDocument([]) });
    await storage().passTime(100);
    const wanted = {
      title: ChangeSetTitle.parse('Another'),
      description: ChangeSetDescription.parse(''),
      base: 3,
      patch: jsonDocument({ zone_settings: { c: 1 } }),
    };
    const saved = await runUnit(storage(), ({ changeSets }) =>
      changeSets.save({ ...set, ...wanted, operations: undefined, merge: aMerge() }, maxOpenBytes),
    );
    const { patch, ...members } = wanted;
    expect(saved).to.deep.include({ ...members, revision: 2, operations: undefined });
    expect(saved.patch.text).to.equal(patch.text);
    expect(Number(saved.endsAt) - Number(saved.updatedAt)).to.equal(changeSetLifetimeSeconds * 1000);
    expect(Number(saved.updatedAt)).to.be.greaterThan(Number(saved.createdAt));
    expect(plain(await read(storage(), set))).to.deep.equal(plain(saved));
  });

  it('discard it, as happens automatically after 30 days', async () => {
    const { set } = await zoneWithSet(storage());
    const other = await zoneWithSet(storage());
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(set));
    expect(await read(storage(), set)).to.deep.include({ status: 'discarded', revision: 2 });
    await storage().passTime(changeSetLifetimeSeconds - 60);
    expect((await read(storage(), other.set)).status).to.equal('open');
    await storage().passTime(61);
    expect((await read(storage(), other.set)).status).to.equal('discarded');
  });

  const endings: readonly (readonly [
    what: string,
    end: (of: Awaited<ReturnType<typeof zoneWithSet>>) => Promise<unknown>,
  ])[] = [
    [
      'at another revision',
      ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.save({ ...set, merge: aMerge() }, maxOpenBytes)),
    ],
    ['discarded', ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.discard(set))],
    ['expired', () => storage().passTime(changeSetLifetimeSeconds + 1)],
    ['applied', (of) => applySet(storage(), of)],
  ];
  for (const [what, end] of endings) {
    it(`write nothing if it is ${what}`, async () => {
      const of = await zoneWithSet(storage());
      await end(of);
      const before = plain(await read(storage(), of.set));
      // At its current revision, unless that is what is being tested.
      const { revision } = what === 'at another revision' ? of.set : await read(storage(), of.set);
      const late = { ...of.set, revision };
      const { unitOfWork } = storage();
      expect(
        await errorOf(unitOfWork.run(({ changeSets }) => changeSets.save({ ...late, merge: aMerge() }, maxOpenBytes))),
      ).to.deep.equal({
        type: 'ChangeSetClosed',
      });
      expect(await errorOf(unitOfWork.run(({ changeSets }) => changeSets.discard(late)))).to.deep.equal({
        type: 'ChangeSetClosed',
      });
      expect(plain(await read(storage(), of.set))).to.deep.equal(before);
    });
  }
}

function listing(storage: () => Storage): void {
  const everything: ChangeSetFilter = { statuses: [], createdBy: undefined, search: undefined };

  /** Four sets with titles, oldest first: open, open, discarded and applied. */
  async function zoneWithFour() {
    const owned = await storedZone(storage());
    const editor = await storedMember(storage(), owned.organizationId, 'editor');
    const titles = ['Shöp 100%', 'blog', 'SHÖP 2', 'cart'];
    const sets: StoredChangeSet[] = [];
    for (const title of titles) {
      await storage().passTime(10);
      const createdBy = title === 'blog' ? editor.userId : owned.userId;
      sets.push(await okOf(added(storage(), owned, { title: ChangeSetTitle.parse(title), createdBy })));
    }
    const [first, , third, fourth] = sets;
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(third!));
    await applySet(storage(), { ...owned, set: fourth! });
    await storage().passTime(10);
    await runUnit(storage(), ({ changeSets }) => changeSets.save({ ...first!, merge: aMerge() }, maxOpenBytes));
    return { ...owned, editor, sets };
  }

  it('filters and sorts, without reading patches', async () => {
    const { zone, sets, editor } = await zoneWithFour();
    const [shop, blog, , cart] = sets;
    const conflict = aMerge({ isConflicted: true });
    for (const { id, zoneId } of [blog!, cart!]) {
      const { revision } = await read(storage(), { id, zoneId });
      await runUnit(storage(), ({ changeSets }) =>
        changeSets.noteMerges([{ id, revision, merge: { ...conflict, zoneRevision: 2 } }]),
      );
    }
    const cases: readonly (readonly [Partial<ChangeSetFilter>, readonly ChangeSetSort[], readonly string[]])[] = [
      [{}, [], ['cart', 'SHÖP 2', 'blog', 'Shöp 100%']],
      [{}, [{ key: 'createdAt', direction: 'asc' }], ['Shöp 100%', 'blog', 'SHÖP 2', 'cart']],
      [{}, [{ key: 'createdAt', direction: 'desc' }], ['cart', 'SHÖP 2', 'blog', 'Shöp 100%']],
      [{ search: 'shöp' }, [{ key: 'updatedAt', direction: 'desc' }], ['Shöp 100%', 'SHÖP 2']],
      [{ search: 'shöp' }, [{ key: 'updatedAt', direction: 'asc' }], ['SHÖP 2', 'Shöp 100%']],
      [{ search: '0%' }, [], ['Shöp 100%']],
      [{ search: '_' }, [], []],
      [{ createdBy: editor.userId }, [], ['blog']],
      [{ statuses: ['open'] }, [], ['Shöp 100%']],
      [{ statuses: ['conflicted'] }, [], ['blog']],
      [{ statuses: ['applied', 'discarded'] }, [], ['cart', 'SHÖP 2']],
    ];
    for (const [filter, sort, titles] of cases) {
      const found = await readView(storage(), ({ changeSets }) =>
        changeSets.list(zone.id, { ...everything, ...filter }, sort, wholeList),
      );
      expect(
        found.items.map(({ title }) => title),
        JSON.stringify([filter, sort]),
      ).to.deep.equal(titles);
      expect(found.totalItems).to.equal(titles.length);
      for (const item of found.items) expect(item).not.to.have.any.keys('patch', 'operations');
    }
    const page = await readView(storage(), ({ changeSets }) =>
      changeSets.list(zone.id, everything, [], { page: 2, itemsPerPage: 3 }),
    );
    expect([page.items.map(({ id }) => id), page.totalItems]).to.deep.equal([[shop!.id], 4]);
  });

  it('reads those of the zone in whole by their ids', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const [first, second] = await addedOneByOne(storage(), owned, 3);
    const foreign = await okOf(added(storage(), other));
    const ids = [first!.id, second!.id, foreign.id, aSetId()];
    const found = await readView(storage(), ({ changeSets }) => changeSets.byIds(owned.zone.id, ids));
    expect(plain(found.toSorted((one, another) => (one.id < another.id ? -1 : 1)))).to.deep.equal(
      plain([first, second]),
    );
  });
}

function merges(storage: () => Storage): void {
  const noted = ({ id, revision }: StoredChangeSet, merge: MergeRecord) =>
    runUnit(storage(), ({ changeSets }) => changeSets.noteMerges([{ id, revision, merge }]));

  it('are what was found out when the set was written, or later, but never earlier', async () => {
    const { set } = await zoneWithSet(storage());
    expect(set.merge).to.deep.equal(aMerge());
    const later = aMerge({ zoneRevision: 5, isConflicted: true });
    await noted(set, later);
    await noted(set, aMerge({ zoneRevision: 4 }));
    const found = await read(storage(), set);
    expect(found.merge).to.deep.equal(later);
    expect(plain({ ...found, merge: undefined })).to.deep.equal(plain({ ...set, merge: undefined }));
  });

  it('are about the set as it is: nothing is noted about an earlier revision, and a discarded set has none', async () => {
    const { set } = await zoneWithSet(storage());
    const merge = aMerge({ zoneRevision: 3 });
    const saved = await runUnit(storage(), ({ changeSets }) => changeSets.save({ ...set, merge }, maxOpenBytes));
    expect(saved.merge).to.deep.equal(merge);
    await noted(set, aMerge({ zoneRevision: 9, isConflicted: true }));
    expect((await read(storage(), set)).merge).to.deep.equal(merge);
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(saved));
    expect((await read(storage(), set)).merge).to.equal(undefined);
  });

  it('are noted without waiting for a unit that changes the set', async () => {
    const { set } = await zoneWithSet(storage());
    const held = await hold(storage(), ({ changeSets }) => changeSets.discard(set));
    const { id, revision } = set;
    const noting = storage().unitOfWork.single(({ changeSets }) =>
      changeSets.noteMerges([{ id, revision, merge: aMerge({ zoneRevision: 2 }) }]),
    );
    expect(await goesOn(storage(), noting)).to.equal(true);
    await okOf(held.release());
  });
}

function room(storage: () => Storage): void {
  const patchOf = (bytes: number) => jsonDocument({ zone_settings: { text: 'x'.repeat(bytes) } });
  const limits = { sets: 50, bytes: 10_000 };
  const adding = (owned: OwnedZone, bytes: number) =>
    storage().unitOfWork.run(({ changeSets, zoneChanges }) =>
      zoneChanges
        .lock(owned.zone.id, owned.userId)
        .andThen(() => changeSets.add(aSet(owned, { patch: patchOf(bytes) }), limits)),
    );
  const saving = (set: StoredChangeSet, bytes: number, maxBytes = limits.bytes) =>
    storage().unitOfWork.run(({ changeSets }) =>
      changeSets.save({ ...set, patch: patchOf(bytes), merge: aMerge() }, maxBytes),
    );

  it('is left by closed sets and those of other zones', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const set = await okOf(adding(owned, 6000));
    expect(set.bytes).to.equal(set.patch.text.length);
    await okOf(adding(other, 6000));
    expect(await errorOf(adding(owned, 6000))).to.deep.equal({ type: 'ChangeSetsTooLarge' });
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(set));
    await okOf(adding(owned, 6000));
  });

  it('is not exceeded by sets that are added at once', async () => {
    const owned = await storedZone(storage());
    const results = await concurrently(raceSize, () => adding(owned, 3000));
    expect(tally(results)).to.deep.equal({ Ok: 3, ChangeSetsTooLarge: raceSize - 3 });
  });

  it('is needed by a set that grows, but not by one that shrinks', async () => {
    const owned = await storedZone(storage());
    const first = await okOf(adding(owned, 6000));
    await okOf(adding(owned, 3000));
    expect(await errorOf(saving(first, 8000))).to.deep.equal({ type: 'ChangeSetsTooLarge' });
    const larger = await okOf(saving(first, 20_000, maxOpenBytes));
    expect((await okOf(saving(larger, 15_000))).bytes).to.be.greaterThan(15_000);
  });
}

type WithSet = Awaited<ReturnType<typeof zoneWithSet>>;

const factsOf = (storage: Storage, { zone, userId }: OwnedZone) =>
  readView(storage, ({ zoneChanges }) => zoneChanges.facts(zone.id, userId));

/** Applies a set to its zone, based on facts read earlier. */
const attempt = (
  storage: Storage,
  facts: Awaited<ReturnType<typeof factsOf>>,
  { id, revision }: WithSet['set'],
  plan: ZonePlan = { banToken: 'ban_by-a-set' },
  whole?: AppliedChangeSet['whole'],
) => {
  const changeSet = { id, revision, isAlone: Object.keys(plan).length === 0, whole };
  return storage.unitOfWork.single(({ zoneChanges }) =>
    applying(zoneChanges, facts, [], { ...aChange(plan), changeSet }),
  );
};

/** Applies a set to its zone. */
export const applySet = async (storage: Storage, of: WithSet, plan?: ZonePlan, whole?: AppliedChangeSet['whole']) =>
  okOf(attempt(storage, await factsOf(storage, of), of.set, plan, whole));

function application(storage: () => Storage): void {
  const plans = [
    ['a change', { banToken: 'ban_by-a-set' }, 2],
    ['nothing to change', {}, 1],
  ] as const satisfies readonly (readonly [string, ZonePlan, number])[];

  for (const [what, plan, revision] of plans) {
    it(`marks the set with ${what} as applied, and creates a revision if there is something to change`, async () => {
      const of = await zoneWithSet(storage());
      await applySet(storage(), of, plan);
      const set = await read(storage(), of.set);
      const application = { revision, by: of.userId, at: set.updatedAt };
      expect(set).to.deep.include({ status: 'applied', application, revision: 2 });
      const { state } = await factsOf(storage(), of);
      expect(state.zone.revision).to.equal(revision);
      const { totalItems } = await readView(storage(), ({ history }) => history.list(of.zone.id, wholeList));
      expect(totalItems, 'revisions after the creation').to.equal(revision - 1);
    });

    const reasons: readonly (readonly [why: string, change: (of: WithSet) => Promise<unknown>])[] = [
      [
        'was changed',
        ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.save({ ...set, merge: aMerge() }, maxOpenBytes)),
      ],
      ['was discarded', ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.discard(set))],
      ['was applied', (of) => applySet(storage(), of, {})],
      ['ended', () => storage().passTime(changeSetLifetimeSeconds + 1)],
      [
        'belongs to a zone that changed',
        ({ zone }) => runUnit(storage(), (each) => applied(each, zone.id, () => ({ banToken: 'ban_2' }))),
      ],
      [
        'belongs to a zone in which the user has another role',
        (of) => storage().setRole(of.organizationId, of.userId, 'viewer'),
      ],
    ];
    for (const [why, change] of reasons) {
      it(`has no effect (${what}) if the set ${why}`, async () => {
        const of = await zoneWithSet(storage());
        const facts = await factsOf(storage(), of);
        await change(of);
        const before = [await read(storage(), of.set), (await factsOf(storage(), of)).state.zone];
        const revision = before[0]?.revision ?? 0;
        const late = why === 'was changed' ? of.set : { ...of.set, revision };
        expect(await errorOf(attempt(storage(), facts, late, plan))).to.deep.equal({ type: 'Superseded' });
        const after = [await read(storage(), of.set), (await factsOf(storage(), of)).state.zone];
        expect(plain(after)).to.deep.equal(plain(before));
      });
    }

    it(`happens once, however often it is tried concurrently (${what})`, async () => {
      const of = await zoneWithSet(storage());
      const facts = await factsOf(storage(), of);
      const results = await concurrently(raceSize, () => attempt(storage(), facts, of.set, plan));
      expect(tally(results)).to.deep.equal({ Ok: 1, Superseded: raceSize - 1 });
      expect((await read(storage(), of.set)).revision).to.equal(2);
    });

    it(`waits for a unit that changes the set, and then has no effect (${what})`, async () => {
      const of = await zoneWithSet(storage());
      const facts = await factsOf(storage(), of);
      const held = await hold(storage(), ({ changeSets }) => changeSets.discard(of.set));
      const second = attempt(storage(), facts, { ...of.set, revision: 2 }, plan);
      const third = attempt(storage(), facts, of.set, plan);
      await okOf(held.endBefore(third));
      expect(tally([await second, await third])).to.deep.equal({ Superseded: 2 });
      expect((await factsOf(storage(), of)).state.zone.revision).to.equal(1);
    });
  }

  it('applies one of twenty sets decided on the same state', async () => {
    const owned = await storedZone(storage());
    const sets = await addedOneByOne(storage(), owned, raceSize);
    const facts = await factsOf(storage(), owned);
    const results = await concurrently(raceSize, (index) => attempt(storage(), facts, sets[index]!));
    expect(tally(results)).to.deep.equal({ Ok: 1, Superseded: raceSize - 1 });
    const { items } = await readView(storage(), ({ changeSets }) =>
      changeSets.list(owned.zone.id, { statuses: ['applied'], createdBy: undefined, search: undefined }, [], wholeList),
    );
    expect(items).to.have.length(1);
  });
}
