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
      ['a pattern with groups', regex('^/(\\w+)/([0-9]{1,4})$', { target: '/$2/$1/$$' })],
      [
        'conditions of its own',
        { conditions: { logic: 'or', conditions: [{ field: 'protocol', operator: 'is', value: 'HTTP' }] } },
      ],
      ['a redirect to another host', redirect({ target: 'https://www.example.com:8443/a?b=c#d', statusCode: 301 })],
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
      ['a group that is not closed', regex('^/(a'), 'sourcePattern: rewriteRule.regex.group.unclosed'],
      [
        'members of other kinds',
        { stopOnMatch: true, action: 'allow' },
        'stopOnMatch: member.unknown',
        'action: member.unknown',
      ],
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
