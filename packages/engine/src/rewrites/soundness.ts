import type { RewriteRule } from '../configuration/configuration.ts';
import { fitsEmpty, type PatternNode } from '../patterns/pattern-tree.ts';

/** Why a rewrite rule is not applied: what is wrong with its target, or what engines disagree about in its pattern. */
export type Unsoundness =
  | 'target.form'
  | 'target.otherHost'
  | 'target.reference'
  | 'target.reference.host'
  | 'target.reference.repeated'
  | 'sourcePattern.emptyRepetition';

const onePathSlash = /^\/(?!\/)/;
const originPart = /^https?:\/\/[^/?#]*/;
const plainOrigin = /^https?:\/\/[A-Za-z0-9._-]+(?::[0-9]{1,5})?$/;
const referenceOrBackslash = /[$\\]/;
const loosePercent = /%(?![0-9A-Fa-f]{2})/;
const references = /\$(.?)/g;

/**
 * What keeps a rule from being applied; undefined when nothing does. `pattern` is the tree of its source, where that
 * is a pattern.
 */
export function unsoundness(
  { type, target }: Pick<RewriteRule, 'type' | 'target'>,
  pattern: { readonly tree: PatternNode; readonly captureGroups: number } | undefined,
): Unsoundness | undefined {
  const form = formProblem(type, target);
  if (form !== undefined) return form;
  const signs = [...target.matchAll(references)].map(([, sign = '']) => sign);
  const groups = signs.filter((sign) => sign !== '$').map(Number);
  // What is no number is compared to false, and so is no group.
  if (!groups.every((group) => group >= 1 && group <= (pattern?.captureGroups ?? 0))) return 'target.reference';
  if (pattern === undefined || groups.length === 0) return undefined;
  return repetitionProblem(pattern.tree, new Set(groups));
}

function formProblem(type: RewriteRule['type'], target: string): Unsoundness | undefined {
  if (loosePercent.test(target)) return 'target.form';
  if (onePathSlash.test(target)) return type === 'rewrite' && target.includes('#') ? 'target.form' : undefined;
  const [origin] = originPart.exec(target) ?? [];
  if (origin === undefined) return 'target.form';
  if (type === 'rewrite') return 'target.otherHost';
  if (referenceOrBackslash.test(origin)) return 'target.reference.host';
  return plainOrigin.test(origin) ? undefined : 'target.form';
}

/** Engines disagree about groups inside repetitions, and about repetitions of what fits the empty text. */
function repetitionProblem(tree: PatternNode, groups: ReadonlySet<number>): Unsoundness | undefined {
  const repeated = repeatedBodies(tree);
  if (repeated.some((body) => groupsIn(body).some((group) => groups.has(group)))) return 'target.reference.repeated';
  return repeated.some(fitsEmpty) ? 'sourcePattern.emptyRepetition' : undefined;
}

const childrenOf = (node: PatternNode): readonly PatternNode[] => {
  switch (node.kind) {
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.options;
    case 'repetition':
    case 'group':
      return [node.body];
    case 'bytes':
    case 'assertion':
      return [];
  }
};

/** What the pattern repeats: `?` and counts up to one repeat nothing. */
const repeatedBodies = (node: PatternNode): readonly PatternNode[] => [
  ...(node.kind === 'repetition' && node.max > 1 ? [node.body] : []),
  ...childrenOf(node).flatMap(repeatedBodies),
];

const groupsIn = (node: PatternNode): readonly number[] => [
  ...(node.kind === 'group' ? [node.index] : []),
  ...childrenOf(node).flatMap(groupsIn),
];
