import { createRule, deleteRule, moveRule, RulePosition, updateRule, type ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { rulesOf, storedZone, storedZoneWithRules } from './arrangements.ts';
import { aRule, aRuleDraft } from './builders.ts';
import { hold, waits } from './gate.ts';
import { atOnce, done, errorOf, okOf, racers, rounds, seen, tally } from './results.ts';
import { standIns } from './stand-ins.ts';
import type { Storage } from './storage.ts';

/** What the contract of the configuration rules promises of writes at the same time. */
export function ruleRaces(storage: () => Storage): void {
  describe('through the use cases', () => writesAtOnce(storage));
  describe('held up in the middle', () => turns(storage));
}

const useCases = ({ unitOfWork }: Storage) => ({
  create: createRule({ unitOfWork, ...standIns }),
  update: updateRule({ unitOfWork }),
  remove: deleteRule({ unitOfWork }),
});

/** Number of rules in the zone, after a check that their positions are 1 to n. */
async function ruleCount(storage: Storage, zone: ZoneId): Promise<number> {
  const rules = await rulesOf(storage, zone);
  expect(rules.map(({ order }) => order)).to.deep.equal(rules.map((_, index) => index + 1));
  return rules.length;
}

function writesAtOnce(storage: () => Storage): void {
  it('leaves positions 1 to n after twenty creations', async () => {
    const { caller, zone } = await storedZone(storage());
    const { create } = useCases(storage());
    const results = await atOnce(racers, (index) => create(caller, zone.id, aRuleDraft({ order: 1 + (index % 5) })));
    expect(tally(results)).to.deep.equal({ Ok: racers });
    expect(await ruleCount(storage(), zone.id)).to.equal(racers);
  });

  it('leaves positions 1 to n after twenty moves', async () => {
    const { caller, zoneId, order } = await storedZoneWithRules(storage(), racers);
    const { update } = useCases(storage());
    for (const round of rounds) {
      const results = await atOnce(racers, (index) =>
        update(caller, zoneId, order[index]!, { order: 1 + ((index * 7 + round) % racers) }, undefined),
      );
      expect(tally(results)).to.deep.equal({ Ok: racers });
      expect(await ruleCount(storage(), zoneId)).to.equal(racers);
    }
  });

  it('leaves positions 1 to n after twenty deletions', async () => {
    const { caller, zoneId, order } = await storedZoneWithRules(storage(), racers);
    const { remove } = useCases(storage());
    const results = await atOnce(racers, (index) => remove(caller, zoneId, order[index]!, undefined));
    expect(tally(results)).to.deep.equal({ Ok: racers });
    expect(await ruleCount(storage(), zoneId)).to.equal(0);
  });

  it('leaves positions 1 to n after creations, moves and deletions at once', async () => {
    const { create, update, remove } = useCases(storage());
    for (const _ of rounds) {
      const { caller, zoneId, order } = await storedZoneWithRules(storage(), 14);
      const results = await atOnce(21, (index): ResultAsync<unknown, unknown> => {
        const id = order[Math.floor(index / 3) * 2 + (index % 2)]!;
        if (index % 3 === 0) return create(caller, zoneId, aRuleDraft({ order: index }));
        if (index % 3 === 1) return update(caller, zoneId, order[index % 14]!, { order: 14 - (index % 14) }, undefined);
        return remove(caller, zoneId, id, undefined);
      });
      expect(results).to.have.lengthOf(21);
      const removed = results.filter((result, index) => index % 3 === 2 && result.isOk()).length;
      expect(await ruleCount(storage(), zoneId)).to.equal(14 + 7 - removed);
    }
  });

  it('deletes a rule once when twenty try', async () => {
    const { caller, zoneId, order } = await storedZoneWithRules(storage(), 2);
    const { remove } = useCases(storage());
    const results = await atOnce(racers, () => remove(caller, zoneId, order[0]!, undefined));
    expect(tally(results)).to.deep.equal({ Ok: 1, RuleNotFound: racers - 1 });
    expect(await ruleCount(storage(), zoneId)).to.equal(1);
  });

  it('creates one rule when twenty are asked for under one name', async () => {
    const { create } = useCases(storage());
    for (const _ of rounds) {
      const { caller, zone } = await storedZone(storage());
      const name = (index: number) => (index % 2 === 0 ? 'Föhn' : 'FÖHN');
      const results = await atOnce(racers, (index) => create(caller, zone.id, aRuleDraft({ name: name(index) })));
      expect(tally(results)).to.deep.equal({ Ok: 1, 'rule.name.duplicate': racers - 1 });
      expect(await ruleCount(storage(), zone.id)).to.equal(1);
    }
  });

  it('creates one rule when twenty are asked for with the same conditions', async () => {
    const { create } = useCases(storage());
    for (const _ of rounds) {
      const { caller, zone } = await storedZone(storage());
      const results = await atOnce(racers, () => create(caller, zone.id, aRuleDraft({ path: '/same' })));
      expect(tally(results)).to.deep.equal({ Ok: 1, 'rule.conditions.duplicate': racers - 1 });
      expect(await ruleCount(storage(), zone.id)).to.equal(1);
    }
  });

  it('gives one of twenty rules the name they all change to', async () => {
    const { caller, zoneId, order } = await storedZoneWithRules(storage(), racers);
    const { update } = useCases(storage());
    const results = await atOnce(racers, (index) =>
      update(caller, zoneId, order[index]!, { name: 'wanted' }, undefined),
    );
    expect(tally(results)).to.deep.equal({ Ok: 1, 'rule.name.duplicate': racers - 1 });
  });

  it('loses none of twenty patches of different members', async () => {
    const { caller, zoneId, order } = await storedZoneWithRules(storage(), 1);
    const { update } = useCases(storage());
    const patches = [{ enabled: false }, { stopOnMatch: true }, { description: 'patched' }, { name: 'patched' }];
    const results = await atOnce(racers, (index) => update(caller, zoneId, order[0]!, patches[index % 4]!, undefined));
    expect(tally(results)).to.deep.equal({ Ok: racers });
    const [rule] = await rulesOf(storage(), zoneId);
    expect(rule).to.include({ ...patches[0], ...patches[1], ...patches[2], ...patches[3], revision: racers + 1 });
  });

  it('keeps the limit of 100 rules when twenty are created next to 99', async () => {
    const { caller, zoneId } = await storedZoneWithRules(storage(), 99);
    const { create } = useCases(storage());
    const results = await atOnce(racers, () => create(caller, zoneId, aRuleDraft()));
    expect(tally(results)).to.deep.equal({ Ok: 1, 'zone.rules.limit': racers - 1 });
  });
}

function turns(storage: () => Storage): void {
  it('makes a second move wait until the first is committed, and applies it to the new order', async () => {
    const { caller, zoneId, order } = await storedZoneWithRules(storage(), 3);
    const [first, second, third] = [order[0]!, order[1]!, order[2]!];
    const held = await hold(
      storage(),
      ({ zones, configurationRules }) => zones.lock(zoneId).andThen(() => configurationRules.order(zoneId)),
      ({ configurationRules }) => configurationRules.saveOrder(zoneId, moveRule(order, third, RulePosition.parse(1))),
    );
    const { update } = useCases(storage());
    const moving = update(caller, zoneId, second, { order: 1 }, undefined);
    expect(await waits(storage(), moving)).to.equal(true);
    await okOf(held.release());
    expect((await okOf(moving)).moved).to.deep.equal([
      { id: second, order: 1 },
      { id: third, order: 2 },
      { id: first, order: 3 },
    ]);
    expect(await seen(storage(), ({ configurationRules }) => configurationRules.order(zoneId))).to.deep.equal([
      second,
      third,
      first,
    ]);
  });

  it('makes a second creation wait, and refuses the name that the first one took', async () => {
    const { caller, zone } = await storedZone(storage());
    const rule = aRule({ zoneId: zone.id });
    const held = await hold(
      storage(),
      ({ zones, configurationRules }) => zones.lock(zone.id).andThen(() => configurationRules.clashes(rule)),
      ({ configurationRules }) =>
        configurationRules.add(rule).andThen(() => configurationRules.saveOrder(zone.id, [rule.id])),
    );
    const { create } = useCases(storage());
    const creating = create(caller, zone.id, aRuleDraft({ name: rule.name.toUpperCase() }));
    expect(await waits(storage(), creating)).to.equal(true);
    await okOf(held.release());
    expect(tally([await creating])).to.deep.equal({ 'rule.name.duplicate': 1 });
  });

  it('asks storage for the role, so a right that was withdrawn meanwhile is not used', async () => {
    const { userId, organizationId, caller, zone } = await storedZone(storage());
    const { create } = useCases(storage());
    await storage().setRole(organizationId, userId, 'viewer');
    expect(await errorOf(create(caller, zone.id, aRuleDraft()))).to.include({ type: 'PermissionDenied' });
    expect(await ruleCount(storage(), zone.id)).to.equal(0);
  });

  it('makes the withdrawal of the role wait until the rule is written', async () => {
    const { userId, organizationId, zone } = await storedZone(storage());
    const rule = aRule({ zoneId: zone.id });
    const held = await hold(
      storage(),
      ({ zones, organizations }) =>
        organizations.lockMembership(organizationId, userId).andThen(() => zones.lock(zone.id)),
      ({ configurationRules }) =>
        configurationRules.add(rule).andThen(() => configurationRules.saveOrder(zone.id, [rule.id])),
    );
    const withdrawal = storage().setRole(organizationId, userId, undefined);
    expect(await waits(storage(), withdrawal)).to.equal(true);
    await okOf(held.release());
    await withdrawal;
    expect(await ruleCount(storage(), zone.id)).to.equal(1);
    const membership = await done(storage(), ({ organizations }) =>
      organizations.lockMembership(organizationId, userId),
    );
    expect(membership).to.equal(undefined);
  });
}
