import type { RuleListName } from '../../phases/names.ts';
import { utf8 } from '../../request/bytes.ts';
import { type SettingKey, settingKeys } from '../../settings/setting-table.ts';
import type { Witness } from '../witness.ts';

/** What differs for a request. */
export type ChangeKey =
  | 'answer'
  | 'request'
  | `settings.${SettingKey}`
  | 'backend'
  | 'skips'
  | 'scenarios'
  | 'basicAuthUsers';

/** A rule or backend, by list and id. */
export interface Reason {
  readonly list: RuleListName | 'originServers' | 'loadBalancers';
  readonly id: string;
}

/** The rules and backends that cause a request's treatment in each configuration; empty if none does. */
export interface Because {
  readonly before: readonly Reason[];
  readonly after: readonly Reason[];
}

/** How one request is treated differently. */
export interface Difference {
  readonly key: ChangeKey;
  /** The value before and after; null if a setting has none. */
  readonly from: unknown;
  readonly to: unknown;
  readonly because: Because;
}

/** A difference for some requests, with a witness that both configurations have evaluated. */
export interface BehaviourChange extends Difference {
  /** One sentence for people. */
  readonly message: string;
  readonly witness: Witness;
}

/** The differences in behaviour between two configurations. */
export interface BehaviourDiff {
  /**
   * Whether the changes cover, by `key` and reasons, every request that is treated differently. With no changes: no
   * request is.
   */
  readonly complete: boolean;
  /** Complete, and nothing changes. */
  readonly harmless: boolean;
  /** One sentence for people. */
  readonly message: string;
  /** At most 50, one per key and reasons, in the order of `changeKeys`, then by reasons. */
  readonly changes: readonly BehaviourChange[];
}

/** Maximum number of changes in a result. */
export const maxChanges = 50;

/** All keys in order. */
const changeKeys: readonly ChangeKey[] = [
  'answer',
  'request',
  ...settingKeys.map((key) => `settings.${key}` as const),
  'backend',
  'skips',
  'scenarios',
  'basicAuthUsers',
];

/** Identifies a kind of difference: its key and reasons. */
export const kindOf = ({ key, because }: Pick<Difference, 'key' | 'because'>): string =>
  JSON.stringify([key, ...[because.before, because.after].map((each) => each.map(({ id }) => id))]);

/** Sorts changes for a result. */
export function inOrder(changes: readonly BehaviourChange[]): readonly BehaviourChange[] {
  const reasons = ({ because: { before, after } }: BehaviourChange): string =>
    utf8([before, after].map((each) => each.map(({ id }) => id).join(' ')).join('\n'));
  return changes.toSorted((one, other) => {
    const rank = changeKeys.indexOf(one.key) - changeKeys.indexOf(other.key);
    if (rank !== 0) return rank;
    return reasons(one) < reasons(other) ? -1 : reasons(one) > reasons(other) ? 1 : 0;
  });
}
