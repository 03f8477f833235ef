import * as fc from 'fast-check';
import type { PatternNode } from '../../src/patterns/pattern-tree.ts';

/** Grammatical patterns, most of them valid, over a small alphabet so that they often match. */
export function patterns(): fc.Arbitrary<string> {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '\\d',
    '\\W',
    '\\w',
    '\\S',
    '\\.',
    '[a-c]',
    '[^\\sb-]',
    '[-_]',
    '[^a]',
    'C',
    'ab',
  );
  const { pattern } = fc.letrec<{ pattern: string; branch: string; piece: string }>((tie) => ({
    pattern: fc.array(tie('branch'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
    branch: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
    piece: fc.oneof(
      { maxDepth: 4 },
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      fc.constantFrom('^', '$', '\\b', '\\B'),
      fc.tuple(tie('pattern'), quantifier).map(([inner, times]) => `(${inner})${times}`),
      fc.tuple(tie('pattern'), quantifier).map(([inner, times]) => `(?:${inner})${times}`),
    ),
  }));
  return pattern;
}

const quantifier = fc.constantFrom('', '', '', '*', '+?', '?', '??', '{2}', '{0,3}?', '{1,}', '{2,4}', '*?', '{0}');

/** Short subjects over the patterns' alphabet. */
export const subjects = (maxLength = 12): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'C', '1', ' ', '-', '.', '_', '\n'), maxLength });

/** The nesting depth of repetitions: from two on, backtracking may take exponential time. */
export function repetitionDepth(node: PatternNode): number {
  switch (node.kind) {
    case 'bytes':
    case 'assertion':
      return 0;
    case 'sequence':
      return Math.max(0, ...node.parts.map(repetitionDepth));
    case 'choice':
      return Math.max(0, ...node.options.map(repetitionDepth));
    case 'group':
      return repetitionDepth(node.body);
    case 'repetition':
      return repetitionDepth(node.body) + (node.max > 1 ? 1 : 0);
  }
}
