import {
  type BackendReference,
  jsonDocument,
  type RecordedChange,
  type RuleKind,
  type WrittenRule,
  type ZoneState,
} from '@zonewright/core';
import { expect } from 'chai';
import {
  applied,
  applying,
  listAs,
  type OwnedZone,
  referenceTo,
  storedBackend,
  storedLoadBalancer,
  storedOriginServer,
  storedOwner,
  storedZone,
  withRules,
} from '../../arrangements/index.ts';
import { aChange, anOrigin, aRule, aZoneName } from '../../builders/index.ts';
import { expectOneWinner } from '../../races.ts';
import { concurrently, okOf, raceSize, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { factsOf } from './full-zone.ts';

/** What a change refers to outside the zone: backends and names. */
export function outside(storage: () => Storage): void {
  const found = (owned: OwnedZone, backends: readonly BackendReference[]) =>
    readView(storage(), ({ zoneChanges }) => zoneChanges.resolveReferences(owned.zone, { backends }));

  it('finds only the backends of the organization, with their origin servers', async () => {
    const owned = await storedZone(storage());
    const { organizationId } = owned;
    const [one, two] = [
      await storedOriginServer(storage(), { organizationId }),
      await storedOriginServer(storage(), { organizationId }),
    ];
    const balancer = await storedLoadBalancer(storage(), {
      organizationId,
      origins: [anOrigin(two.id), { ...anOrigin(one.id), enabled: false }],
    });
    const foreign = await storedBackend(storage(), 'origin_server', (await storedOwner(storage())).organizationId);
    const asked = [referenceTo('origin_server', one), referenceTo('load_balancer', balancer), foreign];
    const { backends, versions, isNameTaken } = await found(owned, asked);
    const locked = await runUnit(storage(), (repositories) => repositories.backends.lockPresent(organizationId, asked));
    expect(backends).to.deep.equal(locked);
    expect(new Set(versions.map(({ kind, id }) => `${kind} ${id}`))).to.have.all.keys(
      `origin_server ${one.id}`,
      `load_balancer ${balancer.id}`,
      `origin_server ${two.id}`,
    );
    expect(isNameTaken).to.equal(false);
  });

  it('reports whether another zone has the name and tag', async () => {
    const owned = await storedZone(storage());
    const { zone: other } = await storedZone(storage(), { owner: owned, name: aZoneName('Shöp') });
    const isTaken = async (names: Pick<OwnedZone['zone'], 'name' | 'tag'>) =>
      (
        await readView(storage(), ({ zoneChanges }) =>
          zoneChanges.resolveReferences(owned.zone, { backends: [], names }),
        )
      ).isNameTaken;
    expect(await isTaken({ name: aZoneName('sHÖP'), tag: 'prod' })).to.equal(true);
    expect(await isTaken({ name: other.name, tag: 'dev' })).to.equal(false);
    expect(await isTaken(owned.zone)).to.equal(false);
  });
}

/** Ids of rules, which no two zones share. */
export function claims(storage: () => Storage): void {
  const taken = (owned: OwnedZone, kind: RuleKind, rules: readonly WrittenRule[]) =>
    readView(storage(), ({ zoneChanges }) =>
      zoneChanges.resolveReferences(owned.zone, { backends: [], rules: rules.map(({ id }) => ({ kind, id })) }),
    ).then(({ takenRules }) => rules.map(({ id }) => takenRules.has(id)));
  const wanting = (storageNow: Storage, { zone }: OwnedZone, kind: RuleKind, rules: readonly WrittenRule[]) =>
    storageNow.unitOfWork.run((each) => applied(each, zone.id, withRules({ zone: zone.id, kind }, rules)));
  const emptied = (state: ZoneState): RecordedChange => {
    const plan = listAs({ zone: state.zone.id, kind: 'accessRule' }, () => [])(state);
    const items = Object.fromEntries(state.rules.accessRule.map(({ id }) => [id, null]));
    return {
      ...aChange(plan),
      revision: { ...aChange(plan).revision, patch: jsonDocument({ accessRules: { items } }) },
    };
  };

  it('finds ids of rules of other zones, and former ids of rules in other lists of the zone', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const [here, there, fresh] = [aRule('accessRule'), aRule('accessRule'), aRule('accessRule')];
    await okOf(wanting(storage(), owned, 'accessRule', [here]));
    await okOf(wanting(storage(), other, 'accessRule', [there]));
    for (const kind of ['accessRule', 'configurationRule'] as const) {
      expect(await taken(other, kind, [here, fresh]), kind).to.deep.equal([true, false]);
    }
    // Ids in the zone itself are up to its state: a rule may have been added after it was read.
    expect(await taken(owned, 'accessRule', [here, there])).to.deep.equal([false, true]);
    const facts = await factsOf(storage(), owned);
    await runUnit(storage(), ({ zoneChanges }) => applying(zoneChanges, facts, [], emptied(facts.state)));
    expect(await taken(owned, 'accessRule', [here, there, fresh])).to.deep.equal([false, true, false]);
    expect(await taken(owned, 'configurationRule', [here, there, fresh])).to.deep.equal([true, true, false]);
    expect(await taken(other, 'configurationRule', [here])).to.deep.equal([false]);
  });

  it('gives a rule id that twenty zones claim to one of them', async () => {
    const zones = await concurrently(raceSize, () => storedZone(storage()));
    const rule = aRule('accessRule');
    await expectOneWinner('Superseded', (index) => wanting(storage(), zones[index]!, 'accessRule', [rule]));
  });
}
