import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './readme-support.ts';
import { aZone, unique } from './support/arrange.ts';
import { expectProblem, type Reply } from './support/client.ts';
import {
  type Body,
  behavesAsNestedRules,
  missingId,
  type NestedKind,
  type NestedRule,
  refusesAll,
  storesAsWritten,
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
  nameTaken: 'scenario.name.duplicate',
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
  const define = (definition: unknown) => at().post({ definition });
  const defined = async (definition: string) => {
    const reply = await define(definition);
    expect(reply.status, reply.text).to.equal(201);
    return reply.json() as NestedRule;
  };
  const expectRefused = (reply: Reply, code: string) =>
    expectProblem(reply, 422, 'validation-failed', [`definition: ${code}`]);

  describe('answer 201 and are returned as written', () => {
    const byType: Readonly<Record<string, Body>> = {
      leaky: { type: 'leaky', capacity: 10_000, leakSpeedSeconds: 3600 },
      counter: { type: 'counter', capacity: 1, durationSeconds: 86_400 },
      trigger: { type: 'trigger' },
    };
    for (const [what, members] of Object.entries(byType)) {
      it(`of the type ${what}`, async () => {
        const { name, filter } = securityScenarios.least();
        const reply = await at().post({ name, filter, ...members });
        expect(reply.status, reply.text).to.equal(201);
        const { capacity, leakSpeedSeconds, durationSeconds, type } = reply.json() as NestedRule;
        const measures = Object.entries({ type, capacity, leakSpeedSeconds, durationSeconds });
        expect(Object.fromEntries(measures.filter(([, value]) => value !== undefined))).to.deep.equal(members);
      });
    }

    storesAsWritten(securityScenarios, at, [
      ['a scenario that only logs', { testing: true, enabled: false }],
      [
        'a list of statuses, with conditions on the request',
        {
          filter: {
            logic: 'or',
            conditions: [
              { field: 'status', operator: 'in', value: '400,403\n404' },
              { field: 'status', operator: 'not_equals', value: '200' },
              { field: 'method', operator: 'not_in', value: 'GET,HEAD' },
            ],
          },
        },
      ],
    ]);
  });

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

    it('is generated once it is patched to null', async () => {
      const scenario = await defined(aDefinition());
      const { definition, ...members } = (await patch(scenario, { definition: null })).json() as NestedRule;
      const { definition: _, updatedAt: __, ...before } = scenario;
      expect(members).to.deep.include(before);
      expect(definition).not.to.include('#');
    });

    it('replaces every member in a patch: omitted ones get their default', async () => {
      const scenario = await at().create({ enabled: false, scope: 'host', action: 'log' });
      const definition = `name: ${scenario.name}\ntype: trigger\nfilter: ${JSON.stringify(someFilter)}\n`;
      const patched = (await patch(scenario, { definition })).json() as NestedRule;
      expect(patched).to.deep.include({ definition, type: 'trigger', enabled: true, scope: 'ip', action: 'challenge' });
      expect(patched).not.to.have.any.keys('capacity', 'leakSpeedSeconds');
    });

    it('can accompany equivalent members, in any spelling', async () => {
      const definition = aDefinition('same');
      const filter = {
        conditions: [
          { value: '.env', field: 'uri', operator: 'ends_with', target: null },
          { field: 'extension', operator: 'in', value: 'bak,sql' },
        ],
        logic: 'or',
      };
      const reply = await at().post({ filter, type: 'trigger', action: 'challenge', name: 'same', definition });
      expect(reply.status, reply.text).to.equal(201);
      expect(reply.json()).to.deep.include({ definition });
    });

    it('answers 422 when members contradict it or are incomplete', async () => {
      const definition = aDefinition('same');
      const filter = { logic: 'and', conditions: [{ field: 'uri', operator: 'ends_with', value: '.env' }] };
      const scenario = await defined(aDefinition('other'));
      for (const members of [
        { name: 'same' },
        { name: 'same', type: 'trigger', filter },
        { ...(await read(scenario)), enabled: false },
        { capacity: null },
      ]) {
        expectRefused(await at().post({ ...members, definition }), 'scenario.definition.conflict');
        expectRefused(await patch(scenario, { ...members, definition }), 'scenario.definition.conflict');
      }
      expect(await read(scenario)).to.deep.equal(scenario);
    });

    it('is always returned in a valid form, whatever the members contain', async () => {
      const values = [
        'plain',
        '404',
        'true',
        'null',
        '~',
        'two  blanks',
        'a: b # c',
        '- x',
        '{[]}&*!|>%@`',
        '\'"\\',
        '<<',
        '---',
        '0x10',
        '😀 \u2028 \ufeff.',
        `${'word '.repeat(60)}end`,
      ];
      const conditions = values.map((value) => ({ field: 'cookie', operator: 'equals', target: 'a', value }));
      const lists = ['a\nb', '\n a \n\n b: c\n', '#\n-\n'].map((value) => ({
        field: 'cookie',
        operator: 'in',
        target: 'a',
        value,
      }));
      const scenario = await at().create({ filter: { logic: 'or', conditions: [...conditions, ...lists] } });
      const { definition } = scenario;
      const { path, ada } = at();
      const copy = await ada.post(path(await aZone(ada)), { definition });
      expect(copy.status, copy.text).to.equal(201);
      expect(copy.json()).to.deep.include({ filter: scenario['filter'], definition });
    });

    it('is always returned in a valid form, even with members of the maximum size', async () => {
      const conditions = Array.from({ length: 25 }, () => ({
        field: 'query',
        operator: 'in',
        value: 'a\n'.repeat(190),
      }));
      const scenario = await at().create({ filter: { logic: 'or', conditions } });
      expect((await patch(scenario, await read(scenario))).json()).to.deep.equal(scenario);
      expect((scenario['definition'] as string).length).to.be.at.most(32_768);
    });

    it('accepts 32 KiB and answers 422 to one byte more', async () => {
      const even = aDefinition().padEnd(400, '\n');
      const fit = `${even}# ${'ä'.repeat((32_768 - even.length - 2) / 2)}`;
      expect(Buffer.byteLength(fit)).to.equal(32_768);
      expect((await defined(fit))['definition']).to.equal(fit);
      expectRefused(await define(`${fit}#`), 'scenario.definition.tooLong');
    });

    it('can contain every member, the maximum number of conditions, and a comment on each', async () => {
      const condition = '    - { "field": "header", "operator": "equals", "target": "X-A", "value": "b" } # why';
      const more =
        'enabled: true\ntesting: false\nscope: ip\ndistinct: none\nblackholeSeconds: 1\nactionTtlSeconds: 1\n';
      const filter = `filter:\n  logic: or\n  conditions:\n${`${condition}\n`.repeat(25)}`;
      await defined(`name: all\ntype: counter\ncapacity: 1\ndurationSeconds: 1\naction: log\n${more}${filter}`);
    });

    it('accepts any line breaks, tabs, a byte order mark and a document marker', async () => {
      for (const write of [
        (text: string) => text.replaceAll('\n', '\r\n'),
        (text: string) => text.replace('name: ', 'name:\t'),
        (text: string) => `\ufeff${text}`,
        (text: string) => `%YAML 1.2\n---\n${text}...\n`,
        () => JSON.stringify(securityScenarios.least()),
      ]) {
        const definition = write(aDefinition());
        expect((await defined(definition))['definition']).to.equal(definition);
      }
    });

    const wrongMembers: readonly (readonly [what: string, text: string, ...violations: readonly string[]])[] = [
      ['a number out of range', 'actionTtlSeconds: 0', 'actionTtlSeconds: number.range'],
      ['infinity', 'blackholeSeconds: .inf', 'blackholeSeconds: member.type'],
      ['a word of YAML 1.1', 'testing: yes', 'testing: member.type'],
      ['an unknown member', 'nmae: x', 'nmae: member.unknown'],
      ['a position', 'order: 1', 'order: member.unknown'],
      [
        'several things',
        'scope: all\naction: none\ncapacity: 0',
        'scope: value.choice',
        'capacity: number.range',
        'action: value.choice',
      ],
    ];
    for (const [what, text, ...violations] of wrongMembers) {
      it(`answers 422 to ${what} in it, naming the member`, async () => {
        expectProblem(await define(`${aDefinition()}${text}\n`), 422, 'validation-failed', violations);
      });
    }

    const base = aDefinition('base');
    const refused: readonly (readonly [what: string, definition: unknown, code: string])[] = [
      ['a value that is not a string', 7, 'scenario.definition.type'],
      ['an object', { name: 'a' }, 'scenario.definition.type'],
      ['an empty text', '', 'scenario.definition.type'],
      ['only a comment', '# nothing', 'scenario.definition.type'],
      ['a word', 'probing', 'scenario.definition.type'],
      ['a list', '- name: a', 'scenario.definition.type'],
      ['broken YAML', 'name: [a', 'scenario.definition.yaml'],
      ['a duplicate key', `${base}name: again\n`, 'scenario.definition.yaml'],
      ['a duplicate nested key', base.replace('value: .env', 'value: .env, value: b'), 'scenario.definition.yaml'],
      ['a key that is not a string', `${base}? [a]\n: b\n`, 'scenario.definition.yaml'],
      ['an anchor', base.replace('name: ', 'name: &a '), 'scenario.definition.construct'],
      ['an anchor and an alias', `${base.replace('or', '&a or')}action: *a\n`, 'scenario.definition.construct'],
      ['an alias as key', `${base.replace('name: ', 'name: &a ')}*a : b\n`, 'scenario.definition.construct'],
      ['a tag of YAML', base.replace('name: ', 'name: !!str '), 'scenario.definition.construct'],
      ['a custom tag', base.replace('name: ', 'name: !secret '), 'scenario.definition.construct'],
      ['a tag on the document', `!!map\n${base}`, 'scenario.definition.construct'],
      [
        'a verbatim tag',
        base.replace('name: ', 'name: !<tag:yaml.org,2002:js/function> '),
        'scenario.definition.construct',
      ],
      ['a merge key', `${base}<<: { action: block }\n`, 'scenario.definition.construct'],
      ['a merge key of YAML 1.1', `%YAML 1.1\n---\n${base}<<: { action: block }\n`, 'scenario.definition.construct'],
      ['a second document', `${base}---\n${base}`, 'scenario.definition.construct'],
      ['__proto__', `${base}__proto__: { action: block }\n`, 'scenario.definition.construct'],
      [
        '__proto__ inside',
        base.replace('{ field', '{ __proto__: { field: a }, field'),
        'scenario.definition.construct',
      ],
      ['"__proto__" with an escape', `${base}"\\x5f_proto__": { action: block }\n`, 'scenario.definition.construct'],
      ['constructor', `${base}constructor: { prototype: { action: block } }\n`, 'scenario.definition.construct'],
      ['a definition inside', `${base}definition: ''\n`, 'scenario.definition.construct'],
      ['a billion laughs', billionLaughs(), 'scenario.definition.construct'],
      ['an alias to itself', 'name: &a [*a]', 'scenario.definition.construct'],
      ['U+0000', `${base}# \0`, 'text.control'],
      ['a terminal escape sequence', `${base}# \u001b[31m`, 'text.control'],
      ['a lone surrogate', `${base}# \ud800`, 'text.encoding'],
      ['33 levels', `a: ${'['.repeat(33)}${']'.repeat(33)}`, 'scenario.definition.construct'],
      ['900 levels of lists', `a: ${'['.repeat(900)}`, 'scenario.definition.construct'],
      ['900 levels of mappings', '? '.repeat(900), 'scenario.definition.construct'],
      ['32 KiB of brackets', '['.repeat(32_768), 'scenario.definition.tooLong'],
      ['32 KiB of closing brackets', '}'.repeat(32_768), 'scenario.definition.tooLong'],
      ['32 KiB of dashes', '- '.repeat(16_384), 'scenario.definition.tooLong'],
      [
        '32 KiB of keys',
        Array.from({ length: 5000 }, (_, index) => `${index}:`)
          .join('\n')
          .slice(0, 32_768),
        'scenario.definition.tooLong',
      ],
      ['32 KiB of anchors', '&a '.repeat(10_900), 'scenario.definition.tooLong'],
    ];
    for (const [what, definition, code] of refused) {
      it(`answers 422 to ${what}`, async () => {
        expectRefused(await define(definition), code);
        expect(await at().list()).to.be.empty;
      });
    }

    it('answers 422 to all of these in a patch too, without any effect', async () => {
      const scenario = await defined(aDefinition());
      for (const [what, definition, code] of refused) {
        const reply = await patch(scenario, { definition });
        expect(reply.json(), what).to.have.nested.property('violations[0].code', code);
      }
      expect(await read(scenario)).to.deep.equal(scenario);
    });

    it('reports the line of an error', async () => {
      const reply = await define('name: a\ntype: trigger\nname: b\n');
      expect(reply.json()).to.have.property('detail').that.includes('in line 3');
    });
  });

  describe('have no position', () => {
    it('in any response', async () => {
      const { ada, post, path } = at();
      const [created, other] = [await post(securityScenarios.least()), await post(securityScenarios.least())];
      const patched = await ada.patch(itemPath(other.json() as NestedRule), { enabled: false });
      const deleted = await ada.delete(itemPath(created.json() as NestedRule));
      for (const reply of [created, other, patched, deleted])
        expect(reply.headers.get('rule-positions')).to.equal(null);
      for (const reply of [created, patched]) expect(reply.json()).not.to.have.property('order');
      expectProblem(await ada.put(path(), [], { 'if-match': '*' }), 405, 'method-not-allowed');
      for (const id of [(other.json() as NestedRule).id, missingId]) {
        expectProblem(await ada.post(`${itemPath({ id })}/move`, { position: 1 }), 404, 'not-found');
      }
    });

    it('so null for it changes nothing', async () => {
      const scenario = await at().create();
      expect((await patch(scenario, { order: null })).json()).to.deep.equal(scenario);
    });
  });

  describe('in the API guide', () => {
    const guide = readFileSync(join(root, 'docs/api-guide.md'), 'utf8');
    const examples = [...guide.matchAll(/<<'YAML'\n([^]*?)^YAML$/gm)].map(([, yaml]) => yaml ?? '');
    const leaf = (field: string, operator: string, value: string) => ({ field, operator, value });
    const expected: readonly Body[] = [
      {
        name: 'probing',
        filter: { logic: 'and', conditions: [leaf('status', 'in', '400,403,404')] },
        distinct: 'uri',
        capacity: 10,
        leakSpeedSeconds: 10,
        blackholeSeconds: 300,
      },
      {
        name: 'crawl',
        filter: {
          logic: 'and',
          conditions: [
            leaf('method', 'in', 'GET,HEAD'),
            leaf(
              'extension',
              'not_in',
              'css,js,mjs,map,csv,pdf,zip,gz,br,woff,woff2,ttf,otf,eot,ico,png,jpg,jpeg,gif,webp,avif,svg,bmp,mp3,m4a,ogg,wav,mp4,webm,mov,wasm',
            ),
          ],
        },
        distinct: 'uri',
        capacity: 40,
        leakSpeedSeconds: 0.5,
        blackholeSeconds: 60,
      },
      {
        name: 'brute-force',
        filter: {
          logic: 'and',
          conditions: [leaf('method', 'equals', 'POST'), leaf('status', 'in', '401,403')],
        },
        capacity: 5,
        leakSpeedSeconds: 10,
        blackholeSeconds: 60,
        action: 'block',
        actionTtlSeconds: 3600,
      },
    ];
    for (const [index, members] of expected.entries()) {
      it(`contain ${String(members['name'])}, as accepted YAML`, async () => {
        const definition = examples[index] ?? expect.fail('no example');
        expect(await defined(definition)).to.deep.include({ ...members, type: 'leaky', definition });
      });
    }
  });
});

/** Nine levels, each referring to the previous one nine times. */
function billionLaughs(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const entry = level === 0 ? 'lol' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 9 }, () => entry).join(', ')}]`;
  });
  return levels.join('\n');
}
