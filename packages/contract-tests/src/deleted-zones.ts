import { type OrganizationId, ruleKindNames, useCases, type ZoneId, ZoneRestoration } from '@zonewright/core';
import { expect } from 'chai';
import {
  addRules,
  applied,
  applying,
  listAs,
  type OwnedZone,
  removed,
  storedBasicAuthUser,
  storedOwner,
  storedZone,
} from './arrangements.ts';
import { aBanToken, aChange, aRevision, aRule, aZoneId, aZoneName, wholeList } from './builders.ts';
import { fakePorts } from './fakes.ts';
import { freshStorage } from './fresh-storage.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, tally } from './results.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function deletedZonesContract(adapter: string, open: OpenStorage): void {
  describe(`DeletedZones contract: ${adapter}`, () => {
    const storage = freshStorage(open);
    describe('list and byId', () => reading(storage));
    describe('revive', () => revival(storage));
  });
}

const days = 24 * 3600;
const notFound = { type: 'DeletedZoneNotFound' };

const remove = ({ unitOfWork }: Storage, { zone, userId }: Pick<OwnedZone, 'zone' | 'userId'>) =>
  okOf(
    unitOfWork.run(({ zones, zoneChanges }) =>
      zoneChanges.lock(zone.id, userId).andThen(() => zones.remove(zone.id, userId)),
    ),
  );
const byId = ({ unitOfWork }: Storage, organization: OrganizationId, id: ZoneId) =>
  unitOfWork.view(({ deletedZones }) => deletedZones.byId(organization, id));
const namesIn = async (storage: Storage, organization: OrganizationId, search?: string, page = wholeList) => {
  const { items, totalItems } = await readView(storage, ({ deletedZones }) =>
    deletedZones.list({ organization, search }, page),
  );
  return { names: items.map(({ name }) => String(name)), totalItems };
};
/** Restores a zone under its old name, like the use case. */
const revive = ({ unitOfWork }: Storage, { zone, organizationId, userId }: OwnedZone, banToken = aBanToken()) =>
  unitOfWork.run(({ deletedZones, zoneChanges }) =>
    deletedZones
      .revive(organizationId, zone.id)
      .andThen(() => zoneChanges.facts(zone.id, userId))
      .andThen((facts) => applying(zoneChanges, facts, [], aChange({ names: facts.state.zone, banToken }))),
  );

function reading(storage: () => Storage): void {
  it('shows what was deleted, by whom, and when it expires', async () => {
    const owned = await storedZone(storage(), { tag: 'dev' });
    const { zone, organizationId, userId } = owned;
    await remove(storage(), owned);
    const { deletedAt, expiresAt, ...rest } = await okOf(byId(storage(), organizationId, zone.id));
    const { id, name } = zone;
    expect(rest).to.deep.equal({ id, organizationId, name, tag: 'dev', revision: 1, deletedBy: userId });
    expect((Number(expiresAt) - Number(deletedAt)) / 1000).to.equal(30 * days);
  });

  it('lists those of the organization page by page, newest first', async () => {
    const owner = await storedOwner(storage());
    for (const name of ['Shop', '100% bakery', 'Straße']) {
      await remove(storage(), await storedZone(storage(), { owner, name: aZoneName(name) }));
      await storage().passTime(1);
    }
    await remove(storage(), await storedZone(storage()));
    const { organizationId } = owner;
    const [all, found, none, second] = [
      await namesIn(storage(), organizationId),
      await namesIn(storage(), organizationId, 'SHOP'),
      await namesIn(storage(), organizationId, '0_'),
      await namesIn(storage(), organizationId, undefined, { page: 2, itemsPerPage: 1 }),
    ];
    expect(all).to.deep.equal({ names: ['Straße', '100% bakery', 'Shop'], totalItems: 3 });
    expect(found).to.deep.equal({ names: ['Shop'], totalItems: 1 });
    expect(none).to.deep.equal({ names: [], totalItems: 0 });
    expect(second).to.deep.equal({ names: ['100% bakery'], totalItems: 3 });
  });

  it('shows no existing, unknown, foreign or expired zones', async () => {
    const owned = await storedZone(storage());
    const { zone, organizationId } = owned;
    expect(await errorOf(byId(storage(), organizationId, zone.id))).to.deep.equal(notFound);
    await remove(storage(), owned);
    const { organizationId: other } = await storedOwner(storage());
    for (const [organization, id] of [[organizationId, aZoneId()] as const, [other, zone.id] as const]) {
      expect(await errorOf(byId(storage(), organization, id))).to.deep.equal(notFound);
    }
    await storage().passTime(30 * days - 60);
    expect((await namesIn(storage(), organizationId)).totalItems).to.equal(1);
    await storage().passTime(120);
    expect(await errorOf(byId(storage(), organizationId, zone.id))).to.deep.equal(notFound);
    expect(await errorOf(revive(storage(), owned))).to.deep.equal(notFound);
    expect(await namesIn(storage(), organizationId)).to.deep.equal({ names: [], totalItems: 0 });
  });

  it('is deleted with the organization', async () => {
    const owned = await storedZone(storage());
    const { zone, organizationId } = owned;
    await remove(storage(), owned);
    await runUnit(storage(), ({ organizations }) =>
      organizations.lock(organizationId).andThen(() => organizations.remove(organizationId)),
    );
    expect(await errorOf(byId(storage(), organizationId, zone.id))).to.deep.equal(notFound);
  });
}

function revival(storage: () => Storage): void {
  it('restores everything in the zone except its ban token', async () => {
    const owned = await storedZone(storage(), { tag: 'stage' });
    const { zone } = owned;
    for (const kind of ruleKindNames) {
      const name = kind === 'securityScenario' ? 'odd-1' : 'Straße "東京" \\ 😀';
      const rules = [aRule(kind), aRule(kind, { name }), aRule(kind)];
      await addRules(storage(), { zone: zone.id, kind }, rules);
      await runUnit(storage(), (repositories) =>
        applied(
          repositories,
          zone.id,
          listAs({ zone: zone.id, kind }, ([first, ...others]) => [...others, first!]),
        ),
      );
    }
    const user = await storedBasicAuthUser(storage(), zone.id);
    const hash = await storage().basicAuthHash(user.id);
    await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: zone.id, number: 1 })));
    const stateOf = () => readView(storage(), ({ zones }) => zones.state(zone.id));
    const before = await stateOf();
    await remove(storage(), owned);
    const banToken = aBanToken();
    await okOf(revive(storage(), owned, banToken));
    const after = await stateOf();
    const { revision } = before.zone;
    const { updatedAt } = after.zone;
    const expected = { ...before, zone: { ...before.zone, banToken, revision: revision + 1, updatedAt } };
    const asJson = (state: typeof before): unknown => JSON.parse(JSON.stringify(state));
    expect(asJson(after)).to.deep.equal(asJson(expected));
    expect(await storage().basicAuthHash(user.id)).to.equal(hash);
    const { totalItems } = await readView(storage(), ({ history }) => history.list(zone.id, wholeList));
    // The first revision, those of the rules and of the user, and the restoration.
    expect(totalItems).to.equal(1 + 2 * ruleKindNames.length + 1 + 1);
    expect((await namesIn(storage(), owned.organizationId)).totalItems).to.equal(0);
  });

  it('detects that another zone has taken the name', async () => {
    const owned = await storedZone(storage());
    await remove(storage(), owned);
    await storedZone(storage(), { owner: owned, name: owned.zone.name });
    expect(await errorOf(revive(storage(), owned))).to.deep.equal({ type: 'ZoneNameTaken' });
    expect((await namesIn(storage(), owned.organizationId)).totalItems).to.equal(1);
  });

  it('detects that another rule has taken an id', async () => {
    const [owned, { zone: other }] = [await storedZone(storage()), await storedZone(storage())];
    const rule = aRule('accessRule');
    await addRules(storage(), { zone: owned.zone.id, kind: 'accessRule' }, [rule]);
    await remove(storage(), owned);
    await addRules(storage(), { zone: other.id, kind: 'accessRule' }, [rule]);
    expect(await errorOf(revive(storage(), owned))).to.deep.equal({ type: 'RuleIdTaken' });
  });

  it('lets exactly one of twenty concurrent restorations succeed', async () => {
    const how = ZoneRestoration.parse({});
    for (const _ of rounds) {
      const owned = await storedZone(storage());
      const { caller, organizationId, zone } = owned;
      await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: zone.id, number: 1 })));
      await runUnit(storage(), (repositories) => removed(repositories, zone.id));
      const restore = useCases({
        unitOfWork: storage().unitOfWork,
        randomness: fakePorts.randomness,
      }).restoreDeletedZone;
      const results = await concurrently(raceSize, () => restore(caller, organizationId, zone.id, how, undefined));
      expect(tally(results)).to.deep.equal({ Ok: 1, DeletedZoneNotFound: raceSize - 1 });
      expect((await readView(storage(), ({ zones }) => zones.state(zone.id))).zone.revision).to.equal(2);
    }
  });
}
