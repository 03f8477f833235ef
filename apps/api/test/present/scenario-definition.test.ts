import { type InvalidInput, type Json, type JsonObject, parseRuleContent } from '@zonewright/core';
import { expect } from 'chai';
import type { Result } from 'neverthrow';
import { fromScenarioBody, fromScenarioPatch, scenarioMembers } from '../../src/present/zones/scenario-definition.ts';

/** A minimal scenario with a comment, as an author writes it. */
const aDefinition = (name = 'a') => `# What nobody should look for.
name: ${name}
type: trigger
filter: # two kinds of files
  logic: or
  conditions:
    - { field: uri, operator: ends_with, value: .env }
    - { field: extension, operator: in, value: 'bak,sql' }
`;

/** The value of a result expected to be ok. */
const okOf = <T>(result: Result<T, InvalidInput>): T =>
  result.match(
    (value) => value,
    (error) => expect.fail(JSON.stringify(error)),
  );

const codesOf = (result: Result<JsonObject, InvalidInput>): readonly string[] =>
  result.match(
    () => [],
    ({ violations }) => violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`),
  );

const filter = {
  logic: 'or',
  conditions: [
    { field: 'uri', operator: 'ends_with', value: '.env' },
    { field: 'extension', operator: 'in', value: 'bak,sql' },
  ],
};

describe('fromScenarioBody', () => {
  it('takes the members from a definition, which it keeps as written', () => {
    const definition = aDefinition('a');
    expect(okOf(fromScenarioBody({ definition }))).to.deep.equal({
      name: 'a',
      type: 'trigger',
      filter,
      definition,
    });
  });

  it('accepts any line breaks, tabs, a byte order mark, a document marker and JSON', () => {
    const { definition: _, ...members } = okOf(fromScenarioBody({ definition: aDefinition('a') }));
    for (const write of [
      (text: string) => text.replaceAll('\n', '\r\n'),
      (text: string) => text.replace('name: ', 'name:\t'),
      (text: string) => `\ufeff${text}`,
      (text: string) => `%YAML 1.2\n---\n${text}...\n`,
      () => JSON.stringify(members),
    ]) {
      const definition = write(aDefinition('a'));
      expect(okOf(fromScenarioBody({ definition }))).to.deep.equal({ ...members, definition });
    }
  });

  it('accepts equivalent members beside it, in any spelling', () => {
    const definition = aDefinition('same');
    const same = { conditions: filter.conditions.map((condition) => ({ target: null, ...condition })), logic: 'or' };
    const body = { filter: same, type: 'trigger', action: 'challenge', name: 'same', definition };
    expect(codesOf(fromScenarioBody(body))).to.deep.equal([]);
  });

  it('refuses other or incomplete members beside it', () => {
    const definition = aDefinition('same');
    const other = { logic: 'and', conditions: filter.conditions.slice(0, 1) };
    for (const members of [
      { name: 'same' },
      { name: 'same', type: 'trigger', filter: other },
      { name: 'same', type: 'trigger', filter, enabled: false },
      { capacity: null },
    ]) {
      expect(codesOf(fromScenarioBody({ ...members, definition }))).to.deep.equal([
        'definition scenario.definition.conflict',
      ]);
    }
  });

  it('accepts 32 KiB, every member, and a comment on each of 25 conditions', () => {
    const even = aDefinition().padEnd(400, '\n');
    const fit = `${even}# ${'ä'.repeat((32_768 - even.length - 2) / 2)}`;
    expect(Buffer.byteLength(fit)).to.equal(32_768);
    expect(okOf(fromScenarioBody({ definition: fit }))).to.include({ definition: fit });
    expect(codesOf(fromScenarioBody({ definition: `${fit}#` }))).to.deep.equal([
      'definition scenario.definition.tooLong',
    ]);
    const condition = '    - { "field": "header", "operator": "equals", "target": "X-A", "value": "b" } # why';
    const more = 'enabled: true\ntesting: false\nscope: ip\ndistinct: none\nblackholeSeconds: 1\nactionTtlSeconds: 1\n';
    const conditions = `filter:\n  logic: or\n  conditions:\n${`${condition}\n`.repeat(25)}`;
    const full = `name: all\ntype: counter\ncapacity: 1\ndurationSeconds: 1\naction: log\n${more}${conditions}`;
    expect(codesOf(fromScenarioBody({ definition: full }))).to.deep.equal([]);
  });

  const base = aDefinition('base');
  const refused: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
    'scenario.definition.type': {
      'a value that is not a string': 7,
      'an object': { name: 'a' },
      'an empty text': '',
      'only a comment': '# nothing',
      'a word': 'probing',
      'a list': '- name: a',
    },
    'scenario.definition.yaml': {
      'broken YAML': 'name: [a',
      'a duplicate key': `${base}name: again\n`,
      'a duplicate nested key': base.replace('value: .env', 'value: .env, value: b'),
      'a key that is not a string': `${base}? [a]\n: b\n`,
    },
    'scenario.definition.construct': {
      'an anchor': base.replace('name: ', 'name: &a '),
      'an anchor and an alias': `${base.replace('or', '&a or')}action: *a\n`,
      'an alias as key': `${base.replace('name: ', 'name: &a ')}*a : b\n`,
      'a tag of YAML': base.replace('name: ', 'name: !!str '),
      'a custom tag': base.replace('name: ', 'name: !secret '),
      'a tag on the document': `!!map\n${base}`,
      'a verbatim tag': base.replace('name: ', 'name: !<tag:yaml.org,2002:js/function> '),
      'a merge key': `${base}<<: { action: block }\n`,
      'a merge key of YAML 1.1': `%YAML 1.1\n---\n${base}<<: { action: block }\n`,
      'a second document': `${base}---\n${base}`,
      'the key __proto__': `${base}__proto__: { action: block }\n`,
      '__proto__ inside': base.replace('{ field', '{ __proto__: { field: a }, field'),
      '"__proto__" with an escape': `${base}"\\x5f_proto__": { action: block }\n`,
      'the key constructor': `${base}constructor: { prototype: { action: block } }\n`,
      'a definition inside': `${base}definition: ''\n`,
      'a billion laughs': billionLaughs(),
      'an alias to itself': 'name: &a [*a]',
      '33 levels': `a: ${'['.repeat(33)}${']'.repeat(33)}`,
      '900 levels of lists': `a: ${'['.repeat(900)}`,
      '900 levels of mappings': '? '.repeat(900),
    },
    'text.control': {
      'U+0000': `${base}# \0`,
      'a terminal escape sequence': `${base}# \u001b[31m`,
    },
    'text.encoding': { 'a lone surrogate': `${base}# \ud800` },
    'scenario.definition.tooLong': {
      '32 KiB of brackets': '['.repeat(32_768),
      '32 KiB of closing brackets': '}'.repeat(32_768),
      '32 KiB of dashes': '- '.repeat(16_384),
      '32 KiB of keys': Array.from({ length: 3200 }, (_, index) => `${index}:`).join('\n'),
      '32 KiB of anchors': '&a '.repeat(10_900),
    },
  };
  for (const [code, definitions] of Object.entries(refused)) {
    for (const [what, definition] of Object.entries(definitions)) {
      it(`refuses ${what}`, () => {
        expect(codesOf(fromScenarioBody({ definition }))).to.deep.equal([`definition ${code}`]);
      });
    }
  }
});

describe('fromScenarioPatch', () => {
  it('replaces every member by those of a definition', () => {
    const definition = aDefinition('a');
    const patch = okOf(fromScenarioPatch({ definition }));
    expect(patch).to.deep.include({ name: 'a', type: 'trigger', filter, definition, scope: null, capacity: null });
  });

  it('discards the text when members are patched, and keeps it otherwise', () => {
    expect(okOf(fromScenarioPatch({ action: 'block' }))).to.deep.equal({ action: 'block', definition: null });
    for (const patch of [{}, { definition: null }]) expect(okOf(fromScenarioPatch(patch))).to.deep.equal(patch);
  });
});

describe('scenarioMembers', () => {
  const generated = (conditions: readonly JsonObject[]) => {
    const body = { name: 'a', type: 'trigger', filter: { logic: 'or', conditions } };
    const members = okOf(parseRuleContent('securityScenario', body));
    const definition = scenarioMembers(members)['definition'] as string;
    expect(okOf(fromScenarioBody({ definition }))).to.deep.equal(members);
    return definition;
  };

  it('generates a definition that is accepted, whatever the members contain', () => {
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
      'a\nb',
      '\n a \n\n b: c\n',
      '#\n-\n',
    ];
    generated(values.map((value) => ({ field: 'cookie', operator: 'in', target: 'a', value })));
  });

  it('generates at most 32 KiB for members of the maximum size', () => {
    const value = 'a\n'.repeat(190);
    const text = generated(Array.from({ length: 25 }, () => ({ field: 'query', operator: 'in', value })));
    expect(text.length).to.be.at.most(32_768);
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
