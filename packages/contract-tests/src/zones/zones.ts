import { jsonDocument, ruleKindNames, ZoneSettings } from '@zonewright/core';
import { expect } from 'chai';
import {
  addRules,
  applied,
  removed,
  rollBack,
  rulesOf,
  storedBasicAuthUser,
  storedOwner,
  storedZone,
  storedZoneWithRules,
} from '../arrangements/index.ts';
import { aRule, aZone, aZoneId, aZoneName, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { zoneCounts } from '../organizations/organization-counts.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { zoneListContract } from './zone-list.ts';
import { zoneRaces } from './zone-races.ts';

/** Every adapter of the port must pass this unchanged. */
export const zonesContract = contract('Zones contract', (storage) => {
  describe('add', () => addition(storage));
  describe('list', () => zoneListContract(storage));
  describe('count', () => zoneCounts(storage));
  describe('head', () => ownership(storage));
  describe('state', () => states(storage));
  describe('remove', () => removal(storage));
  zoneRaces(storage);
});

function addition(storage: () => Storage): void {
  const add = (zone: ReturnType<typeof aZone>) => storage().unitOfWork.run(({ zones }) => zones.add(zone));

  it('stores the zone as given, and resolves to what is read back', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const settings = jsonDocument(ZoneSettings.parse({ processingSsi: true }));
    const draft = aZone({ organizationId, createdBy: userId, name: aZoneName('Straße 東京'), tag: 'stage', settings });
    const { claims: _, ...members } = draft;
    const added = await okOf(add(draft));
    const { createdAt, updatedAt, ...rest } = added;
    expect(rest).to.deep.equal({ ...members, revision: 1 });
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
    const { zone } = await readView(storage(), ({ zones }) => zones.state(draft.id));
    expect(zone).to.deep.equal(added);
    expect(zone.settings.text, 'text of the settings').to.equal(settings.text);
  });

  const clashes = [
    { title: 'the same name', name: 'Shop', again: 'Shop' },
    { title: 'a name in another case', name: 'Shop Ünïcode', again: 'sHOP üNÏCODE' },
    { title: 'a name in another normalization form', name: 'Cafe\u0301', again: 'CAF\u00c9' },
  ];
  for (const { title, name, again } of clashes) {
    it(`refuses ${title} with the same tag`, async () => {
      const owner = await storedOwner(storage());
      await storedZone(storage(), { owner, name: aZoneName(name) });
      const { organizationId, userId: createdBy } = owner;
      const refused = add(aZone({ organizationId, createdBy, name: aZoneName(again) }));
      expect(await errorOf(refused)).to.deep.equal({ type: 'ZoneNameTaken' });
    });
  }

  it('accepts the same name with another tag, or in another organization', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const name = aZoneName('Shop');
    await storedZone(storage(), { owner, name, tag: 'prod' });
    await storedZone(storage(), { owner, name, tag: 'stage' });
    await storedZone(storage(), { owner: other, name, tag: 'prod' });
  });
}

function ownership(storage: () => Storage): void {
  it('returns the zone’s organization, and the revision, which every change increments', async () => {
    const { zone, organizationId } = await storedZone(storage());
    await runUnit(storage(), (repositories) => applied(repositories, zone.id, () => ({})));
    expect(await readView(storage(), ({ zones }) => zones.head(zone.id))).to.include({ organizationId, revision: 2 });
  });

  it('does not find a zone that does not exist', async () => {
    const missing = storage().unitOfWork.view(({ zones }) => zones.head(aZoneId()));
    expect(await errorOf(missing)).to.deep.equal({ type: 'ZoneNotFound' });
  });
}

function states(storage: () => Storage): void {
  it('shows a zone without anything in it', async () => {
    const { zone } = await storedZone(storage());
    const { rules, ranks, users, ...found } = await readView(storage(), ({ zones }) => zones.state(zone.id));
    const listRevisions = { configurationRule: 0, rewriteRule: 0, accessRule: 0, securityScenario: 0 };
    expect(found).to.deep.equal({ zone, listRevisions });
    expect([...Object.values(rules), ...Object.values(ranks), ...users].flat()).to.deep.equal([]);
  });

  it('shows the rules of every kind, each in its own list', async () => {
    const { zone } = await storedZone(storage());
    const stored = ruleKindNames.map((kind) => ({ kind, rules: [aRule(kind), aRule(kind)] }));
    for (const { kind, rules } of stored) await addRules(storage(), { zone: zone.id, kind }, rules);
    const found = await readView(storage(), ({ zones }) => zones.state(zone.id));
    for (const { kind, rules } of stored) {
      expect(found.rules[kind].map((rule) => [rule.id, rule.kind, rule.order])).to.deep.equal(
        rules.map(({ id }, index) => [id, kind, index + 1]),
      );
    }
  });

  it('does not find a zone that does not exist', async () => {
    const read = storage().unitOfWork.view(({ zones }) => zones.state(aZoneId()));
    expect(await errorOf(read)).to.deep.equal({ type: 'ZoneNotFound' });
  });
}

function removal(storage: () => Storage): void {
  it('removes the zone and everything in it, and nothing else', async () => {
    const { zoneId, zone, list, rules } = await storedZoneWithRules(storage(), 3);
    const other = await storedZoneWithRules(storage(), 2);
    const user = await storedBasicAuthUser(storage(), zoneId);
    await runUnit(storage(), (repositories) => removed(repositories, zoneId));
    const { unitOfWork } = storage();
    const missing = [
      unitOfWork.view(({ zones }) => zones.state(zoneId)),
      unitOfWork.view((repositories) => repositories.rules.byId(list, rules[0]!.id)),
      unitOfWork.view(({ basicAuthUsers }) => basicAuthUsers.byId(zoneId, user.id)),
    ];
    const errors = [{ type: 'ZoneNotFound' }, { type: 'RuleNotFound' }, { type: 'BasicAuthUserNotFound' }];
    expect(await Promise.all(missing.map((read) => errorOf<unknown>(read)))).to.deep.equal(errors);
    const page = await readView(storage(), (repositories) => repositories.rules.list(list, [], wholeList));
    expect(page).to.deep.equal({ items: [], totalItems: 0, revision: 0 });
    const filter = { organizations: [zone.organizationId], tags: [], search: undefined };
    expect(await readView(storage(), ({ zones }) => zones.list(filter, [], wholeList))).to.deep.equal({
      items: [],
      totalItems: 0,
    });
    expect(await rulesOf(storage(), other.list)).to.have.lengthOf(2);
  });

  it('frees the name', async () => {
    const { zone, ...owner } = await storedZone(storage());
    await runUnit(storage(), (repositories) => removed(repositories, zone.id));
    await storedZone(storage(), { owner, name: zone.name });
  });

  it('removes nothing in a unit that is rolled back', async () => {
    const { zoneId, list, order } = await storedZoneWithRules(storage(), 2);
    await rollBack(storage(), (repositories) => removed(repositories, zoneId));
    expect((await rulesOf(storage(), list)).map(({ id }) => id)).to.deep.equal(order);
  });
}
