import { expect } from 'chai';
import { someConditions, unique } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import {
  type Body,
  behavesAsNestedRules,
  behavesAsOrderedRules,
  missingId,
  type NestedKind,
  usePlace,
} from './support/rule-suite.ts';

const accessRules: NestedKind = {
  type: 'AccessRule',
  collection: 'access-rules',
  member: 'accessRules',
  limit: 100,
  counter: ['waf', 100],
  least: () => ({ name: `access-${unique()}`, conditions: someConditions(), action: 'block' }),
  defaults: () => ({ description: '', skipTargets: [], stopOnMatch: false, enabled: true, order: 1 }),
  change: ['action', 'challenge'],
  nameTaken: 'rule.name.duplicate',
};

describe('Access rules', () => {
  const at = usePlace(accessRules);
  behavesAsNestedRules(accessRules, at);
  behavesAsOrderedRules(accessRules, at);

  const attempt = (members: Body) => at().post({ ...accessRules.least(), ...members });

  describe('answer 201 and are returned as written', () => {
    const everyTarget = ['waf', 'rateLimiting', 'scenarios', 'underAttack', 'ipLists'];
    const accepted: readonly (readonly [what: string, members: Body])[] = [
      ['all skip targets, in any order', { action: 'skip', skipTargets: everyTarget.toReversed(), stopOnMatch: true }],
    ];
    for (const [what, members] of accepted) {
      it(what, async () => {
        const reply = await attempt(members);
        expect(reply.status, reply.text).to.equal(201);
        expect(reply.json()).to.deep.include(members);
      });
    }
  });

  describe('answer 422', () => {
    const refused: readonly (readonly [what: string, members: Body, ...violations: readonly string[]])[] = [
      [
        'several errors at once',
        {
          name: 7,
          description: [],
          enabled: 1,
          stopOnMatch: 'no',
          action: 'SKIP',
          skipTargets: ['WAF', 'waf', 'waf'],
          order: '1',
          conditions: {
            logic: 'xor',
            conditions: [
              { field: 'ip', operator: 'contains', value: '1' },
              { field: 'header', operator: 'exists' },
            ],
          },
        },
        'name: member.type',
        'description: member.type',
        'enabled: member.type',
        'conditions.logic: condition.logic',
        'conditions.conditions[0].operator: condition.operator.incompatible',
        'conditions.conditions[1].target: condition.target.required',
        'action: value.choice',
        'skipTargets[0]: value.choice',
        'stopOnMatch: member.type',
        'order: member.type',
      ],
    ];
    for (const [what, members, ...violations] of refused) {
      it(`to ${what}`, async () => {
        expectProblem(await attempt(members), 422, 'validation-failed', violations);
        expect(await at().list()).to.be.empty;
      });
    }
  });

  it('are reordered by replacing the list, with every error reported at its position', async () => {
    const { ada, path, create } = at();
    const rule = await create();
    const body = [
      rule,
      { ...accessRules.least(), action: 'skip' },
      { ...accessRules.least(), id: missingId, action: 'x' },
    ];
    const reply = await ada.put(path(), body, { 'if-match': '*' });
    expectProblem(reply, 422, 'validation-failed', [
      '[1].skipTargets: accessRule.skipTargets.required',
      '[2].action: value.choice',
    ]);
  });
});
