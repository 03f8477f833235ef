import type { BaseOperator } from '@zonewright/engine';
import type { Automaton } from './automaton.ts';
import { anyText, containing, endingWith, noText, oneOfTexts, startingWith } from './literals.ts';
import { matching } from './pattern-automaton.ts';

/** The texts that match a base operator; empty if no request can match. */
export function textSet(base: BaseOperator, texts: readonly string[]): Automaton {
  if (base === 'exists') return anyText;
  const [text] = texts;
  if (text === undefined) return noText;
  switch (base) {
    case 'equals':
    case 'in':
      return oneOfTexts(texts);
    case 'contains':
      return containing(text);
    case 'starts_with':
      return startingWith(text);
    case 'ends_with':
      return endingWith(text);
    case 'matches':
      return matching([text]);
    case 'matches_ci':
      return matching([text], true);
  }
}
