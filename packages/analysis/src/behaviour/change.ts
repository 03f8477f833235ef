import type { BehaviourChange, ChangeKey, Reason, Witness } from '@zonewright/core';
import { utf8 } from '@zonewright/engine';
import { settingKeys } from '@zonewright/engine/internals';
import type { AnalysedRules } from '../findings/analysed-rules.ts';
import { namesOf } from '../findings/finding.ts';

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

/** One sentence about a difference, with an example request. */
export function sentence(
  { key, from, to, because }: Difference,
  witness: Witness,
  { before, after }: { readonly before: AnalysedRules; readonly after: AnalysedRules },
): string {
  const request = `${witness.method} ${witness.scheme}://${witness.authority}${witness.target}`;
  const old = `${textOf(key, from)}${byRules(because.before, before)}`;
  return `Requests such as ${request} ${verbOf(key)} ${textOf(key, to)}${byRules(because.after, after)} instead of ${old}.`;
}

function verbOf(key: ChangeKey): string {
  if (key === 'answer') return 'are answered with';
  if (key === 'request') return 'continue as';
  if (key === 'backend') return 'go to';
  if (key === 'skips') return 'skip';
  if (key === 'scenarios') return 'match';
  if (key === 'basicAuthUsers') return 'accept credentials of';
  return `get ${key.slice('settings.'.length)}:`;
}

const longest = 100;

function textOf(key: ChangeKey, value: unknown): string {
  // Each key has values of one shape, which `differences` makes.
  const members = value as Readonly<Record<string, string | number | undefined>>;
  if (key === 'answer') {
    const { disposition, status, location } = members;
    return [disposition, status, location].filter((each) => each !== undefined).join(' ');
  }
  if (key === 'request') return [members['path'], members['query']].filter((each) => each !== '').join('?');
  if (key === 'scenarios') return counted(value, 'scenario');
  if (key === 'skips') return Array.isArray(value) && value.length > 0 ? value.join(', ') : 'nothing';
  const text = JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

function counted(list: unknown, what: string): string {
  const number = Array.isArray(list) ? list.length : 0;
  return number === 0 ? `no ${what}` : `${number} ${what}${number === 1 ? '' : 's'}`;
}

function byRules(reasons: readonly Reason[], rules: AnalysedRules): string {
  const all = [rules.accessRules, rules.rewriteRules, rules.configurationRules, rules.securityScenarios].flat();
  const causes = reasons.flatMap(({ id, list }) => all.filter((rule) => rule.id === id && rule.list === list));
  return causes.length === 0 ? '' : ` (${namesOf(causes)})`;
}
