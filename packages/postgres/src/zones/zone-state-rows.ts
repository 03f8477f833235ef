import {
  type BasicAuthUser,
  type Rule,
  type RuleContents,
  type RuleKind,
  type SecretBox,
  storedDocument,
  type Zone,
  type ZoneId,
  type ZoneState,
} from '@zonewright/core';
import { type ZoneRow, zoneOf } from './zone-row.ts';

/** The columns of a zone that its state consists of; without content, lists and users if they are omitted. */
export interface StateRow extends Omit<ZoneRow, 'settings'> {
  readonly kind: null;
  readonly content: string | null;
  readonly listRevisions: Partial<ZoneState['listRevisions']> | null;
  readonly users: readonly UserRow[] | null;
}

/** Timestamps inside JSON are strings. */
type UserRow = Omit<BasicAuthUser, 'zoneId' | 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};
/** The row of a rule; the zone's own columns are null. */
export type NestedRow = Omit<Rule, 'zoneId' | 'order' | 'content'> & {
  readonly rank: number;
  readonly content: string;
  readonly [member: string]: unknown;
};

/** Whether a row is the zone's own. */
export const isOwn = <Own extends StateRow>(row: Own | NestedRow): row is Own => row.kind === null;
/** Whether a row is that of a rule. */
export const isNested = (row: StateRow | NestedRow): row is NestedRow => !isOwn(row);

/** The state in rows that have all texts; undefined if the zone is not among them. */
export function stateIn(box: SecretBox, rows: readonly (StateRow | NestedRow)[]): ZoneState | undefined {
  const own = rows.find(isOwn);
  return own === undefined || own.content === null ? undefined : stateOf(box, own, own.content, rows.filter(isNested));
}

/** The state in the zone's own row, whose settings are given, and the rows of its rules, in any order. */
export function stateOf(box: SecretBox, own: StateRow, settings: string, rows: readonly NestedRow[]): ZoneState {
  const { id } = own;
  const inOrder = rows.toSorted((one, other) => one.rank - other.rank);
  const rowsOf = (kind: RuleKind) => inOrder.filter((row) => row.kind === kind);
  const rules = <K extends RuleKind>(kind: K) => rowsOf(kind).map((row, index) => ruleOf(row, id, kind, index + 1));
  const ranks = (kind: RuleKind) => rowsOf(kind).map(({ rank }) => rank);
  return {
    zone: ownZone(box, own, settings),
    rules: {
      configurationRule: rules('configurationRule'),
      rewriteRule: rules('rewriteRule'),
      accessRule: rules('accessRule'),
      securityScenario: rules('securityScenario'),
    },
    ranks: {
      configurationRule: ranks('configurationRule'),
      rewriteRule: ranks('rewriteRule'),
      accessRule: ranks('accessRule'),
      securityScenario: ranks('securityScenario'),
    },
    listRevisions: { ...noLists, ...own.listRevisions },
    users: (own.users ?? []).map((user) => ({
      ...user,
      zoneId: id,
      createdAt: new Date(user.createdAt),
      updatedAt: new Date(user.updatedAt),
    })),
  };
}

/** Members are listed, because the row has others. */
const ownZone = (box: SecretBox, own: StateRow, settings: string): Zone => {
  const { id, organizationId, name, tag, hostnames, banToken, createdBy, createdAt, updatedAt, revision } = own;
  const times = { createdAt, updatedAt, revision };
  return zoneOf(box, { id, organizationId, name, tag, hostnames, banToken, createdBy, ...times, settings });
};

const noLists = { configurationRule: 0, rewriteRule: 0, accessRule: 0, securityScenario: 0 } as const;

const ruleOf = <K extends RuleKind>(
  { id, content, createdAt, updatedAt, revision }: NestedRow,
  zoneId: ZoneId,
  kind: K,
  order: number,
): Rule<K> => ({
  id,
  zoneId,
  kind,
  order,
  content: storedDocument<RuleContents[K]>(content),
  createdAt,
  updatedAt,
  revision,
});
