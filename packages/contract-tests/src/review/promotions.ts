import {
  changeSetLifetimeSeconds,
  jsonDocument,
  maxOpenBytes,
  type NewChangeSet,
  type NewPromotion,
  type Promotion,
  PromotionId,
  type ReportEntry,
  type ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { added, aMerge, applySet } from '../arrangements/change-sets.ts';
import { type OwnedZone, removed, storedZone } from '../arrangements/index.ts';
import { aZoneId, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const promotionsContract = contract('Promotions contract', (storage) => {
  describe('add, byId and list', () => keeping(storage));
  describe('lastApplied', () => lastApplication(storage));
  describe('openLike', () => repetition(storage));
  describe('the change set', () => changeSet(storage));
});

let made = 0;
const anId = (): PromotionId => {
  made += 1;
  return PromotionId.parse(`0197c4e4-0000-7000-8000-${String(made).padStart(12, '0')}`);
};

const source = aZoneId();
const report: readonly ReportEntry[] = [{ kind: 'settings', name: 'Ünïcode', change: 'kept', members: ['a.b'] }];

/** Adds a promotion with its change set, like the use case. */
export async function promoted(
  storage: Storage,
  owned: OwnedZone,
  given: Partial<NewPromotion> = {},
  ofSet: Partial<NewChangeSet> = {},
) {
  const set = await okOf(added(storage, owned, ofSet));
  const wanted = {
    id: anId(),
    zoneId: owned.zone.id,
    from: source,
    fromRevision: 7,
    toRevision: 1,
    base: undefined,
    changeSet: set.id,
    request: '[]',
    report: jsonDocument(report),
    createdBy: owned.userId,
    ...given,
  };
  return { set, wanted, promotion: await runUnit(storage, ({ promotions }) => promotions.add(wanted)) };
}

const read = (storage: Storage, zone: ZoneId, id: PromotionId) =>
  storage.unitOfWork.view(({ promotions }) => promotions.byId(zone, id));

const plain = ({ report: { text }, ...promotion }: Promotion) => ({ ...promotion, report: text });

function keeping(storage: () => Storage): void {
  for (const base of [undefined, { fromRevision: 3, toRevision: 2 }]) {
    it(`store what they are given, ${base ? 'with' : 'without'} an earlier promotion`, async () => {
      const owned = await storedZone(storage());
      const { wanted, promotion } = await promoted(storage(), owned, { base });
      const { request: _, report: given, ...others } = wanted;
      expect(plain(promotion)).to.deep.equal({ ...others, report: given.text, createdAt: promotion.createdAt });
      expect(plain(await okOf(read(storage(), owned.zone.id, promotion.id)))).to.deep.equal(plain(promotion));
      expect(promotion.createdAt).to.be.an.instanceOf(Date);
    });
  }

  it('list those of a zone page by page, newest first, without reports', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const all = [];
    for (const owner of [owned, owned, other, owned]) {
      await storage().passTime(10);
      all.push((await promoted(storage(), owner)).promotion);
    }
    const listed = async (page: number) => {
      const found = await readView(storage(), ({ promotions }) =>
        promotions.list(owned.zone.id, { page, itemsPerPage: 2 }),
      );
      for (const item of found.items) expect(item).not.to.have.property('report');
      return [found.totalItems, ...found.items.map(({ id }) => id)];
    };
    expect(await listed(1)).to.deep.equal([3, all[3]?.id, all[1]?.id]);
    expect(await listed(2)).to.deep.equal([3, all[0]?.id]);
  });

  it('find none of another zone, and keep those of a restorable zone', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const { promotion } = await promoted(storage(), owned);
    const missing = (zone: ZoneId) => errorOf(read(storage(), zone, promotion.id));
    expect(await missing(other.zone.id)).to.deep.equal({ type: 'PromotionNotFound' });
    await runUnit(storage(), (each) => removed(each, owned.zone.id));
    const { items } = await readView(storage(), ({ promotions }) => promotions.list(owned.zone.id, wholeList));
    expect(items.map(({ id }) => id)).to.deep.equal([promotion.id]);
  });
}

function lastApplication(storage: () => Storage): void {
  const last = async (owned: OwnedZone, from = source) =>
    (await readView(storage(), ({ promotions }) => promotions.lastApplied(owned.zone.id, from)))?.id;

  it('is the one from the source into the zone whose set was applied last', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const [first, second, third] = [
      await promoted(storage(), owned),
      await promoted(storage(), owned),
      await promoted(storage(), owned),
    ];
    const elsewhere = await promoted(storage(), owned, { from: aZoneId() });
    const inOther = await promoted(storage(), other);
    expect(await last(owned)).to.equal(undefined);
    await applySet(storage(), { ...other, set: inOther.set }, {});
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(third.set));
    expect(await last(owned)).to.equal(undefined);
    for (const { set, promotion } of [second, first]) {
      await storage().passTime(10);
      await applySet(storage(), { ...owned, set }, {});
      expect(await last(owned)).to.equal(promotion.id);
    }
    await storage().passTime(10);
    await applySet(storage(), { ...owned, set: elsewhere.set }, {});
    expect(await last(owned)).to.equal(first.promotion.id);
    expect(await last(owned, elsewhere.promotion.from)).to.equal(elsewhere.promotion.id);
  });
}

function repetition(storage: () => Storage): void {
  const found = async (owned: OwnedZone, asked: Partial<NewPromotion> = {}) => {
    const request = { zoneId: owned.zone.id, from: source, fromRevision: 7, toRevision: 1, request: '[]', ...asked };
    return (await readView(storage(), ({ promotions }) => promotions.openLike(request)))?.id;
  };

  it('finds only the promotion with the same request', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const { promotion } = await promoted(storage(), owned);
    expect(await found(owned)).to.equal(promotion.id);
    const others = [{ from: aZoneId() }, { fromRevision: 6 }, { toRevision: 2 }, { request: '[1]' }];
    for (const asked of others) expect(await found(owned, asked), JSON.stringify(asked)).to.equal(undefined);
    expect(await found(other)).to.equal(undefined);
  });

  const endings: readonly (readonly [
    string,
    (of: OwnedZone & Awaited<ReturnType<typeof promoted>>) => Promise<unknown>,
  ])[] = [
    ['applied', (of) => applySet(storage(), of, {})],
    ['discarded', ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.discard(set))],
    ['expired', () => storage().passTime(changeSetLifetimeSeconds + 1)],
  ];
  for (const [what, end] of endings) {
    it(`finds none whose set is ${what}`, async () => {
      const owned = await storedZone(storage());
      await end({ ...owned, ...(await promoted(storage(), owned)) });
      expect(await found(owned)).to.equal(undefined);
      const { promotion } = await promoted(storage(), owned);
      expect(await found(owned)).to.equal(promotion.id);
    });
  }
}

function changeSet(storage: () => Storage): void {
  const disputed = jsonDocument({ zone_settings: { b: null, a: 1 } });

  it('refers to its promotion, and others do not', async () => {
    const owned = await storedZone(storage());
    const { set, promotion } = await promoted(storage(), owned);
    const alone = await okOf(added(storage(), owned));
    const named = (id: NewChangeSet['id']) =>
      readView(storage(), ({ changeSets }) => changeSets.byId(owned.zone.id, id));
    expect([(await named(set.id)).promotion, (await named(alone.id)).promotion]).to.deep.equal([
      promotion.id,
      undefined,
    ]);
    const filter = { statuses: [], createdBy: undefined, search: undefined };
    const { items } = await readView(storage(), ({ changeSets }) =>
      changeSets.list(owned.zone.id, filter, [], wholeList),
    );
    expect(new Map(items.map((each) => [each.id, each.promotion]))).to.deep.equal(
      new Map([
        [set.id, promotion.id],
        [alone.id, undefined],
      ]),
    );
  });

  it('keeps what is disputed until it is saved without', async () => {
    const owned = await storedZone(storage());
    const { set } = await promoted(storage(), owned, {}, { disputed, base: owned.zone.revision });
    expect(set.disputed?.text).to.equal(disputed.text);
    const saved = await runUnit(storage(), ({ changeSets }) =>
      changeSets.save({ ...set, disputed: undefined, merge: aMerge() }, maxOpenBytes),
    );
    expect(saved.disputed).to.equal(undefined);
  });
}
