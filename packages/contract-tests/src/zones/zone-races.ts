import { useCases } from '@zonewright/core';
import { expect } from 'chai';
import { applied, removed, storedOwner, storedZone, storedZoneWithRules, withRules } from '../arrangements/index.ts';
import { aRule, aRuleDraft, aZone, aZoneDraft, aZoneName } from '../builders/index.ts';
import { casesOn, fakePorts } from '../fakes.ts';
import { hold } from '../gate.ts';
import { expectOneWinner } from '../races.ts';
import { errorOf, okOf, readView, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** What the contract of zones guarantees for concurrent writes. */
export function zoneRaces(storage: () => Storage): void {
  describe('concurrent creation', () => creationRaces(storage));
  describe('removal concurrent with other changes', () => removalRaces(storage));
}

function creationRaces(storage: () => Storage): void {
  it('creates one zone when twenty are requested with one name and tag', async () => {
    const { caller } = await storedOwner(storage());
    const create = casesOn(storage()).createZone;
    for (const round of rounds) {
      const spelled = (index: number) => (index % 2 === 0 ? `zone ${round}` : `ZONE ${round}`);
      await expectOneWinner('zone.name.duplicate', (index) => create(caller, aZoneDraft({ name: spelled(index) })));
    }
  });

  it('adds one zone with a name and tag even if nobody has locked the organization', async () => {
    const { organizationId, userId: createdBy } = await storedOwner(storage());
    for (const _ of rounds) {
      const name = aZoneName();
      await expectOneWinner('ZoneNameTaken', () =>
        storage().unitOfWork.run(({ zones }) => zones.add(aZone({ organizationId, createdBy, name }))),
      );
    }
  });
}

function removalRaces(storage: () => Storage): void {
  it('lets one of twenty deletions succeed; the others fail to find the zone', async () => {
    for (const _ of rounds) {
      const { caller, zone } = await storedZone(storage());
      const remove = casesOn(storage()).deleteZone;
      await expectOneWinner('ZoneNotFound', () => remove(caller, zone.id, undefined));
    }
  });

  it('lets a deletion precede or follow changes of the zone’s rules', async () => {
    const { unitOfWork } = storage();
    for (const round of rounds) {
      const { caller, zoneId, list, rules } = await storedZoneWithRules(storage(), 3);
      const [first, second] = [rules[0]!.id, rules[1]!.id];
      const changes = [
        () => useCases({ unitOfWork }).updateRule(caller, list, first, { enabled: false }, undefined),
        () => useCases({ unitOfWork, ...fakePorts }).createRule(caller, list, aRuleDraft(list.kind)),
        () => useCases({ unitOfWork }).deleteRule(caller, list, second, undefined),
        () => useCases({ unitOfWork }).updateRule(caller, list, first, { order: 3 }, undefined),
      ];
      const place = round % changes.length;
      const before = changes.slice(0, place).map((change) => change());
      const removing = useCases({ unitOfWork }).deleteZone(caller, zoneId, undefined);
      const after = changes.slice(place).map((change) => change());
      const outcomes = await Promise.all([...before, ...after]);
      expect(tally([await removing])).to.deep.equal({ Ok: 1 });
      const { Ok: _, ZoneNotFound: __, ...others } = tally(outcomes);
      expect(others).to.deep.equal({});
    }
  });

  it('makes a change of a rule wait for the deletion of its zone, and then fail', async () => {
    const { caller, zoneId, list, rules } = await storedZoneWithRules(storage(), 1);
    const held = await hold(storage(), (repositories) => removed(repositories, zoneId));
    const update = casesOn(storage()).updateRule;
    const updating = update(caller, list, rules[0]!.id, { enabled: false }, undefined);
    await okOf(held.endBefore(updating));
    expect(await errorOf(updating)).to.deep.equal({ type: 'ZoneNotFound' });
  });

  it('makes the deletion of a zone wait for the change of a rule in it, which is then restored', async () => {
    const { organizationId, zoneId, list } = await storedZoneWithRules(storage(), 1);
    const held = await hold(storage(), (repositories) =>
      applied(repositories, zoneId, withRules(list, [aRule(list.kind)])),
    );
    const removing = runUnit(storage(), (repositories) => removed(repositories, zoneId));
    await okOf(held.endBefore(removing));
    await removing;
    const read = storage().unitOfWork.view(({ zones }) => zones.head(zoneId));
    expect(await errorOf(read)).to.deep.equal({ type: 'ZoneNotFound' });
    const deleted = await readView(storage(), ({ deletedZones }) => deletedZones.state(organizationId, zoneId));
    expect([deleted.zone.revision, deleted.rules[list.kind].length]).to.deep.equal([3, 2]);
  });
}
