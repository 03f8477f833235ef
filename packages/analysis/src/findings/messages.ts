import type { AnalysedRule } from './analysed-rules.ts';

/** A rule as named in a sentence. */
export const named = ({ name }: Pick<AnalysedRule, 'name'>, begins = false): string =>
  `${begins ? 'The' : 'the'} rule “${name}”`;

/** Several rules as named in a sentence. */
export function namesOf(rules: readonly Pick<AnalysedRule, 'name'>[]): string {
  const names = rules.map(({ name }) => `“${name}”`);
  const last = names.at(-1) ?? '';
  return names.length < 2 ? `the rule ${last}` : `the rules ${names.slice(0, -1).join(', ')} and ${last}`;
}
