import { RuleId, RuleMove } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { moveRule } from '../../../../src/zones/rules/move-rule.ts';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf, orderOf, someRules } from '../../../support/rules.ts';
import { auditActionsIn } from '../../../support/traces.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone, revisionOf } from '../../../support/zones.ts';

const missingId = RuleId.parse('00000000-0000-7000-8000-999999999999');
const letters = ['a', 'b', 'c', 'd', 'e'];

const aWorldWithRules = async () => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const { owner, zone } = arranged;
  const rules = await someRules(world, owner, zone.id, letters);
  const idOf = (letter: string) => rules[letters.indexOf(letter)]?.id ?? missingId;
  const list = configurationRulesOf(zone);
  const move = moveRule(world);
  /** Moves a rule, named by its letter, at any version. */
  const moved = (letter: string, to: object) => move(owner, list, idOf(letter), RuleMove.parse(to), undefined);
  const order = async () => (await orderOf(world, zone.id)).map((each) => each.slice(2)).join('');
  return { world, ...arranged, rules, idOf, list, move, moved, order };
};

type Neighbour = Readonly<Record<string, string | number>>;

describe('moveRule', () => {
  const cases: readonly (readonly [rule: string, to: Neighbour, after: string, positions: readonly number[]])[] = [
    ['a', { before: 'c' }, 'bacde', [1, 2]],
    ['e', { before: 'a' }, 'eabcd', [1, 2, 3, 4, 5]],
    ['d', { before: 'b' }, 'adbce', [2, 3, 4]],
    ['a', { after: 'e' }, 'bcdea', [1, 2, 3, 4, 5]],
    ['b', { after: 'c' }, 'acbde', [2, 3]],
    ['a', { position: 3 }, 'bcade', [1, 2, 3]],
    ['b', { position: 99 }, 'acdeb', [2, 3, 4, 5]],
    ['c', { position: 0 }, 'cabde', [1, 2, 3]],
    ['a', { before: 'a' }, 'abcde', []],
    ['c', { after: 'c' }, 'abcde', []],
  ];
  for (const [letter, to, after, positions] of cases) {
    const [[where, neighbour]] = Object.entries(to) as [[string, string | number]];
    it(`moves ${letter} of abcde ${where} ${neighbour}: ${after}`, async () => {
      const { idOf, moved, order } = await aWorldWithRules();
      const target = typeof neighbour === 'string' ? idOf(neighbour) : neighbour;
      const outcome = await valueOf(moved(letter, { [where]: target }));
      expect(await order()).to.equal(after);
      expect(outcome.rule.order).to.equal(after.indexOf(letter) + 1);
      expect(outcome.moved).to.deep.equal(
        positions.map((position) => ({ id: idOf(after.charAt(position - 1)), order: position })),
      );
    });
  }

  it('resolves to the rule in its new state, with unchanged content and timestamps', async () => {
    const { world, owner, list, rules, moved } = await aWorldWithRules();
    world.clock.advance(60);
    const { rule } = await valueOf(moved('a', { position: 2 }));
    expect(rule).to.deep.equal({ ...rules[0], order: 2 });
    expect(await readRule(world)(owner, list, rule.id)).to.deep.equal(ok(rule));
    const shifted = await valueOf(readRule(world)(owner, list, rules[1]!.id));
    expect(shifted).to.deep.equal({ ...rules[1], order: 1 });
  });

  const idle: readonly (readonly [what: string, to: (idOf: (letter: string) => RuleId) => object])[] = [
    ['its own position', () => ({ position: 2 })],
    ['directly before the one it precedes', (idOf) => ({ before: idOf('c') })],
    ['directly after the one it follows', (idOf) => ({ after: idOf('a') })],
    ['directly before itself', (idOf) => ({ before: idOf('b') })],
    ['directly after itself', (idOf) => ({ after: idOf('b') })],
  ];
  for (const [what, to] of idle) {
    it(`leaves no trace if the rule is moved to ${what}`, async () => {
      const { world, rules, idOf, moved } = await aWorldWithRules();
      const before = everythingIn(world);
      world.clock.advance(60);
      expect(await moved('b', to(idOf))).to.deep.equal(ok({ rule: rules[1], moved: [] }));
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  it('refuses a neighbour missing from the list, and moves nothing', async () => {
    const { world, owner, zone, moved } = await aWorldWithRules();
    const other = await aZone(world, owner, { name: 'Other' });
    const foreign = await aRule(world, owner, other.id, 'foreign');
    const before = everythingIn(world);
    for (const id of [missingId, foreign.id]) {
      expect(await refusalOf(moved('b', { before: id }))).to.deep.equal(['before rule.unknown']);
      expect(await refusalOf(moved('b', { after: id }))).to.deep.equal(['after rule.unknown']);
    }
    expect(everythingIn(world)).to.deep.equal(before);
    expect(revisionOf(world, zone.id)).to.equal(6);
  });

  it('moves nothing to before or after a rule of another kind', async () => {
    const { world, owner, list, rules, move } = await aWorldWithRules();
    const another = { ...list, kind: 'rewriteRule' } as const;
    const refused = move(
      owner,
      another,
      rules[0]!.id,
      { position: RuleMove.parse({ position: 1 }).position },
      undefined,
    );
    expect(await refusalOf(refused)).to.deep.equal(['RuleNotFound']);
    expect(auditActionsIn(world)).to.not.include('rewriteRule.moved');
  });
});

describe('RuleMove', () => {
  const id = missingId;
  const bodies: readonly (readonly [body: object, ...codes: string[]])[] = [
    [{ before: id }],
    [{ after: id.toUpperCase() }],
    [{ position: 1 }],
    [{ position: 2_000_000_000 }],
    [{}, 'rule.move.target'],
    [{ before: id, after: id }, 'rule.move.target'],
    [{ before: id, position: 1 }, 'rule.move.target'],
    [{ before: 'x' }, 'invalid_format'],
    [{ position: 1.5 }, 'invalid_type'],
    [{ position: '1' }, 'invalid_type'],
    [{ order: 1, position: 1 }, 'unrecognized_keys'],
  ];
  for (const [body, ...codes] of bodies) {
    it(`${codes.length === 0 ? 'takes' : 'refuses'} ${JSON.stringify(body)}`, () => {
      const issues = RuleMove.safeParse(body).error?.issues ?? [];
      expect(issues.map((issue) => (issue.code === 'custom' ? issue.params?.['code'] : issue.code))).to.deep.equal(
        codes,
      );
    });
  }
});
