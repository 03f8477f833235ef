import { holdsByte, wordBytes } from '../../src/patterns/byte-set.ts';
import { type Assertion, bytesOf, type PatternNode } from '../../src/patterns/pattern-tree.ts';

/**
 * Matches by the definition of the tree: from a set of positions to the set of positions after the node. Slow, and
 * independent of automata.
 */
export function treeMatches(tree: PatternNode, subject: string, ignoreCase: boolean): boolean {
  const starts = new Set(Array.from({ length: subject.length + 1 }, (_, at) => at));
  return ends(tree, subject, ignoreCase, starts).size > 0;
}

type Positions = ReadonlySet<number>;

function ends(node: PatternNode, subject: string, fold: boolean, from: Positions): Positions {
  switch (node.kind) {
    case 'bytes': {
      const set = bytesOf(node, fold);
      const fits = (at: number) => at < subject.length && holdsByte(set, subject.charCodeAt(at));
      return new Set([...from].filter(fits).map((at) => at + 1));
    }
    case 'assertion':
      return new Set([...from].filter((at) => holds(node.at, subject, at)));
    case 'sequence':
      return node.parts.reduce((positions, part) => ends(part, subject, fold, positions), from);
    case 'choice':
      return new Set(node.options.flatMap((option) => [...ends(option, subject, fold, from)]));
    case 'group':
      return ends(node.body, subject, fold, from);
    case 'repetition':
      return repeated(node, subject, fold, from);
  }
}

function repeated(
  { body, min, max }: Extract<PatternNode, { kind: 'repetition' }>,
  subject: string,
  fold: boolean,
  from: Positions,
): Positions {
  let current = from;
  for (let count = 0; count < min; count += 1) current = ends(body, subject, fold, current);
  const reached = new Set(current);
  // Positions reached with fewer repetitions have already been continued.
  for (let count = min; count < max && current.size > 0; count += 1) {
    current = new Set([...ends(body, subject, fold, current)].filter((at) => !reached.has(at)));
    for (const at of current) reached.add(at);
  }
  return reached;
}

function holds(assertion: Assertion, subject: string, at: number): boolean {
  if (assertion === 'start') return at === 0;
  if (assertion === 'end') return at === subject.length;
  const isWord = (place: number) =>
    place >= 0 && place < subject.length && holdsByte(wordBytes, subject.charCodeAt(place));
  return (isWord(at - 1) !== isWord(at)) === (assertion === 'wordBoundary');
}
