import {
  bytesWithoutQueue,
  jsonDocument,
  maxOpenBytes,
  OrganizationId,
  type ZoneDocument,
  type ZonePlan,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { added, aMerge } from './arrangements/change-sets.ts';
import {
  addRules,
  applied,
  listAs,
  type OwnedZone,
  removed,
  storedOwner,
  storedZone,
  storedZoneWithRules,
} from './arrangements/index.ts';
import { aRevision, aRule, aRuleDraft } from './builders/index.ts';
import { casesOn } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { goesOn, hold } from './gate.ts';
import { concurrently, okOf, raceSize, readView, runUnit, tally } from './results.ts';
import { promoted } from './review/promotions.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const storageQuotasContract = contract('Storage quotas contract', (storage) => {
  describe('of', () => counting(storage));
  describe('lock', () => turns(storage));
  describe('concurrent writes', () => races(storage));
});

const used = (storage: Storage, { organizationId }: Pick<OwnedZone, 'organizationId'>): Promise<number> =>
  readView(storage, ({ storageQuotas }) => storageQuotas.of(organizationId).map((usage) => usage.used));

const limitTo = (storage: Storage, organization: OrganizationId, storageBytes: number): Promise<void> =>
  runUnit(storage, ({ organizations, limitOverrides }) =>
    organizations.lock(organization).andThen(() => limitOverrides.set(organization, { storageBytes })),
  );

const bytes = (text: string | undefined): number => (text === undefined ? 0 : new TextEncoder().encode(text).length);

/** What each revision, draft and promotion counts besides its texts. */
const row = 200;

function counting(storage: () => Storage): void {
  /** How many bytes more the organization stores after the change. */
  const growth = async (owned: OwnedZone, change: () => Promise<unknown>): Promise<number> => {
    const before = await used(storage(), owned);
    await change();
    return (await used(storage(), owned)) - before;
  };

  it('is nothing for a new organization, and for one that does not exist', async () => {
    const owner = await storedOwner(storage());
    await storedZone(storage());
    expect(await used(storage(), owner)).to.equal(0);
    expect(await used(storage(), { organizationId: OrganizationId.parse(2_000_000_000) })).to.equal(0);
  });

  it('counts the settings and rules of all zones as they are now', async () => {
    const owned = await storedZone(storage());
    expect(await used(storage(), owned)).to.equal(bytes(owned.zone.settings.text));
    const list = { zone: owned.zone.id, kind: 'rewriteRule' } as const;
    const [rule, other] = [aRule('rewriteRule', { name: 'Ünïcode 😀' }), aRule('rewriteRule')];
    // Each change adds a revision with an empty patch.
    const revision = row + 2;
    const texts = bytes(rule.content.text) + bytes(other.content.text);
    expect(await growth(owned, () => addRules(storage(), list, [rule, other]))).to.equal(revision + texts);
    const rewritten = { ...rule, content: other.content };
    const apply = (plan: Parameters<typeof applied>[2]) =>
      runUnit(storage(), (repositories) => applied(repositories, owned.zone.id, plan));
    const renamed = { ...other, content: aRule('rewriteRule', { name: 'x'.repeat(200) }).content };
    const difference = bytes(renamed.content.text) - bytes(other.content.text);
    expect(await growth(owned, () => apply(listAs(list, ([first]) => [first!, renamed])))).to.equal(
      revision + difference,
    );
    expect(await growth(owned, () => apply(listAs(list, () => [rewritten])))).to.equal(
      revision - texts - difference + bytes(rewritten.content.text),
    );
    const settings = jsonDocument({ ...owned.zone.settings.value, robotsTxt: 'Ä'.repeat(99) });
    // Any settings will do.
    const plan = { settings } as unknown as ZonePlan;
    expect(await growth(owned, () => apply(() => plan))).to.equal(
      revision + bytes(settings.text) - bytes(owned.zone.settings.text),
    );
    const second = await storedZone(storage(), { owner: owned });
    expect(await growth(second, () => runUnit(storage(), (each) => removed(each, owned.zone.id)))).to.equal(0);
  });

  it('counts every text of revisions, drafts and promotions', async () => {
    const owned = await storedZone(storage());
    const { id: zoneId } = owned.zone;
    const restored = { contentsFrom: 2, restFrom: 3, adjustment: jsonDocument({ adjusted: 'ä' }) };
    const states = [
      [{ patch: jsonDocument({ ä: 1 }) }, bytes('{"ä":1}')],
      [{ snapshot: jsonDocument<ZoneDocument>({ name: 'ä' }) }, bytes('{"name":"ä"}')],
      [{ patch: undefined, restored }, bytes('{"adjusted":"ä"}')],
      [{ patch: undefined, restored: { ...restored, adjustment: undefined } }, 0],
    ] as const;
    for (const [index, [state, size]] of states.entries()) {
      const revision = aRevision({ zoneId, number: index + 2, ...state });
      const add = () => runUnit(storage(), ({ history }) => history.add(revision));
      expect(await growth(owned, add)).to.equal(row + size);
    }
    const [operations, disputed] = [jsonDocument([{ op: 'ä' }]), jsonDocument({ disputed: 'ä' })];
    const before = await used(storage(), owned);
    const set = await okOf(added(storage(), owned, { operations, disputed }));
    const textsOf = ({ title, description, patch }: typeof set) =>
      bytes(title) + bytes(description) + bytes(patch.text);
    const size = row + textsOf(set) + bytes(operations.text) + bytes(disputed.text);
    expect((await used(storage(), owned)) - before).to.equal(size);
    const smaller = { ...set, patch: jsonDocument({}), operations: undefined, disputed: undefined, merge: aMerge() };
    const saved = await growth(owned, () =>
      runUnit(storage(), ({ changeSets }) => changeSets.save(smaller, maxOpenBytes)),
    );
    expect(saved).to.equal(row + textsOf(smaller) - size);
    const start = await used(storage(), owned);
    const { promotion, wanted, set: other } = await promoted(storage(), owned);
    const expected = row + bytes(wanted.request) + bytes(promotion.report.text) + row + textsOf(other);
    expect((await used(storage(), owned)) - start).to.equal(expected);
  });

  it('counts a deleted zone like before, and again once it is restored', async () => {
    const owned = await storedZoneWithRules(storage(), 2);
    await storedZone(storage());
    const before = await used(storage(), owned);
    await runUnit(storage(), (repositories) => removed(repositories, owned.zone.id));
    expect(await used(storage(), owned)).to.equal(before);
    const { organizationId, zone } = owned;
    await runUnit(storage(), ({ deletedZones }) => deletedZones.revive(organizationId, zone.id));
    expect(await used(storage(), owned)).to.equal(before);
  });

  it('counts nothing of a unit that is rolled back, and what the unit itself has written', async () => {
    const owned = await storedZone(storage());
    const before = await used(storage(), owned);
    const seen: number[] = [];
    await storage().unitOfWork.run(({ history, storageQuotas }) =>
      history
        .add(aRevision({ zoneId: owned.zone.id, number: 2 }))
        .andThen(() => storageQuotas.of(owned.organizationId))
        .andThen((usage) => errAsync(seen.push(usage.used))),
    );
    expect(seen[0]).to.be.greaterThan(before);
    expect(await used(storage(), owned)).to.equal(before);
  });

  it('has the limit in force', async () => {
    const { organizationId } = await storedOwner(storage());
    const limit = () =>
      readView(storage(), ({ storageQuotas }) => storageQuotas.of(organizationId).map((usage) => usage.limit));
    expect(await limit()).to.equal(1_000_000_000);
    await limitTo(storage(), organizationId, 77);
    expect(await limit()).to.equal(77);
  });
}

function turns(storage: () => Storage): void {
  const limit = 1000;
  const lock = (owner: { readonly organizationId: OrganizationId }, more: number) =>
    runUnit(storage(), ({ storageQuotas }) => storageQuotas.lock(owner.organizationId, more));

  it('makes another unit wait once the room becomes scarce, and shows it what the first one stored', async () => {
    const owned = await storedZone(storage());
    const free = await used(storage(), owned);
    await limitTo(storage(), owned.organizationId, free + limit);
    const held = await hold(storage(), ({ storageQuotas }) => storageQuotas.lock(owned.organizationId, limit));
    const second = lock(owned, limit);
    await okOf(held.endBefore(second, ({ history }) => history.add(aRevision({ zoneId: owned.zone.id, number: 2 }))));
    expect((await second).used).to.be.greaterThan(free);
  });

  it('lets units with enough room go on, and units of other organizations', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    await limitTo(storage(), owner.organizationId, limit);
    await limitTo(storage(), other.organizationId, limit);
    const held = await hold(storage(), ({ storageQuotas }) => storageQuotas.lock(owner.organizationId, limit));
    const [roomy, elsewhere] = [lock(owner, bytesWithoutQueue(limit)), lock(other, limit)];
    expect([await goesOn(storage(), roomy), await goesOn(storage(), elsewhere)]).to.deep.equal([true, true]);
    await okOf(held.release());
    await Promise.all([roomy, elsewhere]);
  });
}

function races(storage: () => Storage): void {
  it('never exceed the quota when twenty zones are changed at once with room for a few', async () => {
    const owner = await storedOwner(storage());
    const zones: OwnedZone[] = [];
    while (zones.length < raceSize) zones.push(await storedZone(storage(), { owner }));
    const create = casesOn(storage()).createRule;
    const changeOf = ({ zone }: OwnedZone) =>
      create(owner.caller, { zone: zone.id, kind: 'rewriteRule' }, aRuleDraft('rewriteRule', { name: 'x'.repeat(99) }));
    const before = await used(storage(), owner);
    await okOf(changeOf(zones[0]!));
    const size = (await used(storage(), owner)) - before;
    await limitTo(storage(), owner.organizationId, before + Math.round(4.5 * size));
    const results = await concurrently(raceSize - 1, (index) => changeOf(zones[index + 1]!));
    expect(tally(results)).to.deep.equal({ Ok: 3, 'organization.storage.limit': raceSize - 4 });
    expect(await used(storage(), owner)).to.be.at.most(before + 4.5 * size);
  });
}
