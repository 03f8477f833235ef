import type { ChangeKey, Reason, Witness } from '@zonewright/core';
import type { AnalysedRules } from '../findings/analysed-rules.ts';
import { namesOf } from '../findings/finding.ts';
import type { Difference } from './change.ts';

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
