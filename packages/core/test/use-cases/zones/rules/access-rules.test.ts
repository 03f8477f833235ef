import { type JsonObject, jsonDocument, skipTargets } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorldWithList, listOf, namesIn, onPath } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

const plain = { name: 'a', conditions: onPath('/a'), action: 'block' };
const skip = { ...plain, action: 'skip', skipTargets: ['waf'] };
const written = (members: object) => ({ ...plain, ...members });
const on = (...conditions: readonly object[]) => ({ logic: 'and', conditions });

type Case = readonly [what: string, body: object, ...codes: string[]];

const accepted: readonly Case[] = [
  ...['allow', 'block', 'challenge'].map((action): Case => [`the action ${action}`, written({ action })]),
  ...skipTargets.map((target): Case => [`sparing a request ${target}`, { ...skip, skipTargets: [target] }]),
  ['skipping everything', { ...skip, skipTargets }],
  ['skipping everything, in another order', { ...skip, skipTargets: skipTargets.toReversed() }],
  ['no targets for other actions', written({ skipTargets: [] })],
];

const refused: readonly Case[] = [
  ['an empty rule', {}, 'name member.required', 'conditions member.required', 'action member.required'],
  ['no conditions', written({ conditions: on() }), 'conditions.conditions list.tooShort'],
  [
    'more than 25 conditions',
    written({ conditions: on(...Array.from({ length: 26 }, (_, index) => onPath(`/${index}`).conditions[0]!)) }),
    'conditions.conditions list.tooLong',
  ],
  ['an unknown action', written({ action: 'log' }), 'action value.choice'],
  ['an action in upper case', written({ action: 'BLOCK' }), 'action value.choice'],
  ['skipping nothing', { ...skip, skipTargets: [] }, 'skipTargets accessRule.skipTargets.required'],
  ['skipping without targets', written({ action: 'skip' }), 'skipTargets accessRule.skipTargets.required'],
  ['an unknown target', { ...skip, skipTargets: ['waf', 'cache'] }, 'skipTargets[1] value.choice'],
  ['a target twice', { ...skip, skipTargets: ['waf', 'ipLists', 'waf'] }, 'skipTargets[2] list.duplicate'],
  ['targets that are not a list', { ...skip, skipTargets: 'waf' }, 'skipTargets member.type'],
  ...['allow', 'block', 'challenge'].map(
    (action): Case => [
      `targets with the action ${action}`,
      { ...skip, action },
      'skipTargets accessRule.skipTargets.unexpected',
    ],
  ),
  ['a type, which it does not have', written({ type: 'redirect' }), 'type member.unknown'],
  ['a switch that is a text', written({ stopOnMatch: 'true' }), 'stopOnMatch member.type'],
  ['a switch that is a number', written({ enabled: 1 }), 'enabled member.type'],
  ['a position that is a text', written({ order: '1' }), 'order member.type'],
  ['overrides, which it does not have', written({ settingsOverrides: {} }), 'settingsOverrides member.unknown'],
];

describe('createRule with an access rule', () => {
  it('stores it as written, with defaults for omitted members', async () => {
    const { world, owner, zone, list, write } = await aWorldWithList('accessRule');
    const { rule, moved } = await valueOf(write(plain));
    expect(rule).to.deep.equal({
      id: rule.id,
      zoneId: zone.id,
      kind: 'accessRule',
      order: 1,
      content: jsonDocument({
        name: 'a',
        description: '',
        enabled: true,
        conditions: onPath('/a'),
        action: 'block',
        skipTargets: [],
        stopOnMatch: false,
      }),
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
    });
    expect(moved).to.deep.equal([{ id: rule.id, order: 1 }]);
    expect(await readRule(world)(owner, list, rule.id)).to.deep.equal(ok(rule));
  });

  for (const [what, body] of accepted) {
    it(`accepts ${what}`, async () => {
      const { list, world, write } = await aWorldWithList('accessRule');
      expect(await refusalOf(write(body))).to.deep.equal(['accepted']);
      expect(await namesIn(world, list)).to.have.length(1);
    });
  }

  for (const [what, body, ...codes] of refused) {
    it(`refuses ${what}`, async () => {
      const { world, write } = await aWorldWithList('accessRule');
      const before = everythingIn(world);
      expect(await refusalOf(write(body))).to.deep.equal(codes);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  it('refuses the name of another access rule in the same zone, in any case', async () => {
    const { world, owner, write } = await aWorldWithList('accessRule');
    await valueOf(write(written({ name: 'Föhn' })));
    const again = written({ name: 'FÖHN', conditions: onPath('/b') });
    expect(await refusalOf(write(again))).to.deep.equal(['name rule.name.duplicate']);
    const other = await aZone(world, owner, { name: 'Other' });
    expect(await refusalOf(write(again, listOf(other, 'accessRule')))).to.deep.equal(['accepted']);
  });

  it('accepts the conditions of another access rule', async () => {
    const { world, list, write } = await aWorldWithList('accessRule');
    await valueOf(write(plain));
    expect(await refusalOf(write(written({ name: 'b', action: 'allow' })))).to.deep.equal(['accepted']);
    expect(await namesIn(world, list)).to.deep.equal(['1 a', '2 b']);
  });
});

describe('updateRule with an access rule', () => {
  const cases: readonly (readonly [what: string, stored: object, patch: JsonObject, ...codes: string[]])[] = [
    ['another action', plain, { action: 'challenge' }, 'accepted'],
    ['skip with targets', plain, { action: 'skip', skipTargets: ['waf'] }, 'accepted'],
    ['skip without targets', plain, { action: 'skip' }, 'skipTargets accessRule.skipTargets.required'],
    [
      'a different action with targets left',
      skip,
      { action: 'block' },
      'skipTargets accessRule.skipTargets.unexpected',
    ],
    ['a different action without targets', skip, { action: 'block', skipTargets: null }, 'accepted'],
    ['no conditions', plain, { conditions: { conditions: [] } }, 'conditions.conditions list.tooShort'],
    ['no action', plain, { action: null }, 'action member.required'],
    ['the name of another rule', plain, { name: 'OTHER' }, 'name rule.name.duplicate'],
    ['the conditions of another rule', plain, { conditions: onPath('/other') }, 'accepted'],
  ];
  for (const [what, stored, patch, ...codes] of cases) {
    it(`${codes[0] === 'accepted' ? 'accepts' : 'refuses'} ${what}`, async () => {
      const arranged = await aWorldWithList('accessRule');
      await valueOf(arranged.write(written({ name: 'other', conditions: onPath('/other') })));
      const { rule } = await valueOf(arranged.write(stored));
      const before = everythingIn(arranged.world);
      expect(await refusalOf(arranged.patch(rule.id, patch))).to.deep.equal(codes);
      if (codes[0] !== 'accepted') expect(everythingIn(arranged.world)).to.deep.equal(before);
    });
  }

  it('leaves no trace if it changes nothing', async () => {
    const { world, write, patch } = await aWorldWithList('accessRule');
    const { rule } = await valueOf(write(skip));
    world.clock.advance(60);
    const before = everythingIn(world);
    for (const body of [{}, { order: 1 }, { order: 5 }, { name: 'a', skipTargets: ['waf'] }, { description: null }]) {
      expect(await valueOf(patch(rule.id, body))).to.deep.equal({ rule, moved: [] });
    }
    expect(everythingIn(world)).to.deep.equal(before);
  });
});
