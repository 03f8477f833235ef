import {
  defaultUsageLimits,
  type RuleKind,
  type RuleList,
  ruleKinds,
  ruleListNames,
  useCases as wired,
} from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { applied, listAs, rulesOf, storedZone, storedZoneWithRules, withRules } from '../arrangements/index.ts';
import { aRule, aRuleContent, aRuleDraft, wholeList } from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { hold } from '../gate.ts';
import { expectOneWinner } from '../races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** What the contract of rules guarantees for concurrent writes. */
export function ruleRaces(storage: () => Storage, kind: RuleKind): void {
  describe('through the use cases', () => writesAtOnce(storage, kind));
  describe('paused in the middle', () => turns(storage, kind));
}

const useCases = ({ unitOfWork }: Storage) => ({
  create: wired({ unitOfWork, ...fakePorts }).createRule,
  update: wired({ unitOfWork }).updateRule,
  remove: wired({ unitOfWork }).deleteRule,
  replace: wired({ unitOfWork, ...fakePorts }).replaceRules,
});

/** A zone without rules, and its list. */
async function emptyList(storage: Storage, kind: RuleKind) {
  const owned = await storedZone(storage);
  return { ...owned, list: { zone: owned.zone.id, kind } satisfies RuleList };
}

/** The number of rules in the list, after asserting that their positions are 1 to n. */
async function ruleCount(storage: Storage, list: RuleList): Promise<number> {
  const rules = await rulesOf(storage, list);
  expect(rules.map(({ order }) => order)).to.deep.equal(rules.map((_, index) => index + 1));
  return rules.length;
}

function writesAtOnce(storage: () => Storage, kind: RuleKind): void {
  it('leaves positions 1 to n after twenty creations', async () => {
    const { caller, list } = await emptyList(storage(), kind);
    const { create } = useCases(storage());
    const results = await concurrently(raceSize, (index) =>
      create(caller, list, aRuleDraft(kind, { order: 1 + (index % 5) })),
    );
    expect(tally(results)).to.deep.equal({ Ok: raceSize });
    expect(await ruleCount(storage(), list)).to.equal(raceSize);
  });

  it('leaves positions 1 to n after twenty moves', async () => {
    const { caller, list, order } = await storedZoneWithRules(storage(), raceSize, kind);
    const { update } = useCases(storage());
    for (const round of rounds) {
      const results = await concurrently(raceSize, (index) =>
        update(caller, list, order[index]!, { order: 1 + ((index * 7 + round) % raceSize) }, undefined),
      );
      expect(tally(results)).to.deep.equal({ Ok: raceSize });
      expect(await ruleCount(storage(), list)).to.equal(raceSize);
    }
  });

  it('leaves positions 1 to n after twenty deletions', async () => {
    const { caller, list, order } = await storedZoneWithRules(storage(), raceSize, kind);
    const { remove } = useCases(storage());
    const results = await concurrently(raceSize, (index) => remove(caller, list, order[index]!, undefined));
    expect(tally(results)).to.deep.equal({ Ok: raceSize });
    expect(await ruleCount(storage(), list)).to.equal(0);
  });

  it('leaves positions 1 to n after creations, moves and deletions at once', async () => {
    const { create, update, remove } = useCases(storage());
    for (const _ of rounds) {
      const { caller, list, order } = await storedZoneWithRules(storage(), 14, kind);
      const results = await concurrently(21, (index): ResultAsync<unknown, unknown> => {
        const id = order[Math.floor(index / 3) * 2 + (index % 2)]!;
        if (index % 3 === 0) return create(caller, list, aRuleDraft(kind, { order: index }));
        if (index % 3 === 1) return update(caller, list, order[index % 14]!, { order: 14 - (index % 14) }, undefined);
        return remove(caller, list, id, undefined);
      });
      expect(results).to.have.lengthOf(21);
      const removed = results.filter((result, index) => index % 3 === 2 && result.isOk()).length;
      expect(await ruleCount(storage(), list)).to.equal(14 + 7 - removed);
    }
  });

  it('deletes a rule once when twenty units try', async () => {
    const { caller, list, order } = await storedZoneWithRules(storage(), 2, kind);
    const { remove } = useCases(storage());
    await expectOneWinner('RuleNotFound', () => remove(caller, list, order[0]!, undefined));
    expect(await ruleCount(storage(), list)).to.equal(1);
  });

  it('creates one rule when twenty are requested under one name', async () => {
    const { create } = useCases(storage());
    for (const _ of rounds) {
      const { caller, list } = await emptyList(storage(), kind);
      const name = (index: number) => (index % 2 === 0 ? 'Föhn' : 'FÖHN');
      await expectOneWinner('rule.name.duplicate', (index) =>
        create(caller, list, aRuleDraft(kind, { name: name(index) })),
      );
      expect(await ruleCount(storage(), list)).to.equal(1);
    }
  });

  it('lets one of twenty rules take the name they all want', async () => {
    const { caller, list, order } = await storedZoneWithRules(storage(), raceSize, kind);
    const { update } = useCases(storage());
    await expectOneWinner('rule.name.duplicate', (index) =>
      update(caller, list, order[index]!, { name: 'wanted' }, undefined),
    );
  });

  it('keeps all of twenty patches of different members', async () => {
    const { caller, list, order } = await storedZoneWithRules(storage(), 1, kind);
    const { update } = useCases(storage());
    const patches = [{ enabled: false }, { stopOnMatch: true }, { description: 'patched' }, { name: 'patched' }];
    const results = await concurrently(raceSize, (index) =>
      update(caller, list, order[0]!, patches[index % 4]!, undefined),
    );
    expect(tally(results)).to.deep.equal({ Ok: raceSize });
    const [rule] = await rulesOf(storage(), list);
    expect(rule!.content.value).to.include({ ...patches[0], ...patches[1], ...patches[2], ...patches[3] });
  });

  it('lets one of twenty replacements of the same version of a list win', async () => {
    const { replace } = useCases(storage());
    for (const _ of rounds) {
      const { caller, list } = await storedZoneWithRules(storage(), 3, kind);
      const { revision } = await readView(storage(), ({ rules }) => rules.list(list, [], wholeList));
      const results = await concurrently(raceSize, (index) => {
        const wanted = Array.from({ length: 1 + (index % 3) }, () => ({
          id: undefined,
          content: aRuleContent(kind),
        }));
        return replace(caller, list, wanted, [String(revision)]);
      });
      expect(tally(results)).to.deep.equal({ Ok: 1, VersionMismatch: raceSize - 1 });
      const [page] = results.flatMap((result) => (result.isOk() ? [result.value] : []));
      expect(await ruleCount(storage(), list)).to.equal(page?.totalItems);
    }
  });

  it('leaves positions 1 to n after replacements and creations at once', async () => {
    const { create, replace } = useCases(storage());
    for (const _ of rounds) {
      const { caller, list, order } = await storedZoneWithRules(storage(), 4, kind);
      const contents = (await rulesOf(storage(), list)).map(({ id, content }) => ({ id, content: content.value }));
      const results = await concurrently(
        8,
        (index): ResultAsync<unknown, { readonly type: string }> =>
          index % 2 === 0
            ? create(caller, list, aRuleDraft(kind, { order: index }))
            : replace(caller, list, contents.toReversed(), undefined),
      );
      expect(tally(results)).to.deep.equal({ Ok: 8 });
      const ids = (await rulesOf(storage(), list)).map(({ id }) => id);
      expect(ids).to.include.members(order);
      await ruleCount(storage(), list);
    }
  });

  it('keeps the limit of the list when twenty rules are created with room for one', async () => {
    const { [kind]: member } = ruleListNames;
    const { [member]: limit } = defaultUsageLimits;
    const { caller, list } = await storedZoneWithRules(storage(), limit - 1, kind);
    const { create } = useCases(storage());
    const results = await concurrently(raceSize, () => create(caller, list, aRuleDraft(kind)));
    expect(tally(results)).to.deep.equal({ Ok: 1, [`zone.${member}.limit`]: raceSize - 1 });
  });
}

/** What depends on whether rules of the kind have a unique key. */
export function sameConditionsAtOnce(storage: () => Storage, kind: RuleKind): void {
  const isKeyed = ruleKinds[kind].uniqueKey !== undefined;
  it(`creates ${isKeyed ? 'one rule' : 'all'} when twenty are requested with the same conditions`, async () => {
    const { create } = useCases(storage());
    for (const _ of rounds) {
      const { caller, list } = await emptyList(storage(), kind);
      const results = await concurrently(raceSize, () => create(caller, list, aRuleDraft(kind, { path: '/same' })));
      const refused = { Ok: 1, 'rule.conditions.duplicate': raceSize - 1 };
      expect(tally(results)).to.deep.equal(isKeyed ? refused : { Ok: raceSize });
      expect(await ruleCount(storage(), list)).to.equal(isKeyed ? 1 : raceSize);
    }
  });
}

function turns(storage: () => Storage, kind: RuleKind): void {
  it('makes a second move wait for the first, and applies it to the new order', async () => {
    const { caller, list, order } = await storedZoneWithRules(storage(), 3, kind);
    const [first, second, third] = [order[0]!, order[1]!, order[2]!];
    const held = await hold(storage(), (repositories) =>
      applied(
        repositories,
        list.zone,
        listAs(list, ([one, two, three]) => [three!, one!, two!]),
      ),
    );
    const { update } = useCases(storage());
    const moving = update(caller, list, second, { order: 1 }, undefined);
    await okOf(held.endBefore(moving));
    expect((await okOf(moving)).moved).to.deep.equal([
      { id: second, order: 1 },
      { id: third, order: 2 },
      { id: first, order: 3 },
    ]);
    const ids = (await rulesOf(storage(), list)).map(({ id }) => id);
    expect(ids).to.deep.equal([second, third, first]);
  });

  it('makes a second creation wait, and refuses the name taken by the first', async () => {
    const { caller, list } = await emptyList(storage(), kind);
    const rule = aRule(kind);
    const held = await hold(storage(), (repositories) => applied(repositories, list.zone, withRules(list, [rule])));
    const { create } = useCases(storage());
    const creating = create(caller, list, aRuleDraft(kind, { name: rule.content.value.name.toUpperCase() }));
    await okOf(held.endBefore(creating));
    expect(tally([await creating])).to.deep.equal({ 'rule.name.duplicate': 1 });
  });

  it('reads the role again, so that a permission revoked meanwhile is not used', async () => {
    const { userId, organizationId, caller, list } = await emptyList(storage(), kind);
    const { create } = useCases(storage());
    await storage().setRole(organizationId, userId, 'viewer');
    expect(await errorOf(create(caller, list, aRuleDraft(kind)))).to.include({ type: 'PermissionDenied' });
    expect(await ruleCount(storage(), list)).to.equal(0);
  });
}
