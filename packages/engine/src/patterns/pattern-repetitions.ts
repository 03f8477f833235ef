import type { ParsedPattern } from './pattern.ts';
import { fitsEmpty, type PatternNode } from './pattern-tree.ts';

/** `*`, `+` and bounds above one; what is there once or not at all is not repeated. */
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

/** The groups that can take part several times in one match. Engines disagree about which time counts. */
export function groupsInRepetitions({ tree }: Pick<ParsedPattern, 'tree'>): ReadonlySet<number> {
  const groups = (node: PatternNode, repeated: boolean): readonly number[] => [
    ...(repeated && node.kind === 'group' ? [node.index] : []),
    ...childrenOf(node).flatMap((child) => groups(child, repeated || repeats(node))),
  ];
  return new Set(groups(tree, false));
}

/** Whether something is repeated that can fit the empty text. Engines disagree about when to stop. */
export function repeatsEmptyText({ tree }: Pick<ParsedPattern, 'tree'>): boolean {
  const found = (node: PatternNode): boolean =>
    (repeats(node) && childrenOf(node).some(fitsEmpty)) || childrenOf(node).some(found);
  return found(tree);
}
