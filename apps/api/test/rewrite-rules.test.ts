import { expect } from 'chai';
import { unique } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import {
  type Body,
  behavesAsNestedRules,
  behavesAsOrderedRules,
  type NestedKind,
  type NestedRule,
  usePlace,
} from './support/rule-suite.ts';

const rewriteRules: NestedKind = {
  type: 'RewriteRule',
  collection: 'rewrite-rules',
  member: 'rewriteRules',
  limit: 50,
  counter: ['rules', 150],
  least: () => {
    const number = unique();
    return { name: `rewrite-${number}`, operator: 'equals', sourcePattern: `/old-${number}`, target: '/new' };
  },
  defaults: () => ({ description: '', type: 'rewrite', preserveQueryString: true, enabled: true, order: 1 }),
  change: ['target', '/elsewhere?from=old'],
  nameTaken: 'rule.name.duplicate',
};

describe('Rewrite rules', () => {
  const at = usePlace(rewriteRules);
  behavesAsNestedRules(rewriteRules, at);
  behavesAsOrderedRules(rewriteRules, at);

  const attempt = (members: Body) => at().post({ ...rewriteRules.least(), ...members });
  const regex = (sourcePattern: string, members: Body = {}): Body => ({ operator: 'regex', sourcePattern, ...members });
  const redirect = (members: Body = {}): Body => ({ type: 'redirect', ...members });

  describe('answer 201 and read back as they were written', () => {
    const accepted: readonly (readonly [what: string, members: Body])[] = [
      ['a path that starts alike', { operator: 'starts_with', sourcePattern: '/a%20b/', target: '/c' }],
      ['a pattern with groups', regex('^/(\\w+)/([0-9]{1,4})$', { target: '/$2/$1/$$' })],
      ['a pattern without letter case', regex('^/Shop', { operator: 'regex_ci' })],
      ['a pattern with nine groups', regex('^/(.)(.)(.)(.)(.)(.)(.)(.)(.)$', { target: '/$9$8$7$6$5$4$3$2$1' })],
      ['ten groups, of which only nine can be named', regex('^/(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)$', { target: '/$10' })],
      ['groups that capture nothing', regex('^/(?:a|b)/(.*)$', { target: '/$1' })],
      ['a target with a query', { target: '/new?a=1&b=2', preserveQueryString: false }],
      ['a redirect to another host', redirect({ target: 'https://www.example.com:8443/a?b=c#d', statusCode: 301 })],
      ['a redirect to a path from the pattern', redirect(regex('^/to/(\\w+)$', { target: 'http://example.com/$1' }))],
      ...[301, 302, 303, 307, 308].map(
        (statusCode) => [`a redirect with ${statusCode}`, redirect({ statusCode })] as const,
      ),
      ['a source of 1024 characters', { sourcePattern: `/${'a'.repeat(1023)}` }],
      ['a target of 2048 characters', { target: `/${'a'.repeat(2047)}` }],
      ['a description of two lines', { description: 'one\n\ttwo' }],
      ['a name of 255 characters of any script', { name: '😀'.repeat(255) }],
    ];
    for (const [what, members] of accepted) {
      it(what, async () => {
        const reply = await attempt(members);
        expect(reply.status, reply.text).to.equal(201);
        expect(reply.json()).to.deep.include(members);
      });
    }

    it('with the default status of redirects', async () => {
      expect((await attempt(redirect())).json()).to.include({ type: 'redirect', statusCode: 302 });
      expect((await attempt(redirect({ statusCode: null }))).json()).to.include({ statusCode: 302 });
      expect((await attempt({ statusCode: null })).json()).not.to.have.property('statusCode');
    });
  });

  describe('answer 422', () => {
    const refused: readonly (readonly [what: string, members: Body, ...violations: readonly string[]])[] = [
      ['no operator', { operator: undefined }, 'operator: member.required'],
      ['no source', { sourcePattern: undefined }, 'sourcePattern: member.required'],
      ['no target', { target: undefined }, 'target: member.required'],
      ['no name', { name: undefined }, 'name: member.required'],
      ['a blank name', { name: '  ' }, 'name: text.tooShort'],
      ['a name of 256 characters', { name: 'a'.repeat(256) }, 'name: text.tooLong'],
      ['a line feed in a name', { name: 'a\nb' }, 'name: text.control'],
      ['a description of 1001 characters', { description: 'a'.repeat(1001) }, 'description: text.tooLong'],
      ['an operator of conditions', { operator: 'matches' }, 'operator: value.choice'],
      ['an operator in other letter case', { operator: 'Equals' }, 'operator: value.choice'],
      ['an unknown type', { type: 'proxy' }, 'type: value.choice'],
      ['an empty source', { sourcePattern: '' }, 'sourcePattern: text.tooShort'],
      ['a source that is no path', { sourcePattern: 'old' }, 'sourcePattern: rewriteRule.source.path'],
      [
        'a prefix that is no path',
        { operator: 'starts_with', sourcePattern: '*' },
        'sourcePattern: rewriteRule.source.path',
      ],
      ['a source of 1025 characters', { sourcePattern: `/${'a'.repeat(1024)}` }, 'sourcePattern: text.tooLong'],
      ['a source with a space', { sourcePattern: '/a b' }, 'sourcePattern: rewriteRule.characters'],
      ['a source that is not ASCII', { sourcePattern: '/ä' }, 'sourcePattern: rewriteRule.characters'],
      ['a pattern that is not ASCII', regex('^/ä'), 'sourcePattern: rewriteRule.characters'],
      ['a source that is a number', { sourcePattern: 7 }, 'sourcePattern: member.type'],
      ['a group that is not closed', regex('^/(a'), 'sourcePattern: rewriteRule.regex.group.unclosed'],
      ['a backreference', regex('^/(a)\\1'), 'sourcePattern: rewriteRule.regex.backreference'],
      ['a lookahead', regex('^/(?!a)'), 'sourcePattern: rewriteRule.regex.lookaround'],
      ['a named group', regex('^/(?<a>b)'), 'sourcePattern: rewriteRule.regex.namedGroup'],
      ['21 groups', regex(`^/${'(a)'.repeat(21)}`), 'sourcePattern: rewriteRule.regex.group.tooMany'],
      ['a pattern of too many states', regex('^/(?:a{1000}){1000}'), 'sourcePattern: rewriteRule.regex.states'],
      ['an empty target', { target: '' }, 'target: text.tooShort'],
      ['a target of 2049 characters', { target: `/${'a'.repeat(2048)}` }, 'target: text.tooLong'],
      ['a target with a space', { target: '/a b' }, 'target: rewriteRule.characters'],
      ['a target with a line feed', { target: '/a\r\nSet-Cookie:x' }, 'target: rewriteRule.characters'],
      ['a target that is no path', { target: 'new' }, 'target: rewriteRule.target.form'],
      ['a target without a scheme', redirect({ target: '//evil.example.com/' }), 'target: rewriteRule.target.form'],
      ['a target with another scheme', redirect({ target: 'ftp://example.com/' }), 'target: rewriteRule.target.form'],
      ['a script as target', redirect({ target: 'javascript:alert(1)' }), 'target: rewriteRule.target.form'],
      ['a target with a user', redirect({ target: 'https://a@example.com/' }), 'target: rewriteRule.target.form'],
      ['a target without a host', redirect({ target: 'https:///a' }), 'target: rewriteRule.target.form'],
      ['a rewrite to another host', { target: 'https://example.com/' }, 'target: rewriteRule.target.otherHost'],
      ['a group where there is no pattern', { target: '/$1' }, 'target: rewriteRule.target.reference'],
      ['a group that the pattern lacks', regex('^/(a)', { target: '/$2' }), 'target: rewriteRule.target.reference'],
      ['a group that captures nothing', regex('^/(?:a)', { target: '/$1' }), 'target: rewriteRule.target.reference'],
      ['the whole match', regex('^/(a)', { target: '/$0' }), 'target: rewriteRule.target.reference'],
      ['a dollar sign at the end', { target: '/a$' }, 'target: rewriteRule.target.reference'],
      ['a status on a rewrite', { statusCode: 302 }, 'statusCode: rewriteRule.statusCode.unexpected'],
      ['a status that is no redirect', redirect({ statusCode: 304 }), 'statusCode: value.choice'],
      ['a status as text', redirect({ statusCode: '301' }), 'statusCode: value.choice'],
      [
        'text for a switch',
        { preserveQueryString: 'yes', enabled: 1 },
        'enabled: member.type',
        'preserveQueryString: member.type',
      ],
      [
        'members of other kinds',
        { stopOnMatch: true, conditions: {} },
        'stopOnMatch: member.unknown',
        'conditions: member.unknown',
      ],
      ['read-only members of other kinds', { evaluationScope: 'ip' }, 'evaluationScope: member.unknown'],
      [
        'several members that are wrong by themselves',
        { name: '', operator: 'x', sourcePattern: 'a b', target: 7, type: 'x', statusCode: 200, order: 'x', nmae: 1 },
        'name: text.tooShort',
        'operator: value.choice',
        'sourcePattern: rewriteRule.characters',
        'target: member.type',
        'type: value.choice',
        'statusCode: value.choice',
        'nmae: member.unknown',
        'order: member.type',
      ],
      [
        'several members that do not fit together',
        { sourcePattern: 'a', target: 'https://$1/', statusCode: 301 },
        'statusCode: rewriteRule.statusCode.unexpected',
        'sourcePattern: rewriteRule.source.path',
        'target: rewriteRule.target.reference',
        'target: rewriteRule.target.reference.host',
        'target: rewriteRule.target.otherHost',
      ],
    ];
    for (const [what, members, ...violations] of refused) {
      it(`to ${what}`, async () => {
        expectProblem(await attempt(members), 422, 'validation-failed', violations);
        expect(await at().list()).to.be.empty;
      });
    }

    it('to an operator and source that another rule of the zone has', async () => {
      const { create, ada, path } = at();
      const source = regex('^/a');
      await create(source);
      const violations = ['sourcePattern: rewriteRule.source.duplicate'];
      expectProblem(await attempt({ ...source, target: '/b' }), 422, 'validation-failed', violations);
      for (const operator of ['regex_ci', 'starts_with', 'equals']) {
        await create({ operator, sourcePattern: operator === 'regex_ci' ? '^/a' : '/a' });
      }
      const other = await create();
      const patched = await ada.patch(`${path()}/${other.id}`, source);
      expectProblem(patched, 422, 'validation-failed', violations);
      const both = { ...source, name: other.name.toUpperCase() };
      expectProblem(await attempt(both), 422, 'validation-failed', ['name: rule.name.duplicate', ...violations]);
    });
  });

  describe('a patch of the type', () => {
    const patch = ({ id }: NestedRule, body: Body) => at().ada.patch(`${at().path()}/${id}`, body);

    it('makes a redirect with the default status', async () => {
      const rule = await at().create();
      expect((await patch(rule, { type: 'redirect' })).json()).to.include({ type: 'redirect', statusCode: 302 });
    });

    it('makes a rewrite, and drops a status that was only the default', async () => {
      const { statusCode, ...rule } = await at().create(redirect());
      expect(statusCode).to.equal(302);
      const reply = await patch(rule, { type: 'rewrite' });
      expect(reply.json()).to.include({ type: 'rewrite' }).and.not.have.property('statusCode');
    });

    it('makes a rewrite only together with a status that was chosen', async () => {
      const rule = await at().create(redirect({ statusCode: 308 }));
      const refused = await patch(rule, { type: 'rewrite' });
      expectProblem(refused, 422, 'validation-failed', ['statusCode: rewriteRule.statusCode.unexpected']);
      const reply = await patch(rule, { type: null, statusCode: null });
      expect(reply.json()).to.include({ type: 'rewrite' }).and.not.have.property('statusCode');
    });

    it('is checked together with what stays: a target that refers to groups needs its pattern', async () => {
      const rule = await at().create(regex('^/(a)(b)$', { target: '/$2' }));
      const refused = await patch(rule, { sourcePattern: '^/(a)$' });
      expectProblem(refused, 422, 'validation-failed', ['target: rewriteRule.target.reference']);
      expect((await patch(rule, { operator: 'equals', sourcePattern: '/a', target: '/b' })).status).to.equal(200);
    });
  });
});
