import type { ParsedPattern } from './pattern.ts';
import { fitsEmpty, type PatternNode } from './pattern-tree.ts';

/** `*`, `+` and bounds above one; an optional piece is not repeated. */
const repeats = (node: PatternNode): boolean => node.kind === 'repetition' && node.max > 1;

function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case 'bytes':
    case 'assertion':
      return [];
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.options;
    case 'repetition':
    case 'group':
      return [node.body];
  }
}

/** Groups that can match several times. Engines disagree about which match counts. */
export function groupsInRepetitions({ tree }: Pick<ParsedPattern, 'tree'>): ReadonlySet<number> {
  const groups = (node: PatternNode, repeated: boolean): readonly number[] => [
    ...(repeated && node.kind === 'group' ? [node.index] : []),
    ...childrenOf(node).flatMap((child) => groups(child, repeated || repeats(node))),
  ];
  return new Set(groups(tree, false));
}

/** Whether something that can match the empty text is repeated. Engines disagree about when to stop. */
export function repeatsEmptyText({ tree }: Pick<ParsedPattern, 'tree'>): boolean {
  const isRepeated = (node: PatternNode): boolean =>
    (repeats(node) && childrenOf(node).some(fitsEmpty)) || childrenOf(node).some(isRepeated);
  return isRepeated(tree);
}
