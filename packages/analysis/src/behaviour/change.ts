import type { BehaviourChange, ChangeKey } from '@zonewright/core';
import { utf8 } from '@zonewright/engine';
import { settingKeys } from '@zonewright/engine/internals';

/** How one request is treated differently. */
export type Difference = Omit<BehaviourChange, 'message' | 'witness'>;

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
