import { type RuleKind, type RuleList, type RuleOrder, type RuleRewrite, ruleKinds } from '@zonewright/core';
import { expect } from 'chai';
import { addRules, rulesOf, storedZone } from './arrangements.ts';
import { aRule, aRuleId } from './builders.ts';
import { done, errorOf, okOf, seen, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** What the contract of the rules promises of many writes of a list at once. */
export function ruleRewriteContract(storage: () => Storage, kind: RuleKind): void {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, path: `/${name}` })) as [Traits, Traits, Traits];

  /** A zone with the rules a, b and c, and what is in it now. */
  const arranged = async () => {
    const { zone } = await storedZone(storage());
    const list: RuleList = { zone: zone.id, kind };
    const rules = [a, b, c].map((traits) => aRule(kind, traits));
    await addRules(storage(), list, rules);
    const [first, second, third] = rules.map(({ id }) => id);
    return { list, ids: [first!, second!, third!] as const };
  };
  const rewritten = (list: RuleList, rewrite: Partial<RuleRewrite<RuleKind>>, order: RuleOrder) =>
    storage().unitOfWork.run(({ zones, rules }) =>
      zones
        .lock(list.zone)
        .andThen(() => rules.rewrite(list, { removed: [], changed: [], added: [], ...rewrite }))
        .andThen(() => rules.saveOrder(list, order)),
    );

  it('removes, changes and adds at once, and leaves the other rules as they are', async () => {
    const { list, ids } = await arranged();
    await storage().passTime(10);
    const [, second, third] = await rulesOf(storage(), list);
    const changed = aRule(kind, { id: ids[1], members: { enabled: false } });
    const added = [aRule(kind), aRule(kind)] as const;
    const order = [added[0].id, ids[2], ids[1], added[1].id];
    await okOf(rewritten(list, { removed: [ids[0]], changed: [changed], added }, order));
    const after = await rulesOf(storage(), list);
    expect(after.map((rule) => [rule.id, rule.order, rule.content.text, rule.revision])).to.deep.equal([
      [added[0].id, 1, added[0].content.text, 1],
      [ids[2], 2, third!.content.text, 1],
      [ids[1], 3, changed.content.text, 2],
      [added[1].id, 4, added[1].content.text, 1],
    ]);
    expect(after[1]).to.deep.equal({ ...third, order: 2 });
    expect(after[2]!.createdAt).to.deep.equal(second!.createdAt);
    expect(after[2]!.updatedAt.getTime()).to.be.greaterThan(second!.updatedAt.getTime());
  });

  it('does nothing to the rules when it names none', async () => {
    const { list, ids } = await arranged();
    const before = await rulesOf(storage(), list);
    await okOf(rewritten(list, {}, ids));
    expect(await rulesOf(storage(), list)).to.deep.equal(before);
  });

  it('lets two rules swap their names and what they look at', async () => {
    const { list, ids } = await arranged();
    const changed = [aRule(kind, { id: ids[0], ...b }), aRule(kind, { id: ids[1], ...a })];
    await okOf(rewritten(list, { changed }, ids));
    const after = await rulesOf(storage(), list);
    expect(after.map(({ id, content }) => [id, content.value.name])).to.deep.equal([
      [ids[0], 'b'],
      [ids[1], 'a'],
      [ids[2], 'c'],
    ]);
  });

  it('lets names and keys go round among many rules', async () => {
    const { list, ids } = await arranged();
    const changed = [c, a, b].map((traits, index) => aRule(kind, { id: ids[index]!, ...traits }));
    await okOf(rewritten(list, { changed }, ids));
    const clash = (traits: Traits) =>
      seen(storage(), ({ rules }) => rules.clashes(list, aRule(kind, { id: ids[0], ...traits })));
    expect(await clash(c)).to.deep.equal([]);
    expect(await clash(a)).to.deep.include({ type: 'RuleNameTaken' });
  });

  it('gives what a removed rule had to a changed one, and what a changed one had to a new one', async () => {
    const { list, ids } = await arranged();
    const added = aRule(kind, b);
    const changed = aRule(kind, { id: ids[1], ...a });
    await okOf(rewritten(list, { removed: [ids[0]], changed: [changed], added: [added] }, [ids[1], ids[2], added.id]));
    expect((await rulesOf(storage(), list)).map(({ content }) => content.value.name)).to.deep.equal(['a', 'c', 'b']);
  });

  it('takes what rules of other lists have', async () => {
    const [one, other] = [await arranged(), await arranged()];
    const changed = [aRule(kind, { id: one.ids[0], name: 'd', path: '/d' })];
    await okOf(rewritten(one.list, { changed }, one.ids));
    await okOf(
      rewritten(other.list, { changed: [aRule(kind, { id: other.ids[1], name: 'd', path: '/d' })] }, other.ids),
    );
  });

  const isKeyed = ruleKinds[kind].uniqueKey !== undefined;
  const keyClash = isKeyed ? 'RuleKeyTaken' : 'Ok';
  const clashes: readonly {
    readonly title: string;
    readonly rewrite: (ids: RuleOrder) => Partial<RuleRewrite<RuleKind>>;
    readonly result: string;
  }[] = [
    {
      title: 'a changed rule and one that stays have the same name',
      rewrite: ([id]) => ({ changed: [aRule(kind, { id: id!, name: 'B' })] }),
      result: 'RuleNameTaken',
    },
    {
      title: 'two changed rules have the same name',
      rewrite: ([id, other]) => ({
        changed: [aRule(kind, { id: id!, name: 'Föhn' }), aRule(kind, { id: other!, name: 'FÖHN' })],
      }),
      result: 'RuleNameTaken',
    },
    {
      title: 'a new rule and one that stays have the same name',
      rewrite: () => ({ added: [aRule(kind, { name: 'C' })] }),
      result: 'RuleNameTaken',
    },
    {
      title: 'two new rules have the same name',
      rewrite: () => ({ added: [aRule(kind, { name: 'd' }), aRule(kind, { name: 'D' })] }),
      result: 'RuleNameTaken',
    },
    {
      title: 'a new and a changed rule have the same name',
      rewrite: ([id]) => ({ changed: [aRule(kind, { id: id!, name: 'd' })], added: [aRule(kind, { name: 'D' })] }),
      result: 'RuleNameTaken',
    },
    {
      title: 'a changed rule and one that stays look at the same',
      rewrite: ([id]) => ({ changed: [aRule(kind, { id: id!, path: '/b' })] }),
      result: keyClash,
    },
    {
      title: 'two new rules look at the same',
      rewrite: () => ({ added: [aRule(kind, { path: '/d' }), aRule(kind, { path: '/d' })] }),
      result: keyClash,
    },
  ];
  for (const { title, rewrite, result } of clashes) {
    it(`${result === 'Ok' ? 'takes it' : 'refuses, and changes nothing,'} when ${title}`, async () => {
      const { list, ids } = await arranged();
      const before = await rulesOf(storage(), list);
      const wanted = rewrite(ids);
      const order = [...ids, ...(wanted.added ?? []).map(({ id }) => id)];
      const outcome = await rewritten(list, wanted, order);
      expect(tally([outcome])).to.deep.equal({ [result]: 1 });
      const after = await rulesOf(storage(), list);
      expect(after.map(({ id }) => id)).to.deep.equal(outcome.isOk() ? order : ids);
      if (outcome.isErr()) expect(after).to.deep.equal(before);
    });
  }

  it('removes nothing when it is refused', async () => {
    const { list, ids } = await arranged();
    const before = await rulesOf(storage(), list);
    const refused = rewritten(list, { removed: [ids[2]], changed: [aRule(kind, { id: ids[0], name: 'b' })] }, []);
    expect(await errorOf(refused)).to.deep.equal({ type: 'RuleNameTaken' });
    expect(await rulesOf(storage(), list)).to.deep.equal(before);
  });

  it('removes only rules of the list', async () => {
    const [one, other] = [await arranged(), await arranged()];
    await done(storage(), ({ rules }) =>
      rules.rewrite(one.list, { removed: [...other.ids, aRuleId()], changed: [], added: [] }),
    );
    expect(await rulesOf(storage(), one.list)).to.have.lengthOf(3);
    expect(await rulesOf(storage(), other.list)).to.have.lengthOf(3);
  });
}

interface Traits {
  readonly name: string;
  readonly path: string;
}
