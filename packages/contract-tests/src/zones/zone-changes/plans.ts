import {
  BasicAuthComment,
  jsonDocument,
  type RuleKind,
  type ZonePlan,
  ZoneSettings,
  type ZoneState,
} from '@zonewright/core';
import { listAs, withUsers } from '../../arrangements/index.ts';
import { aBasicAuthHash, aBasicAuthUser, aRule, aZoneId, aZoneName } from '../../builders/index.ts';
import type { Full } from './full-zone.ts';

/** All kinds of plans; the stored result must equal the state the domain computed. */
export const plans: readonly (readonly [what: string, plan: (state: ZoneState, full: Full) => ZonePlan])[] = [
  ['another name and tag', () => ({ names: { name: aZoneName('Straße 東京'), tag: 'dev' } })],
  [
    'other settings',
    () => ({ settings: jsonDocument(ZoneSettings.parse({ customPagesErrorHtml: '<h1>Ünïcode</h1>' })) }),
  ],
  ['another ban token', () => ({ banToken: 'ban_A-token-that-no-other-zone-has' })],
  ['nothing', () => ({})],
  ...(['configurationRule', 'accessRule'] as const satisfies readonly RuleKind[]).flatMap((kind) => {
    const list = { zone: aZoneId(), kind } as const;
    const changed = (name: string, path: string) => ({ content: aRule(kind, { name, path }).content });
    return (
      [
        ['a rule at the end', (those) => [...those, aRule(kind)]],
        ['a rule between two others', ([one, ...others]) => [one!, aRule(kind), ...others]],
        ['two rules at the beginning', (those) => [aRule(kind), aRule(kind), ...those]],
        ['a rule less', ([one, , three]) => [one!, three!]],
        ['no rules', () => []],
        ['another content', ([one, ...others]) => [{ ...one!, ...changed('x', '/x') }, ...others]],
        [
          'swapped names and keys',
          ([one, two, three]) => [{ ...one!, content: two!.content }, { ...two!, content: one!.content }, three!],
        ],
        ['another order', ([one, two, three]) => [three!, one!, two!]],
        ['the reverse', (those) => those.toReversed()],
        [
          'everything together',
          ([one, two]) => [aRule(kind, { name: 'C', path: '/c' }), two!, { ...one!, ...changed('x', '/x') }],
        ],
      ] satisfies readonly (readonly [string, Parameters<typeof listAs>[1]])[]
    ).map(([what, wanted]) => [`${what} (${kind})`, listAs(list, wanted)] as const);
  }),
  ['a user more', withUsers({ added: [aBasicAuthUser()] })],
  ['a user less', (_, { users }) => withUsers({ removed: [users[0]!.id] })()],
  [
    'users with another comment and another hash',
    (_, { users: [one, two] }) =>
      withUsers({
        changed: [
          { id: one!.id, comment: BasicAuthComment.parse(''), hash: undefined },
          { id: two!.id, comment: two!.comment, hash: aBasicAuthHash() },
        ],
      })(),
  ],
];
