import { expect } from 'chai';
import { unique } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import {
  behavesAsNestedRules,
  missingId,
  type NestedKind,
  type NestedRule,
  refusesAll,
  usePlace,
} from './support/rule-suite.ts';

const someFilter = { logic: 'and', conditions: [{ field: 'status', operator: 'equals', value: '404' }] };

const securityScenarios: NestedKind = {
  type: 'SecurityScenario',
  collection: 'security/scenarios',
  member: 'securityScenarios',
  limit: 20,
  counter: ['scenarios', 20],
  least: () => ({ name: `scenario-${unique()}`, filter: someFilter, capacity: 10, leakSpeedSeconds: 0.5 }),
  defaults: ({ name }) => ({
    enabled: true,
    testing: false,
    scope: 'ip',
    evaluationScope: 'ip',
    type: 'leaky',
    distinct: 'none',
    blackholeSeconds: 300,
    action: 'challenge',
    actionTtlSeconds: 14_400,
    definition: `name: ${String(name)}
enabled: true
testing: false
scope: ip
type: leaky
filter:
  logic: and
  conditions:
    - field: status
      operator: equals
      value: "404"
distinct: none
capacity: 10
leakSpeedSeconds: 0.5
blackholeSeconds: 300
action: challenge
actionTtlSeconds: 14400
`,
  }),
  change: ['action', 'log'],
};

/** A minimal scenario with a comment, as an author writes it. */
const aDefinition = (name = `written-${unique()}`) => `# What nobody should look for.
name: ${name}
type: trigger
filter: # two kinds of files
  logic: or
  conditions:
    - { field: uri, operator: ends_with, value: .env }
    - { field: extension, operator: in, value: 'bak,sql' }
`;

describe('Security scenarios', () => {
  const at = usePlace(securityScenarios);
  behavesAsNestedRules(securityScenarios, at);

  const itemPath = ({ id }: { readonly id: string }) => `${at().path()}/${id}`;
  const patch = (rule: NestedRule, body: unknown) => at().ada.patch(itemPath(rule), body);
  const read = async (rule: NestedRule) => (await at().ada.get(itemPath(rule))).json() as NestedRule;
  const defined = async (definition: string) => {
    const reply = await at().post({ definition });
    expect(reply.status, reply.text).to.equal(201);
    return reply.json() as NestedRule;
  };

  refusesAll(securityScenarios, at, [
    [
      'several errors at once',
      {
        name: 'A',
        enabled: 'x',
        scope: 'all',
        filter: { logic: 'x', conditions: [{ field: 'x', operator: 'y' }] },
        capacity: 0,
        action: 7,
        nmae: 1,
      },
      'name: scenario.name',
      'enabled: member.type',
      'scope: value.choice',
      'filter.logic: condition.logic',
      'filter.conditions[0].field: condition.field',
      'filter.conditions[0].operator: condition.operator',
      'capacity: number.range',
      'action: value.choice',
      'nmae: member.unknown',
    ],
  ]);

  describe('definition', () => {
    it('is sufficient for a scenario, with every default, and is returned as written', async () => {
      const definition = aDefinition('no-secrets');
      const scenario = await defined(definition);
      expect(scenario).to.deep.include({
        name: 'no-secrets',
        enabled: true,
        testing: false,
        scope: 'ip',
        type: 'trigger',
        filter: {
          logic: 'or',
          conditions: [
            { field: 'uri', operator: 'ends_with', value: '.env' },
            { field: 'extension', operator: 'in', value: 'bak,sql' },
          ],
        },
        distinct: 'none',
        blackholeSeconds: 300,
        action: 'challenge',
        actionTtlSeconds: 14_400,
        definition,
      });
      expect(await read(scenario)).to.deep.equal(scenario);
      expect(await at().list()).to.deep.equal([scenario]);
    });

    it('keeps its comments when something else in the zone changes, and when it is sent back', async () => {
      const { ada, zone } = at();
      const scenario = await defined(aDefinition());
      await ada.patch(`/api/zones/${zone.id}`, { zone_settings: { minifyHtml: true } });
      expect((await patch(scenario, await read(scenario))).json()).to.deep.equal(scenario);
      expect((await patch(scenario, { definition: scenario['definition'] })).json()).to.deep.equal(scenario);
    });

    it('is generated once members are patched, until it is written again', async () => {
      const definition = aDefinition();
      const scenario = await defined(definition);
      const patched = (await patch(scenario, { action: 'block', blackholeSeconds: 0 })).json() as NestedRule;
      expect(patched['definition'])
        .to.include('action: block\n')
        .and.include('blackholeSeconds: 0\n')
        .and.not.include('#');
      expect((await read(scenario))['definition']).to.equal(patched['definition']);
      const again = (await patch(scenario, { definition })).json() as NestedRule;
      expect(again).to.deep.include({ definition, action: 'challenge', blackholeSeconds: 300 });
    });

    it('replaces every member in a patch: omitted ones get their default', async () => {
      const scenario = await at().create({ enabled: false, scope: 'host', action: 'log' });
      const definition = `name: ${scenario.name}\ntype: trigger\nfilter: ${JSON.stringify(someFilter)}\n`;
      const patched = (await patch(scenario, { definition })).json() as NestedRule;
      expect(patched).to.deep.include({ definition, type: 'trigger', enabled: true, scope: 'ip', action: 'challenge' });
      expect(patched).not.to.have.any.keys('capacity', 'leakSpeedSeconds');
    });

    it('answers 422 when it is refused, contradicts other members, or has invalid ones', async () => {
      const scenario = await defined(aDefinition('other'));
      const refused = [
        [{ definition: 'name: [a' }, 'definition: scenario.definition.yaml'],
        [{ name: 'same', definition: aDefinition('same') }, 'definition: scenario.definition.conflict'],
        [{ definition: `${aDefinition()}actionTtlSeconds: 0\n` }, 'actionTtlSeconds: number.range'],
        [{ definition: `${aDefinition()}order: 1\n` }, 'order: member.unknown'],
      ] as const;
      for (const [body, violation] of refused) {
        expectProblem(await at().post(body), 422, 'validation-failed', [violation]);
        expectProblem(await patch(scenario, body), 422, 'validation-failed', [violation]);
      }
      expect(await at().list()).to.deep.equal([scenario]);
    });

    it('reports the line of an error', async () => {
      const reply = await at().post({ definition: 'name: a\ntype: trigger\nname: b\n' });
      expect(reply.json()).to.have.property('detail').that.includes('in line 3');
    });
  });

  it('have no position in any response', async () => {
    const { ada, post, path } = at();
    const [created, other] = [await post(securityScenarios.least()), await post(securityScenarios.least())];
    const patched = await ada.patch(itemPath(other.json() as NestedRule), { enabled: false });
    const deleted = await ada.delete(itemPath(created.json() as NestedRule));
    for (const reply of [created, other, patched, deleted]) expect(reply.headers.get('rule-positions')).to.equal(null);
    for (const reply of [created, patched]) expect(reply.json()).not.to.have.property('order');
    expectProblem(await ada.put(path(), [], { 'if-match': '*' }), 405, 'method-not-allowed');
    for (const id of [(other.json() as NestedRule).id, missingId]) {
      expectProblem(await ada.post(`${itemPath({ id })}/move`, { position: 1 }), 404, 'not-found');
    }
  });
});
