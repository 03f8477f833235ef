import { type JsonObject, jsonDocument, scenarioActions, scenarioDistincts, scenarioScopes } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorldWithList, listOf, namesIn, onPath } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

const filter = onPath('/login');
const leaky = { name: 'a', filter, capacity: 5, leakSpeedSeconds: 10 };
const counter = { name: 'a', type: 'counter', filter, capacity: 5, durationSeconds: 60 };
const trigger = { name: 'a', type: 'trigger', filter };
const written = (members: object) => ({ ...leaky, ...members });
const without = (body: object, member: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
const onStatus = (operator: string, value?: string) =>
  written({ filter: { logic: 'and', conditions: [{ field: 'status', operator, value }] } });

type Case = readonly [what: string, body: object, ...codes: string[]];

const accepted: readonly Case[] = [
  ['a leaky bucket', leaky],
  ['a leaky bucket by name', written({ type: 'leaky' })],
  ['a counter', counter],
  ['a trigger', trigger],
  ['a name of one character', written({ name: '0' })],
  ['a name of 63 characters', written({ name: 'a'.repeat(63) })],
  ['a name with hyphens', written({ name: 'a--b-' })],
  ['a filter on one status', onStatus('equals', '404')],
  ['a filter on any status but one', onStatus('not_equals', '200')],
  ['a filter on many statuses', onStatus('in', '400,403,404')],
  ['a filter on statuses on separate lines', onStatus('in', '400\n599')],
  ...scenarioScopes.map((scope): Case => [`the scope ${scope}`, written({ scope })]),
  ...scenarioDistincts.map((distinct): Case => [`counting distinct ${distinct}`, written({ distinct })]),
  ...scenarioActions.map((action): Case => [`the action ${action}`, written({ action })]),
  [
    'the minimum of everything',
    written({ capacity: 1, leakSpeedSeconds: 0.1, blackholeSeconds: 0, actionTtlSeconds: 1 }),
  ],
  [
    'the maximum of everything',
    written({ capacity: 10_000, leakSpeedSeconds: 3600, blackholeSeconds: 86_400, actionTtlSeconds: 604_800 }),
  ],
  ['the shortest window', { ...counter, durationSeconds: 1 }],
  ['the longest window', { ...counter, durationSeconds: 86_400 }],
  ['a speed between two', written({ leakSpeedSeconds: 0.5 })],
  ['a scenario that only logs', written({ testing: true, enabled: false })],
  ['the text it was written in', written({ definition: 'name: a' })],
];

const name = 'name scenario.name';
const status = 'filter.conditions[0]';

const refused: readonly Case[] = [
  ['an empty scenario', {}, 'name member.required', 'filter member.required'],
  [
    'a leaky bucket without numbers',
    { name: 'a', filter },
    'capacity member.required',
    'leakSpeedSeconds member.required',
  ],
  [
    'a counter without numbers',
    { ...trigger, type: 'counter' },
    'capacity member.required',
    'durationSeconds member.required',
  ],
  ['a leaky bucket with a window', written({ durationSeconds: 60 }), 'durationSeconds scenario.member.unexpected'],
  ['a counter with a speed', { ...counter, leakSpeedSeconds: 1 }, 'leakSpeedSeconds scenario.member.unexpected'],
  [
    'a trigger with numbers',
    { ...trigger, capacity: 1, leakSpeedSeconds: 1, durationSeconds: 1 },
    'capacity scenario.member.unexpected',
    'leakSpeedSeconds scenario.member.unexpected',
    'durationSeconds scenario.member.unexpected',
  ],
  ['an empty name', written({ name: '' }), name],
  ['a name of 64 characters', written({ name: 'a'.repeat(64) }), name],
  ['a name in upper case', written({ name: 'Login' }), name],
  ['a name that starts with a hyphen', written({ name: '-a' }), name],
  ['a name with a space', written({ name: 'a b' }), name],
  ['a name with a line feed at the end', written({ name: 'a\n' }), name],
  ...['a_b', 'ä'].map((name): Case => [`the name ${name}`, written({ name }), 'name scenario.name']),
  ['a name that is a number', written({ name: 1 }), 'name member.type'],
  ['a description, which it does not have', written({ description: 'x' }), 'description member.unknown'],
  ['a position, which it does not have', written({ order: 1 }), 'order member.unknown'],
  ['a member of the stored form', written({ participationMode: 'opt_in' }), 'participationMode member.unknown'],
  ['an unknown scope', written({ scope: 'city' }), 'scope value.choice'],
  ['an unknown type', written({ type: 'bucket' }), 'type value.choice'],
  ['an unknown way to count', written({ distinct: 'ip' }), 'distinct value.choice'],
  ['an unknown action', written({ action: 'allow' }), 'action value.choice'],
  ['an empty filter', written({ filter: { logic: 'and', conditions: [] } }), 'filter.conditions list.tooShort'],
  ['an invalid status', onStatus('equals', '600'), `${status}.value condition.value.syntax`],
  ['a status that is a word', onStatus('in', '404,teapot'), `${status}.value condition.value.syntax`],
  ['a status with a sign', onStatus('in', '404,-1'), `${status}.value condition.value.syntax`],
  ['an empty list of statuses', onStatus('in', ','), `${status}.value condition.value.required`],
  ['no status', onStatus('equals'), `${status}.value condition.value.required`],
  ...['contains', 'starts_with', 'ends_with', 'matches', 'matches_ci', 'exists', 'not_exists'].map(
    (operator): Case => [
      `a status compared with ${operator}`,
      onStatus(operator, '4'),
      `${status}.operator condition.operator.incompatible`,
    ],
  ),
  [
    'a status with a target',
    written({
      filter: { logic: 'and', conditions: [{ field: 'status', operator: 'equals', value: '404', target: 'x' }] },
    }),
    `${status}.target condition.target.unexpected`,
  ],
  ['a capacity of 0', written({ capacity: 0 }), 'capacity number.range'],
  ['a capacity of 10001', written({ capacity: 10_001 }), 'capacity number.range'],
  ['half an event', written({ capacity: 1.5 }), 'capacity member.type'],
  ['a capacity that is a text', written({ capacity: '5' }), 'capacity member.type'],
  ['a speed of 0.09 seconds', written({ leakSpeedSeconds: 0.09 }), 'leakSpeedSeconds number.range'],
  ['a leak speed above an hour', written({ leakSpeedSeconds: 3600.1 }), 'leakSpeedSeconds number.range'],
  ['a window of zero length', { ...counter, durationSeconds: 0 }, 'durationSeconds number.range'],
  ['a window of more than a day', { ...counter, durationSeconds: 86_401 }, 'durationSeconds number.range'],
  ['a negative silence', written({ blackholeSeconds: -1 }), 'blackholeSeconds number.range'],
  ['a silence of more than a day', written({ blackholeSeconds: 86_401 }), 'blackholeSeconds number.range'],
  ['an action of zero length', written({ actionTtlSeconds: 0 }), 'actionTtlSeconds number.range'],
  ['an action of more than a week', written({ actionTtlSeconds: 604_801 }), 'actionTtlSeconds number.range'],
  ['a duration that is a string', written({ actionTtlSeconds: '60' }), 'actionTtlSeconds member.type'],
  ['a switch that is a number', written({ enabled: 1 }), 'enabled member.type'],
  ['a switch of rules, which it does not have', written({ stopOnMatch: true }), 'stopOnMatch member.unknown'],
  ['a switch that is a text', written({ testing: 'true' }), 'testing member.type'],
];

describe('createRule with a security scenario', () => {
  it('stores it as written, with defaults for omitted members', async () => {
    const { world, owner, zone, list, write } = await aWorldWithList('securityScenario');
    const { rule } = await valueOf(write(leaky));
    expect(rule).to.deep.equal({
      id: rule.id,
      zoneId: zone.id,
      kind: 'securityScenario',
      order: 1,
      content: jsonDocument({
        name: 'a',
        enabled: true,
        testing: false,
        scope: 'ip',
        type: 'leaky',
        filter,
        distinct: 'none',
        capacity: 5,
        leakSpeedSeconds: 10,
        blackholeSeconds: 300,
        action: 'challenge',
        actionTtlSeconds: 14_400,
      }),
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
    });
    expect(await readRule(world)(owner, list, rule.id)).to.deep.equal(ok(rule));
  });

  for (const [what, body] of accepted) {
    it(`accepts ${what}`, async () => {
      const { list, world, write } = await aWorldWithList('securityScenario');
      expect(await refusalOf(write(body))).to.deep.equal(['accepted']);
      expect(await namesIn(world, list)).to.have.length(1);
    });
  }

  for (const [what, body, ...codes] of refused) {
    it(`refuses ${what}`, async () => {
      const { world, write } = await aWorldWithList('securityScenario');
      const before = everythingIn(world);
      expect(await refusalOf(write(body))).to.deep.equal(codes);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  for (const [what, body, members] of [
    ['leaky bucket', leaky, ['capacity', 'leakSpeedSeconds']],
    ['counter', counter, ['capacity', 'durationSeconds']],
  ] as const) {
    for (const member of members) {
      it(`refuses a ${what} without ${member}`, async () => {
        const { write } = await aWorldWithList('securityScenario');
        expect(await refusalOf(write(without(body, member)))).to.deep.equal([`${member} member.required`]);
      });
    }
  }

  it('is the only kind whose conditions may test the response status', async () => {
    const conditions = { logic: 'and', conditions: [{ field: 'status', operator: 'in', value: '404,403' }] };
    const scenarios = await aWorldWithList('securityScenario');
    expect(await refusalOf(scenarios.write(written({ filter: conditions })))).to.deep.equal(['accepted']);
    for (const kind of ['configurationRule', 'accessRule'] as const) {
      const { write } = await aWorldWithList(kind);
      const action = kind === 'accessRule' ? { action: 'block' } : {};
      expect(await refusalOf(write({ name: 'a', conditions, ...action }))).to.deep.equal([
        'conditions.conditions[0].field condition.field',
      ]);
    }
  });

  it('refuses the name of another scenario in the same zone; the filter may be the same', async () => {
    const { world, owner, write } = await aWorldWithList('securityScenario');
    await valueOf(write(leaky));
    expect(await refusalOf(write(counter))).to.deep.equal(['name scenario.name.duplicate']);
    expect(await refusalOf(write(written({ name: 'b' })))).to.deep.equal(['accepted']);
    const other = await aZone(world, owner, { name: 'Other' });
    expect(await refusalOf(write(leaky, listOf(other, 'securityScenario')))).to.deep.equal(['accepted']);
  });

  it('keeps scenarios in the order in which they were created', async () => {
    const { world, list, write } = await aWorldWithList('securityScenario');
    for (const each of ['b', 'c', 'a']) await valueOf(write(written({ name: each })));
    expect(await namesIn(world, list)).to.deep.equal(['1 b', '2 c', '3 a']);
  });
});

describe('updateRule with a security scenario', () => {
  const cases: readonly (readonly [what: string, patch: JsonObject, ...codes: string[]])[] = [
    ['another capacity', { capacity: 6 }, 'accepted'],
    ['only testing', { testing: true }, 'accepted'],
    ['its own name', { name: 'a', enabled: false }, 'accepted'],
    ['a counter with its members', { type: 'counter', durationSeconds: 60, leakSpeedSeconds: null }, 'accepted'],
    [
      'a counter with the members of a leaky bucket',
      { type: 'counter' },
      'leakSpeedSeconds scenario.member.unexpected',
      'durationSeconds member.required',
    ],
    ['no capacity', { capacity: null }, 'capacity member.required'],
    ['a position', { order: 1 }, 'order member.unknown'],
    ['the name of another scenario', { name: 'other' }, 'name scenario.name.duplicate'],
    ['a name in upper case', { name: 'A' }, 'name scenario.name'],
  ];
  for (const [what, patch, ...codes] of cases) {
    it(`${codes[0] === 'accepted' ? 'accepts' : 'refuses'} ${what}`, async () => {
      const arranged = await aWorldWithList('securityScenario');
      await valueOf(arranged.write(written({ name: 'other' })));
      const { rule } = await valueOf(arranged.write(leaky));
      const before = everythingIn(arranged.world);
      expect(await refusalOf(arranged.patch(rule.id, patch))).to.have.members(codes);
      if (codes[0] !== 'accepted') expect(everythingIn(arranged.world)).to.deep.equal(before);
    });
  }

  it('resets a removed member to its default', async () => {
    const { write, patch } = await aWorldWithList('securityScenario');
    const { rule } = await valueOf(write(written({ scope: 'asn', blackholeSeconds: 0, action: 'log' })));
    const updated = await valueOf(patch(rule.id, { scope: null, blackholeSeconds: null, action: null }));
    const defaults = { scope: 'ip', blackholeSeconds: 300, action: 'challenge' };
    expect(updated.rule.content.value).to.deep.equal({ ...rule.content.value, ...defaults });
  });
});
