import type { RewriteRule } from '@zonewright/engine';
import { canonicalPath } from '@zonewright/engine/internals';
import { type Automaton, commonLabels, labelsOf } from './automaton.ts';
import { noText, oneOfTexts, startingWith } from './literals.ts';
import type { PartLiteral } from './part-literals.ts';
import { matching } from './pattern-automaton.ts';
import { patternText } from './pattern-texts.ts';

/** The paths that the source of a rewrite rule matches; never the asterisk-form. */
export const sourcePaths = (operator: RewriteRule['operator'], source: string): Automaton =>
  withoutAsterisk(sourceSet(operator, source));

function sourceSet(operator: RewriteRule['operator'], source: string): Automaton {
  if (operator === 'regex' || operator === 'regex_ci') return matching([source], operator === 'regex_ci');
  const path = canonicalPath(operator === 'equals' ? 'equals' : 'starts_with', source);
  if (path === undefined) return noText;
  return operator === 'equals' ? oneOfTexts([path]) : startingWith(path);
}

/** The same as a literal; undefined for other patterns, and if no path begins with the source. */
export function sourceLiteral(operator: RewriteRule['operator'], source: string): PartLiteral | undefined {
  const literal = sourceText(operator, source);
  return literal?.text.startsWith('/') === true ? { part: 'path', ...literal } : undefined;
}

function sourceText(operator: RewriteRule['operator'], source: string) {
  if (operator === 'regex') return patternText(source);
  const text = operator === 'regex_ci' ? undefined : canonicalPath(operator, source);
  return text === undefined ? undefined : { text, isWhole: operator === 'equals' };
}

/** The paths of the set except `*`: all others start with a slash. */
function withoutAsterisk(set: Automaton): Automaton {
  const none = 0;
  const atStart = 1;
  return {
    start: atStart,
    step(state, symbol) {
      if (state === none || (state === atStart && symbol !== 0x2f)) return none;
      return 2 + set.step(state === atStart ? set.start : state - 2, symbol);
    },
    accepts: (state) => state > atStart && set.accepts(state - 2),
    fate: (state) => (state === none ? 'none' : state === atStart ? 'open' : set.fate(state - 2)),
    labels: commonLabels([set.labels, labelsOf([0x2f])]),
    weight: set.weight,
  };
}
