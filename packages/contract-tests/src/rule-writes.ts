import { type RuleKind, type RuleList, ruleKinds, type WrittenRule } from '@zonewright/core';
import { expect } from 'chai';
import { addRules, rulesOf, storedZone, storedZoneWithRules } from './arrangements.ts';
import { aRule, aRuleId, type RuleTraits } from './builders.ts';
import { done, errorOf, okOf } from './results.ts';
import type { Storage } from './storage.ts';

/** What the contract of the rules promises of writes of one rule. */
export function ruleWriteContract(storage: () => Storage, kind: RuleKind): void {
  describe('add', () => addition(storage, kind));
  describe('save', () => saving(storage, kind));
  describe('remove', () => removal(storage, kind));
}

/** A rule that looks at the same and is called differently. */
const lookingAtTheSame = ({ content }: WrittenRule, kind: RuleKind, id = aRuleId()): WrittenRule => {
  const named = aRule(kind).content.value.name;
  const value = { ...content.value, name: named } as WrittenRule['content']['value'];
  return { id, content: { value, text: JSON.stringify(value) } };
};

/** A rule that is called the same and looks at something else. */
const calledTheSame = ({ content }: WrittenRule, kind: RuleKind, id = aRuleId()): WrittenRule =>
  aRule(kind, { id, name: content.value.name });

function addition(storage: () => Storage, kind: RuleKind): void {
  it('resolves to the stamp that is read back', async () => {
    const { zone } = await storedZone(storage());
    const [list, rule] = [{ zone: zone.id, kind }, aRule(kind)];
    const stamp = await done(storage(), ({ rules }) =>
      rules.saveOrder(list, [rule.id]).andThen(() => rules.add(list, rule)),
    );
    const { createdAt, updatedAt, revision } = (await rulesOf(storage(), list))[0]!;
    expect(stamp).to.deep.equal({ createdAt, updatedAt, revision });
  });

  it('begins at the revision of the zone, alone and among others', async () => {
    const { zone } = await storedZone(storage());
    const [list, rule, another] = [{ zone: zone.id, kind }, aRule(kind), aRule(kind)];
    const ids = [rule.id, another.id];
    await done(storage(), ({ zones, rules }) =>
      zones
        .raiseVersion(zone.id)
        .andThen(() => rules.add(list, rule))
        .andThen(() => zones.raiseVersion(zone.id))
        .andThen(() => rules.rewrite(list, { removed: [], changed: [], added: [another] }))
        .andThen(() => rules.saveOrder(list, ids)),
    );
    expect((await rulesOf(storage(), list)).map(({ revision }) => revision)).to.deep.equal([2, 3]);
  });

  const attempt = async (traits: RuleTraits) => {
    const { zone } = await storedZone(storage());
    const list: RuleList = { zone: zone.id, kind };
    const [stored, tried] = [aRule(kind, { name: 'Föhn', path: '/a' }), aRule(kind, traits)];
    await addRules(storage(), list, [stored]);
    const outcome = await storage().unitOfWork.run(({ zones, rules }) =>
      zones
        .lock(zone.id)
        .andThen(() => rules.saveOrder(list, [stored.id, tried.id]))
        .andThen(() => rules.add(list, tried)),
    );
    const ids = outcome.isOk() ? [stored.id, tried.id] : [stored.id];
    expect((await rulesOf(storage(), list)).map(({ id }) => id)).to.deep.equal(ids);
    return outcome.isOk() ? undefined : outcome.error;
  };

  it('refuses a name that another rule of the list has, whatever the letter case', async () => {
    expect(await attempt({ name: 'FÖHN' })).to.deep.equal({ type: 'RuleNameTaken' });
  });

  const isKeyed = ruleKinds[kind].uniqueKey !== undefined;
  it(`${isKeyed ? 'refuses' : 'takes'} conditions that another rule of the list has`, async () => {
    expect(await attempt({ path: '/a' })).to.deep.equal(isKeyed ? { type: 'RuleKeyTaken' } : undefined);
  });

  it('takes name and conditions that a rule of another zone has', async () => {
    const { rules } = await storedZoneWithRules(storage(), 1, kind);
    const { zone } = await storedZone(storage());
    await addRules(storage(), { zone: zone.id, kind }, [{ ...rules[0]!, id: aRuleId() }]);
  });
}

function saving(storage: () => Storage, kind: RuleKind): void {
  const save = (list: RuleList, rule: WrittenRule) =>
    storage().unitOfWork.run(({ zones, rules }) => zones.lock(list.zone).andThen(() => rules.save(list, rule)));

  it('replaces everything that is written, and keeps position and time of creation', async () => {
    const { list, zoneId, rules } = await storedZoneWithRules(storage(), 3, kind);
    await storage().passTime(10);
    const [first, before, third] = await rulesOf(storage(), list);
    const changed = aRule(kind, { id: rules[1]!.id, members: { enabled: false, stopOnMatch: true } });
    const stamp = await okOf(save(list, changed));
    const [unchanged, after, last] = await rulesOf(storage(), list);
    expect(after).to.deep.equal({ ...changed, ...stamp, zoneId, kind, order: 2 });
    expect([unchanged, last]).to.deep.equal([first, third]);
    expect(stamp).to.include({ revision: 2 });
    expect(stamp.createdAt).to.deep.equal(before!.createdAt);
    expect(stamp.updatedAt.getTime()).to.be.greaterThan(before!.updatedAt.getTime());
  });

  it('accepts a rule’s own name and conditions', async () => {
    const { list, rules } = await storedZoneWithRules(storage(), 2, kind);
    expect((await okOf(save(list, rules[0]!))).revision).to.equal(2);
  });

  it('refuses the name of another rule of the list', async () => {
    const { list, rules } = await storedZoneWithRules(storage(), 2, kind);
    const refused = save(list, calledTheSame(rules[0]!, kind, rules[1]!.id));
    expect(await errorOf(refused)).to.deep.equal({ type: 'RuleNameTaken' });
  });

  const isKeyed = ruleKinds[kind].uniqueKey !== undefined;
  it(`${isKeyed ? 'refuses' : 'takes'} the conditions of another rule of the list`, async () => {
    const { list, rules } = await storedZoneWithRules(storage(), 2, kind);
    const outcome = await save(list, lookingAtTheSame(rules[0]!, kind, rules[1]!.id));
    expect(outcome.isOk() ? undefined : outcome.error).to.deep.equal(isKeyed ? { type: 'RuleKeyTaken' } : undefined);
  });
}

function removal(storage: () => Storage, kind: RuleKind): void {
  it('removes that rule only, and sets its name and conditions free', async () => {
    const { list, rules, order } = await storedZoneWithRules(storage(), 3, kind);
    const [first, second, third] = order;
    await done(storage(), (repositories) =>
      repositories.zones
        .lock(list.zone)
        .andThen(() => repositories.rules.remove(list, second!))
        .andThen(() => repositories.rules.saveOrder(list, [first!, third!])),
    );
    const left = (await rulesOf(storage(), list)).map((rule) => [rule.id, rule.order]);
    expect(left).to.deep.equal([
      [first, 1],
      [third, 2],
    ]);
    await addRules(storage(), list, [{ ...rules[1]!, id: aRuleId() }]);
  });

  it('does nothing to a rule of another zone, or to one that is not there', async () => {
    const first = await storedZoneWithRules(storage(), 1, kind);
    const second = await storedZoneWithRules(storage(), 1, kind);
    for (const id of [second.order[0]!, aRuleId()]) {
      await done(storage(), ({ rules }) => rules.remove(first.list, id));
    }
    expect(await rulesOf(storage(), first.list)).to.have.lengthOf(1);
    expect(await rulesOf(storage(), second.list)).to.have.lengthOf(1);
  });
}
