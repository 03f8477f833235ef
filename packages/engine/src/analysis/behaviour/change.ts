import type { RuleListName } from '../../phases/names.ts';
import { utf8 } from '../../request/bytes.ts';
import { type SettingKey, settingKeys } from '../../settings/setting-table.ts';
import type { Witness } from '../witness.ts';

/** What is different for a request. */
export type ChangeKey =
  | 'answer'
  | 'request'
  | `settings.${SettingKey}`
  | 'backend'
  | 'skips'
  | 'scenarios'
  | 'basicAuthUsers';

/** A rule or a backend, by its list and id. */
export interface Reason {
  readonly list: RuleListName | 'originServers' | 'loadBalancers';
  readonly id: string;
}

/** Why a request gets what it gets, in both configurations; empty where no rule has to do with it. */
export interface Because {
  readonly before: readonly Reason[];
  readonly after: readonly Reason[];
}

/** How one request is treated differently. */
export interface Difference {
  readonly key: ChangeKey;
  /** What it gets before, and after; null where a setting has no value. */
  readonly from: unknown;
  readonly to: unknown;
  readonly because: Because;
}

/** How some requests are treated differently, with one of them, which both configurations have evaluated. */
export interface BehaviourChange extends Difference {
  /** One sentence for people. */
  readonly message: string;
  readonly witness: Witness;
}

/** What two configurations do differently. */
export interface BehaviourDiff {
  /**
   * Every request that is treated differently differs in the `key` of one of the changes, for its reasons. With no
   * changes: no request is treated differently.
   */
  readonly complete: boolean;
  /** Complete, and nothing changes. */
  readonly harmless: boolean;
  /** One sentence for people. */
  readonly message: string;
  /** At most 50, one for each key and its reasons, in the order of `changeKeys`, then by reasons. */
  readonly changes: readonly BehaviourChange[];
}

/** So many changes are listed at most. */
export const mostChanges = 50;

/** All keys in their order. */
const changeKeys: readonly ChangeKey[] = [
  'answer',
  'request',
  ...settingKeys.map((key) => `settings.${key}` as const),
  'backend',
  'skips',
  'scenarios',
  'basicAuthUsers',
];

/** The same for differences of one kind. */
export const kindOf = ({ key, because }: Pick<Difference, 'key' | 'because'>): string =>
  JSON.stringify([key, ...[because.before, because.after].map((each) => each.map(({ id }) => id))]);

/** Changes in the order of answers. */
export function inOrder(changes: readonly BehaviourChange[]): readonly BehaviourChange[] {
  const reasons = ({ because: { before, after } }: BehaviourChange): string =>
    utf8([before, after].map((each) => each.map(({ id }) => id).join(' ')).join('\n'));
  return changes.toSorted((one, other) => {
    const rank = changeKeys.indexOf(one.key) - changeKeys.indexOf(other.key);
    if (rank !== 0) return rank;
    return reasons(one) < reasons(other) ? -1 : reasons(one) > reasons(other) ? 1 : 0;
  });
}
