import { type PatternNode, parsePattern } from '@zonewright/engine';
import {
  type Context,
  choiceNode,
  maxByte,
  NfaSteps,
  nfaOf,
  type StateSet,
  startContext,
} from '@zonewright/engine/internals';
import { type Automaton, lazyAutomaton, symbolCount } from './automaton.ts';
import { noText } from './literals.ts';

/**
 * The states of the pattern's automaton and the context of assertions; or it has already matched. Arrays of numbers are in
 * the heap, whose size is limited; typed arrays are not.
 */
type Place = { readonly states: readonly number[]; readonly context: Context } | 'matched';

/** Texts in which one of the patterns matches somewhere; invalid patterns never match. */
export function matching(sources: readonly string[], ignoreCase = false): Automaton {
  const trees = sources.flatMap((source) => {
    const parsed = parsePattern(source);
    return parsed.ok ? [parsed.value.tree] : [];
  });
  return trees.length === 0 ? noText : matchingTree(choiceNode(trees), ignoreCase);
}

function matchingTree(tree: PatternNode, ignoreCase: boolean): Automaton {
  const steps = new NfaSteps(nfaOf(tree, { ignoreCase, groups: 0 }));
  const from = steps.newSet();
  const to = steps.newSet();
  steps.begin(from);
  const { classes } = steps.nfa;
  return lazyAutomaton<Place>({
    start: from.hasMatch ? 'matched' : placeOf(from, startContext),
    step(place, symbol) {
      if (place === 'matched') return place;
      steps.load(from, Int32Array.from(place.states));
      const byteClass = classes.of[symbol] ?? 0;
      return steps.step(from, place.context, byteClass, to) ? matched : placeOf(to, steps.contextAfter(byteClass));
    },
    accepts(place) {
      if (place === 'matched') return true;
      steps.load(from, Int32Array.from(place.states));
      return steps.endsInMatch(from, place.context);
    },
    fate: (place) => (place === 'matched' ? 'all' : place.states.length === 0 ? 'none' : 'open'),
    name: (place) =>
      place === 'matched' ? place : `${place.context.atStart} ${place.context.behindWord} ${place.states.join()}`,
    labels: Uint16Array.from({ length: symbolCount }, (_, symbol) =>
      symbol > maxByte ? 0 : (classes.of[symbol] ?? 0),
    ),
    weight: steps.nfa.ops.length,
  });
}

const matched: Place = 'matched';

/** Sorts states, so that equal sets have the same name: preference is irrelevant for matching. */
const placeOf = (set: StateSet, context: Context): Place => ({
  states: Array.from(set.members.slice(0, set.size).toSorted()),
  context,
});
