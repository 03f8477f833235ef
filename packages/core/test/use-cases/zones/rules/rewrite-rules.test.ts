import { type JsonObject, jsonDocument } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { createRule } from '../../../../src/zones/rules/create-rule.ts';
import { deleteRule } from '../../../../src/zones/rules/delete-rule.ts';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorldWithList, draftOf, listOf, namesIn, onPath } from '../../../support/rules.ts';
import { everythingIn, inTables } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

const plain = { name: 'a', operator: 'equals', sourcePattern: '/a', target: '/b' };
const redirect = { ...plain, type: 'redirect' };
const pattern = { ...plain, operator: 'regex', sourcePattern: '^/(a)(b)$' };
const groups = (count: number) => '(a)'.repeat(count);

/** A redirect whose group matches anything. */
const to = (target: string) => ({ ...plain, operator: 'regex', sourcePattern: '^/go(.*)$', type: 'redirect', target });

const written = (members: object) => ({ ...plain, ...members });

type Case = readonly [what: string, body: object, ...codes: string[]];

const accepted: readonly Case[] = [
  ['a path to a path', plain],
  ['a name of 255 characters', written({ name: '😀'.repeat(255) })],
  ['a description of 1000 characters and line feeds', written({ description: `${'é'.repeat(998)}\ne` })],
  ['a prefix', written({ operator: 'starts_with' })],
  ['a pattern', pattern],
  ['a case-insensitive pattern', { ...pattern, operator: 'regex_ci' }],
  ['a pattern that does not start with a slash', written({ operator: 'regex', sourcePattern: 'a' })],
  ['a source of 1024 characters', written({ sourcePattern: `/${'a'.repeat(1023)}` })],
  ['a target of 2048 characters', written({ target: `/${'a'.repeat(2047)}` })],
  ['a target with a query', written({ target: '/b?c=d' })],
  ['a redirect with query and fragment', { ...redirect, target: '/b?c=d#e' }],
  ['a target with an encoded percent sign', written({ target: '/100%25' })],
  ['a backslash after the first letter', written({ target: '/b\\c' })],
  ['a target with dollar signs', written({ target: '/$$1/$$' })],
  ['references to existing groups', { ...pattern, target: '/$2/$1/$20' }],
  ['a reference to the ninth group', { ...pattern, sourcePattern: groups(9), target: '/$9' }],
  ['ten groups, of which only nine can be referenced', { ...pattern, sourcePattern: groups(10), target: '/$10' }],
  ['non-capturing groups next to a capturing one', { ...pattern, sourcePattern: '^/(?:a|b)/(.*)$', target: '/$1' }],
  ['a redirect to a path', redirect],
  ['a redirect to another host', { ...redirect, target: 'https://shop.example:8443/b?c#d' }],
  ['a redirect to just a host', { ...redirect, target: 'http://shop.example' }],
  ['a redirect to the host of the request', { ...redirect, operator: 'starts_with', target: 'https://$host' }],
  ['a redirect to another port of that host', to('https://$host:8443/$1?$1#$1')],
  ['a path from a group', { ...pattern, sourcePattern: '^/shop(/.*)$', target: '/$1' }],
  ['a redirect to a path from a group', to('/$1')],
  ['a redirect to a path from a group on another host', to('https://shop.example/$1')],
  ['a redirect to a query from a group on another host', to('https://shop.example?a=$1#$1')],
  ['a reference to a group that may be missing', { ...pattern, sourcePattern: '^/(a)?b(c){0,1}$', target: '/$1$2' }],
  ['a repeated group that nothing refers to', { ...pattern, sourcePattern: '^/(a)+(b)', target: '/$2' }],
  ['a repetition of the empty text without references', { ...pattern, sourcePattern: '^/(?:a*)*', target: '/b' }],
  ...[301, 302, 303, 307, 308].map((statusCode): Case => [`the status ${statusCode}`, { ...redirect, statusCode }]),
  ['no status with null', { ...redirect, statusCode: null }],
  ['a rewrite without a status with null', written({ statusCode: null })],
  ['a switch that is null, so absent', written({ enabled: null })],
  ['the source without its query', written({ preserveQueryString: false })],
  ['conditions', written({ conditions: onPath('/a') })],
  ['no conditions with null', written({ conditions: null })],
];

const refused: readonly Case[] = [
  [
    'an empty rule',
    {},
    'name member.required',
    'operator member.required',
    'sourcePattern member.required',
    'target member.required',
  ],
  ['an unknown operator', written({ operator: 'contains' }), 'operator value.choice'],
  ['an operator in upper case', written({ operator: 'EQUALS' }), 'operator value.choice'],
  ['an empty source', written({ sourcePattern: '' }), 'sourcePattern text.tooShort'],
  ['a source of 1025 characters', written({ sourcePattern: `/${'a'.repeat(1024)}` }), 'sourcePattern text.tooLong'],
  ['a source with a space', written({ sourcePattern: '/a b' }), 'sourcePattern rewriteRule.characters'],
  ['a source with a letter outside ASCII', written({ sourcePattern: '/é' }), 'sourcePattern rewriteRule.characters'],
  ['a source with a control character', written({ sourcePattern: '/a\n' }), 'sourcePattern rewriteRule.characters'],
  ['a path that does not start with a slash', written({ sourcePattern: 'a' }), 'sourcePattern rewriteRule.source.path'],
  [
    'a prefix that does not start with a slash',
    written({ operator: 'starts_with', sourcePattern: 'https://a.example/' }),
    'sourcePattern rewriteRule.source.path',
  ],
  ['a lookahead', { ...pattern, sourcePattern: 'a(?=b)' }, 'sourcePattern rewriteRule.regex.lookaround'],
  [
    'a pattern that is not closed, and nothing about the groups it may have',
    { ...pattern, sourcePattern: '(a', target: '/$3' },
    'sourcePattern rewriteRule.regex.group.unclosed',
  ],
  ['a pattern that is not ASCII', { ...pattern, sourcePattern: '^/ä' }, 'sourcePattern rewriteRule.characters'],
  ['a source that is a number', written({ sourcePattern: 7 }), 'sourcePattern member.type'],
  [
    'a reference to a group that captures nothing',
    { ...pattern, sourcePattern: '^/(?:a)', target: '/$1' },
    'target rewriteRule.target.reference',
  ],
  ['an empty target', written({ target: '' }), 'target text.tooShort'],
  ['a target of 2049 characters', written({ target: `/${'a'.repeat(2048)}` }), 'target text.tooLong'],
  ['a target with a space', written({ target: '/a b' }), 'target rewriteRule.characters'],
  ['a target with a line feed', { ...redirect, target: '/a\r\nSet-Cookie:x' }, 'target rewriteRule.characters'],
  ['a target that is not a path', written({ target: 'b' }), 'target rewriteRule.target.form'],
  ['a target with only a host', { ...redirect, target: '//b.example/' }, 'target rewriteRule.target.form'],
  ['a target with another scheme', { ...redirect, target: 'ftp://b.example/' }, 'target rewriteRule.target.form'],
  ['a target that runs a script', { ...redirect, target: 'javascript:alert(1)' }, 'target rewriteRule.target.form'],
  ['an address without a host', { ...redirect, target: 'https:///b' }, 'target rewriteRule.target.form'],
  ['an address with a user', { ...redirect, target: 'https://a@b.example/' }, 'target rewriteRule.target.form'],
  ['a rewrite to another host', written({ target: 'https://b.example/' }), 'target rewriteRule.target.otherHost'],
  ['a rewrite with a fragment', written({ target: '/b#c' }), 'target rewriteRule.target.form'],
  ...[String.raw`/\evil.example`, '//evil.example/', '//$1', String.raw`\\evil.example`, '$1', '$1/b', 'https:$1'].map(
    (target): Case => [`the target ${target}`, to(target), 'target rewriteRule.target.form'],
  ),
  ...[
    'https://$1/',
    'https://shop.example$1',
    'https://$1.example',
    'https://shop.example:$1/',
    'http://$1',
    'https://shop.$host/',
    'https://$host:$1/',
    String.raw`https://a.example\.b.example/`,
  ].map((target): Case => [`the target ${target}`, to(target), 'target rewriteRule.target.reference.host']),
  ['a dollar sign in a host', to('https://a$$b.example/'), 'target rewriteRule.target.form'],
  ...['/100%', '/%zz', '/%2', '/%$1', '/a?b=%', 'https://shop.example/%'].map(
    (target): Case => [`the target ${target}`, to(target), 'target rewriteRule.target.form'],
  ),
  ...['(a)*', '(a)+', '(a){2}', '(a){0,2}', '(?:b(a))+', '((a)b)*'].map(
    (source): Case => [
      `a reference to a group of ${source}`,
      { ...pattern, sourcePattern: source, target: '/$1' },
      'target rewriteRule.target.reference.repeated',
    ],
  ),
  ...['(a)(?:b*)*', '(a)(?:b?){2}', '(a)(?:|b)+', '(a)(?:^)*'].map(
    (source): Case => [
      `a reference beside the empty repetition of ${source}`,
      { ...pattern, sourcePattern: source, target: '/$1' },
      'sourcePattern rewriteRule.sourcePattern.emptyRepetition',
    ],
  ),
  ...['/a?b', '/a#b'].flatMap((sourcePattern) =>
    ['equals', 'starts_with'].map(
      (operator): Case => [
        `${operator} ${sourcePattern}`,
        written({ operator, sourcePattern }),
        'sourcePattern rewriteRule.source.unmatchable',
      ],
    ),
  ),
  ['a reference without groups', written({ target: '/$1' }), 'target rewriteRule.target.reference'],
  ['a reference to a missing group', { ...pattern, target: '/$1/$3' }, 'target rewriteRule.target.reference'],
  ['a reference to the whole match', { ...pattern, target: '/$0' }, 'target rewriteRule.target.reference'],
  ['a dollar sign by itself', written({ target: '/$' }), 'target rewriteRule.target.reference'],
  ['a dollar sign before a letter', written({ target: '/$a' }), 'target rewriteRule.target.reference'],
  [
    'each reference separately',
    { ...pattern, target: '/$1/$3/$4' },
    'target rewriteRule.target.reference',
    'target rewriteRule.target.reference',
  ],
  ['an unknown type', written({ type: 'proxy' }), 'type value.choice'],
  ...[200, 300, 304].map(
    (statusCode): Case => [
      `the status ${statusCode}, which is no redirect`,
      { ...redirect, statusCode },
      'statusCode value.choice',
    ],
  ),
  ['a status that is a text', { ...redirect, statusCode: '301' }, 'statusCode value.choice'],
  ['a rewrite with a status', written({ statusCode: 301 }), 'statusCode rewriteRule.statusCode.unexpected'],
  ['a switch that is a text', written({ preserveQueryString: 'false' }), 'preserveQueryString member.type'],
  ['a switch that is a number', written({ enabled: 1 }), 'enabled member.type'],
  ['a position that is a text', written({ order: '1' }), 'order member.type'],
  ['a position between two', written({ order: 1.5 }), 'order member.type'],
  [
    'conditions on the response, and unmatchable values',
    written({
      conditions: {
        logic: 'and',
        conditions: [
          { field: 'status', operator: 'equals', value: '404' },
          { field: 'path', operator: 'equals', value: '/?' },
        ],
      },
    }),
    'conditions.conditions[0].field condition.field',
    'conditions.conditions[1].value condition.value.unmatchable',
  ],
  ['a switch that it does not have', written({ stopOnMatch: true }), 'stopOnMatch member.unknown'],
  [
    'all violations at once',
    { ...pattern, sourcePattern: 'a(?=b)', target: 'b', statusCode: 301 },
    'statusCode rewriteRule.statusCode.unexpected',
    'sourcePattern rewriteRule.regex.lookaround',
    'target rewriteRule.target.form',
  ],
];

describe('createRule with a rewrite rule', () => {
  it('stores it as written, with defaults for omitted members', async () => {
    const { world, owner, zone, list, write } = await aWorldWithList('rewriteRule');
    const { rule, moved } = await valueOf(write(plain));
    expect(rule).to.deep.equal({
      id: rule.id,
      zoneId: zone.id,
      kind: 'rewriteRule',
      order: 1,
      content: jsonDocument({
        name: 'a',
        description: '',
        enabled: true,
        operator: 'equals',
        sourcePattern: '/a',
        target: '/b',
        type: 'rewrite',
        preserveQueryString: true,
      }),
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
    });
    expect(moved).to.deep.equal([{ id: rule.id, order: 1 }]);
    expect(await readRule(world)(owner, list, rule.id)).to.deep.equal(ok(rule));
  });

  it('compares sources together with the meaning of their conditions, and returns them as written', async () => {
    const { write } = await aWorldWithList('rewriteRule');
    const { rule } = await valueOf(write(written({ conditions: onPath('/b/../%78') })));
    expect(rule.content.value.conditions).to.deep.equal(onPath('/b/../%78'));
    const again = written({ name: 'b', conditions: onPath('/x') });
    expect(await refusalOf(write(again))).to.deep.equal(['sourcePattern rewriteRule.source.duplicate']);
    expect(await refusalOf(write(written({ name: 'c' })))).to.deep.equal(['accepted']);
    expect((await valueOf(write({ ...again, conditions: onPath('/y') }))).rule.order).to.equal(3);
  });

  it('gives redirects the status 302 by default', async () => {
    const { write } = await aWorldWithList('rewriteRule');
    const statusOf = async (body: object) => (await valueOf(write(body))).rule.content.value.statusCode;
    expect(await statusOf(redirect)).to.equal(302);
    expect(await statusOf({ ...redirect, name: 'b', sourcePattern: '/b', statusCode: null })).to.equal(302);
    expect(await statusOf({ ...redirect, name: 'c', sourcePattern: '/c', statusCode: 308 })).to.equal(308);
  });

  for (const [what, body] of accepted) {
    it(`accepts ${what}`, async () => {
      const { list, world, write } = await aWorldWithList('rewriteRule');
      expect(await refusalOf(write(body))).to.deep.equal(['accepted']);
      expect(await namesIn(world, list)).to.have.length(1);
    });
  }

  for (const [what, body, ...codes] of refused) {
    it(`refuses ${what}`, async () => {
      const { world, write } = await aWorldWithList('rewriteRule');
      const before = everythingIn(world);
      expect(await refusalOf(write(body))).to.deep.equal(codes);
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  describe('next to a rule with the name "Old shop" and the source "/a"', () => {
    const source = 'sourcePattern rewriteRule.source.duplicate';
    const cases: readonly (readonly [what: string, changes: object, ...codes: string[]])[] = [
      ['another name and another source', { sourcePattern: '/c' }, 'accepted'],
      ['the same name', { name: 'OLD shop', sourcePattern: '/c' }, 'name rule.name.duplicate'],
      ['the same source', {}, source],
      ['the same source under another operator', { operator: 'starts_with' }, 'accepted'],
      ['the same source spelled differently', { sourcePattern: '/b/../%61' }, source],
      ['the same source with conditions', { conditions: onPath('/x') }, 'accepted'],
      ['the same source with null for conditions', { conditions: null }, source],
      ['the same source in another case', { sourcePattern: '/A' }, 'accepted'],
      ['the same name and source', { name: 'old shop' }, 'name rule.name.duplicate', source],
    ];
    for (const [what, changes, ...codes] of cases) {
      it(`${codes[0] === 'accepted' ? 'accepts' : 'refuses'} one with ${what}`, async () => {
        const { write } = await aWorldWithList('rewriteRule');
        await valueOf(write(written({ name: 'Old shop', enabled: false })));
        expect(await refusalOf(write(written(changes)))).to.deep.equal(codes);
      });
    }

    it('accepts the same in another zone, and the name in another list of the zone', async () => {
      const { world, owner, zone, write } = await aWorldWithList('rewriteRule');
      await valueOf(write(plain));
      const other = await aZone(world, owner, { name: 'Other' });
      expect(await refusalOf(write(plain, listOf(other, 'rewriteRule')))).to.deep.equal(['accepted']);
      const access = draftOf('accessRule', { name: 'a', conditions: onPath('/a'), action: 'block' });
      expect(await refusalOf(createRule(world)(owner, listOf(zone, 'accessRule'), access))).to.deep.equal(['accepted']);
    });
  });
});

describe('updateRule with a rewrite rule', () => {
  const cases: readonly (readonly [what: string, stored: object, patch: JsonObject, ...codes: string[]])[] = [
    ['another target', plain, { target: '/c' }, 'accepted'],
    ['its own name in another case', plain, { name: 'A' }, 'accepted'],
    ['its own source', plain, { sourcePattern: '/a', description: 'x' }, 'accepted'],
    ['a redirect in place of a rewrite', plain, { type: 'redirect', statusCode: 301 }, 'accepted'],
    [
      'a rewrite in place of a redirect, without the status',
      redirect,
      { type: 'rewrite', statusCode: null },
      'accepted',
    ],
    ['a rewrite in place of a redirect with the default status', redirect, { type: 'rewrite' }, 'accepted'],
    ['the default type in place of a redirect with the default status', redirect, { type: null }, 'accepted'],
    [
      'a rewrite in place of a redirect with a status of its own',
      { ...redirect, statusCode: 308 },
      { type: 'rewrite' },
      'statusCode rewriteRule.statusCode.unexpected',
    ],
    [
      'another source with too few groups',
      { ...pattern, target: '/$2' },
      { sourcePattern: '(a)' },
      'target rewriteRule.target.reference',
    ],
    [
      'an operator for which the source is invalid',
      { ...pattern, target: '/b' },
      { operator: 'equals' },
      'sourcePattern rewriteRule.source.path',
    ],
    ['no target', plain, { target: null }, 'target member.required'],
    ['another kind', plain, { kind: 'accessRule' }, 'kind member.unknown'],
    ['the name of another rule', plain, { name: 'OTHER' }, 'name rule.name.duplicate'],
    ['the source of another rule', plain, { sourcePattern: '/other' }, 'sourcePattern rewriteRule.source.duplicate'],
  ];
  for (const [what, stored, patch, ...codes] of cases) {
    it(`${codes[0] === 'accepted' ? 'accepts' : 'refuses'} ${what}`, async () => {
      const arranged = await aWorldWithList('rewriteRule');
      await valueOf(arranged.write(written({ name: 'other', sourcePattern: '/other' })));
      const { rule } = await valueOf(arranged.write(stored));
      const before = everythingIn(arranged.world);
      expect(await refusalOf(arranged.patch(rule.id, patch))).to.deep.equal(codes);
      if (codes[0] !== 'accepted') expect(everythingIn(arranged.world)).to.deep.equal(before);
    });
  }

  it('resets a removed redirect status to the default', async () => {
    const { write, patch } = await aWorldWithList('rewriteRule');
    const { rule } = await valueOf(write({ ...redirect, statusCode: 308 }));
    const updated = await valueOf(patch(rule.id, { statusCode: null }));
    expect(updated.rule.content.value).to.deep.equal({ ...rule.content.value, statusCode: 302 });
  });

  it('moves a rule only within its own list', async () => {
    const { world, list, write, patch } = await aWorldWithList('rewriteRule');
    const { rule } = await valueOf(write(plain));
    await valueOf(write(written({ name: 'b', sourcePattern: '/b' })));
    expect((await valueOf(patch(rule.id, { order: 9 }))).rule.order).to.equal(2);
    expect(await namesIn(world, list)).to.deep.equal(['1 b', '2 a']);
  });
});

describe('a stored rewrite rule with a target that is refused today', () => {
  it('can be read, and can get another target', async () => {
    const { world, owner, list, write, patch } = await aWorldWithList('rewriteRule');
    const { rule } = await valueOf(write(to('/$1')));
    const content = jsonDocument({ ...rule.content.value, target: 'https://$1/' });
    inTables(world, ({ rules }) => rules.set(rule.id, { ...rules.get(rule.id)!, content: content.text }));
    const read = await valueOf(readRule(world)(owner, list, rule.id));
    expect(read.content.value).to.deep.equal(content.value);
    expect(await refusalOf(patch(rule.id, { name: 'b' }))).to.deep.equal(['target rewriteRule.target.reference.host']);
    expect(await refusalOf(patch(rule.id, { target: '/b' }))).to.deep.equal(['accepted']);
  });
});

describe('deleteRule with a rewrite rule', () => {
  it('closes the gap, frees name and source, and does not affect other lists', async () => {
    const { world, owner, zone, list, write } = await aWorldWithList('rewriteRule');
    const { rule } = await valueOf(write(plain));
    const { rule: second } = await valueOf(write(written({ name: 'b', sourcePattern: '/b' })));
    const moved = await valueOf(deleteRule(world)(owner, list, rule.id, undefined));
    expect(moved).to.deep.equal([{ id: second.id, order: 1 }]);
    expect(await refusalOf(write(plain))).to.deep.equal(['accepted']);
    expect(await namesIn(world, list)).to.deep.equal(['1 b', '2 a']);
    const other = deleteRule(world)(owner, listOf(zone, 'accessRule'), second.id, undefined);
    expect(await refusalOf(other)).to.deep.equal(['RuleNotFound']);
  });
});
