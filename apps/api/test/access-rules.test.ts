import { someConditions, unique } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import {
  behavesAsNestedRules,
  behavesAsOrderedRules,
  missingId,
  type NestedKind,
  refusesAll,
  storesAsWritten,
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
};

describe('Access rules', () => {
  const at = usePlace(accessRules);
  behavesAsNestedRules(accessRules, at);
  behavesAsOrderedRules(accessRules, at);

  describe('answer 201 and are returned as written', () => {
    const everyTarget = ['waf', 'rateLimiting', 'scenarios', 'underAttack', 'ipLists'];
    storesAsWritten(accessRules, at, [
      ['all skip targets, in any order', { action: 'skip', skipTargets: everyTarget.toReversed(), stopOnMatch: true }],
    ]);
  });

  refusesAll(accessRules, at, [
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
  ]);

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
