import {
  type Rule,
  type RuleContents,
  type RuleKind,
  type RuleList,
  storedDocument,
  type Zone,
  type ZoneId,
  type ZoneState,
} from '@zonewright/core';
import { sortedBy } from '../pages.ts';
import type { Tables } from '../tables/tables.ts';
import type { BasicAuthUserRow, RuleRow, ZoneRow } from '../tables/zone-rows.ts';
import { listKey } from '../tables/zone-rows.ts';

/** The tables with what is in zones. */
type Contents = Pick<Tables, 'rules' | 'ruleLists' | 'basicAuthUsers'>;

/** A zone with everything in it. */
export function stateOf(tables: Contents, zone: ZoneRow): ZoneState {
  const { id } = zone;
  const revision = (kind: RuleKind) => tables.ruleLists.get(listKey({ zone: id, kind })) ?? 0;
  const ranks = (kind: RuleKind) => rowsInOrder(tables, { zone: id, kind }).map(({ rank }) => rank);
  const users = [...tables.basicAuthUsers.values()].filter(({ zoneId }) => zoneId === id);
  return {
    zone: zoneOf(zone),
    rules: rulesOfZone(tables, id),
    ranks: {
      configurationRule: ranks('configurationRule'),
      rewriteRule: ranks('rewriteRule'),
      accessRule: ranks('accessRule'),
      securityScenario: ranks('securityScenario'),
    },
    listRevisions: {
      configurationRule: revision('configurationRule'),
      rewriteRule: revision('rewriteRule'),
      accessRule: revision('accessRule'),
      securityScenario: revision('securityScenario'),
    },
    users: sortedBy(users, (user) => [user.id, user.id]).map(userOf),
  };
}

/** A zone without its contents. */
export const zoneOf = ({ settings, ...zone }: ZoneRow): Zone => ({ ...zone, settings: storedDocument(settings) });

/** A user without the hash, which is never read. */
export const userOf = ({ hash: _, ...user }: BasicAuthUserRow) => user;

/** The rules of a list in evaluation order. */
export const rulesInOrder = <K extends RuleKind>(tables: Pick<Tables, 'rules'>, list: RuleList<K>): Rule<K>[] =>
  rowsInOrder(tables, list).map((row, index) => ruleOf(row, list.kind, index + 1));

const rowsInOrder = ({ rules }: Pick<Tables, 'rules'>, { zone, kind }: RuleList): RuleRow[] =>
  [...rules.values()]
    .filter((row) => row.zoneId === zone && row.kind === kind)
    .sort((one, other) => one.rank - other.rank);

const rulesOfZone = (tables: Pick<Tables, 'rules'>, zone: ZoneId): ZoneState['rules'] => ({
  configurationRule: rulesInOrder(tables, { zone, kind: 'configurationRule' }),
  rewriteRule: rulesInOrder(tables, { zone, kind: 'rewriteRule' }),
  accessRule: rulesInOrder(tables, { zone, kind: 'accessRule' }),
  securityScenario: rulesInOrder(tables, { zone, kind: 'securityScenario' }),
});

const ruleOf = <K extends RuleKind>({ content, rank: _, ...row }: RuleRow, kind: K, order: number): Rule<K> => ({
  ...row,
  kind,
  order,
  content: storedDocument<RuleContents[K]>(content),
});
