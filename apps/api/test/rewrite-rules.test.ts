import { unique } from './support/arrange.ts';
import {
  type Body,
  behavesAsNestedRules,
  behavesAsOrderedRules,
  type NestedKind,
  refusesAll,
  storesAsWritten,
  usePlace,
} from './support/rule-suite.ts';

const rewriteRules: NestedKind = {
  type: 'RewriteRule',
  collection: 'rewrite-rules',
  member: 'rewriteRules',
  limit: 200,
  counter: ['rules', 300],
  least: () => {
    const number = unique();
    return { name: `rewrite-${number}`, operator: 'equals', sourcePattern: `/old-${number}`, target: '/new' };
  },
  defaults: () => ({ description: '', type: 'rewrite', preserveQueryString: true, enabled: true, order: 1 }),
  change: ['target', '/elsewhere?from=old'],
};

describe('Rewrite rules', () => {
  const at = usePlace(rewriteRules);
  behavesAsNestedRules(rewriteRules, at);
  behavesAsOrderedRules(rewriteRules, at);

  const regex = (sourcePattern: string, members: Body = {}): Body => ({ operator: 'regex', sourcePattern, ...members });
  const redirect = (members: Body = {}): Body => ({ type: 'redirect', ...members });

  describe('answer 201 and are returned as written', () => {
    storesAsWritten(rewriteRules, at, [
      ['a pattern with groups', regex('^/(\\w+)/([0-9]{1,4})$', { target: '/$2/$1/$$' })],
      [
        'its own conditions',
        { conditions: { logic: 'or', conditions: [{ field: 'protocol', operator: 'is', value: 'HTTP' }] } },
      ],
      ['a redirect to another host', redirect({ target: 'https://www.example.com:8443/a?b=c#d', statusCode: 301 })],
    ]);
  });

  refusesAll(rewriteRules, at, [
    [
      'several invalid members',
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
      'several contradictory members',
      { sourcePattern: 'a', target: 'https://$1/', statusCode: 301 },
      'statusCode: rewriteRule.statusCode.unexpected',
      'sourcePattern: rewriteRule.source.path',
      'target: rewriteRule.target.reference',
      'target: rewriteRule.target.reference.host',
      'target: rewriteRule.target.otherHost',
    ],
  ]);
});
