import {
  type OrganizationId,
  type Repositories,
  ruleKindNames,
  unreadableBanToken,
  useCases,
  type ZoneId,
  ZoneRestoration,
} from '@zonewright/core';
import { expect } from 'chai';
import {
  addRules,
  applied,
  applying,
  listAs,
  type OwnedZone,
  overridesWith,
  referenceTo,
  removed,
  storedBasicAuthUser,
  storedOriginServer,
  storedOwner,
  storedZone,
  zoneSettingsWith,
} from '../arrangements/index.ts';
import { aBanToken, aChange, aRevision, aRule, aZoneId, aZoneName, wholeList } from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { contract } from '../fresh-storage.ts';
import { goesOn, hold } from '../gate.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const deletedZonesContract = contract('DeletedZones contract', (storage) => {
  describe('list and byId', () => reading(storage));
  describe('revive', () => revival(storage));
  describe('restored by the use case', () => restorations(storage));
});

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

const restoring = ({ unitOfWork }: Storage) =>
  useCases({ unitOfWork, randomness: fakePorts.randomness }).restoreDeletedZone;

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

  it('lists only the given zones', async () => {
    const owner = await storedOwner(storage());
    const [one, other] = [await storedZone(storage(), { owner }), await storedZone(storage(), { owner })];
    for (const owned of [one, other]) await remove(storage(), owned);
    const filter = { organization: owner.organizationId, zones: [other.zone.id, aZoneId()], search: undefined };
    const found = await readView(storage(), ({ deletedZones }) => deletedZones.list(filter, wholeList));
    expect([found.items.map(({ id }) => id), found.totalItems]).to.deep.equal([[other.zone.id], 1]);
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

  it('uses no backend, and has no rules or basic-auth users to list', async () => {
    const owner = await storedOwner(storage());
    const server = await storedOriginServer(storage(), owner);
    const settings = zoneSettingsWith(referenceTo('origin_server', server));
    const owned = await storedZone(storage(), { owner, settings });
    const { id } = owned.zone;
    const using = aRule('configurationRule', { members: overridesWith(referenceTo('origin_server', server)) });
    await addRules(storage(), { zone: id, kind: 'configurationRule' }, [using]);
    await storedBasicAuthUser(storage(), id);
    const rulesOf = () =>
      readView(storage(), ({ rules }) => rules.list({ zone: id, kind: 'configurationRule' }, [], wholeList));
    const counts = async () => [
      (await readView(storage(), ({ backends }) => backends.users([server.id]))).length,
      (await readView(storage(), ({ basicAuthUsers }) => basicAuthUsers.list(id, undefined, wholeList))).totalItems,
      (await rulesOf()).totalItems,
    ];
    expect(await counts()).to.deep.equal([2, 1, 1]);
    await remove(storage(), owned);
    expect(await counts()).to.deep.equal([0, 0, 0]);
    expect((await rulesOf()).revision).to.equal(0);
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
    const deleted = await readView(storage(), (on) => on.deletedZones.state(owned.organizationId, zone.id));
    expect(deleted).to.deep.equal({ ...before, zone: { ...before.zone, banToken: unreadableBanToken } });
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

  it('finds its rules, whose ids no other zone has taken meanwhile', async () => {
    const [owned, { zone: other }] = [await storedZone(storage()), await storedZone(storage())];
    const rule = aRule('accessRule');
    await addRules(storage(), { zone: owned.zone.id, kind: 'accessRule' }, [rule]);
    await remove(storage(), owned);
    const claims = [{ kind: 'accessRule' as const, id: rule.id }];
    const { takenRules } = await readView(storage(), ({ zoneChanges }) =>
      zoneChanges.resolveReferences(other, { backends: [], rules: claims }),
    );
    expect([...takenRules]).to.deep.equal([rule.id]);
    await okOf(revive(storage(), owned));
  });

  it('lets exactly one of twenty concurrent restorations succeed', async () => {
    const how = ZoneRestoration.parse({});
    for (const _ of rounds) {
      const owned = await storedZone(storage());
      const { caller, organizationId, zone } = owned;
      await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: zone.id, number: 1 })));
      await runUnit(storage(), (repositories) => removed(repositories, zone.id));
      const restore = restoring(storage());
      const results = await concurrently(raceSize, () => restore(caller, organizationId, zone.id, how, undefined));
      expect(tally(results)).to.deep.equal({ Ok: 1, DeletedZoneNotFound: raceSize - 1 });
      expect((await readView(storage(), ({ zones }) => zones.state(zone.id))).zone.revision).to.equal(2);
    }
  });
}

/** Makes others wait who change the organization or its number of zones, until released. */
const holdOrganization = (storage: Storage, organization: OrganizationId) =>
  hold(storage, ({ organizations }) => organizations.lock(organization));

function restorations(storage: () => Storage): void {
  /** A deleted zone whose settings refer to an origin server. */
  async function aDeletedZone() {
    const owner = await storedOwner(storage());
    const { organizationId, caller } = owner;
    const server = await storedOriginServer(storage(), { organizationId });
    const settings = zoneSettingsWith(referenceTo('origin_server', server));
    const { zone } = await storedZone(storage(), { owner, settings });
    await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: zone.id, number: 1 })));
    await runUnit(storage(), (repositories) => removed(repositories, zone.id));
    const removeServer = ({ originServers }: Pick<Repositories, 'originServers'>) =>
      originServers.remove(server.id, undefined);
    const restore = () => restoring(storage())(caller, organizationId, zone.id, ZoneRestoration.parse({}), undefined);
    return { organizationId, removeServer, restore };
  }
  const codesOf = async (result: ReturnType<Awaited<ReturnType<typeof aDeletedZone>>['restore']>) =>
    tally([await result]);

  it('are refused without waiting for the organization', async () => {
    const { organizationId, removeServer, restore } = await aDeletedZone();
    await runUnit(storage(), removeServer);
    const held = await holdOrganization(storage(), organizationId);
    const refused = restore();
    expect(await goesOn(storage(), refused)).to.equal(true);
    await held.release();
    expect(await codesOf(refused)).to.deep.equal({ 'backend.unknown': 1 });
  });

  it('are validated again if what the zone refers to is deleted while they wait', async () => {
    const { organizationId, removeServer, restore } = await aDeletedZone();
    const held = await holdOrganization(storage(), organizationId);
    const restored = restore();
    await held.endBefore(restored, removeServer);
    expect(await codesOf(restored)).to.deep.equal({ 'backend.unknown': 1 });
  });
}
