import { memoized } from '../memoized.ts';
import { anyByte, type ByteSet, complementOf, digits, oneByte, spaces, withOtherCase, wordBytes } from './byte-set.ts';

/** A byte of the subject: any of the members, or any other if negated. */
export interface BytesNode {
  readonly kind: 'bytes';
  /** As written; `bytesOf` applies negation and case folding. */
  readonly members: ByteSet;
  readonly negated: boolean;
}

/** The meanings of `^`, `$`, `\b` and `\B`. */
export type Assertion = 'start' | 'end' | 'wordBoundary' | 'noWordBoundary';

/** A pattern as a tree. */
export type PatternNode =
  | BytesNode
  /** Consumes no byte, and holds only at certain positions. */
  | { readonly kind: 'assertion'; readonly at: Assertion }
  /** A concatenation; without parts, it matches the empty text. */
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  /** Alternatives; earlier ones are preferred. */
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  /** As often as possible if greedy, else as rarely as possible; `max` is infinity if unbounded. */
  | {
      readonly kind: 'repetition';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  /** A capturing group, the `index` of which is the n of `$n`, from 1; other groups leave no node. */
  | { readonly kind: 'group'; readonly index: number; readonly body: PatternNode };

const bytesNode = (members: ByteSet, negated = false): BytesNode => ({ kind: 'bytes', members, negated });

const classEscapes: Readonly<Record<string, BytesNode>> = {
  d: bytesNode(digits),
  D: bytesNode(digits, true),
  w: bytesNode(wordBytes),
  W: bytesNode(wordBytes, true),
  s: bytesNode(spaces),
  S: bytesNode(spaces, true),
};

/** The class of an escape, such as `d` in `\d`; undefined if it is not a class. */
export const classEscape = (character: string): BytesNode | undefined =>
  Object.hasOwn(classEscapes, character) ? classEscapes[character] : undefined;

/** Shared by all patterns, which consist of them for the most part. */
const literals = new Map<string, BytesNode>();

/** A literal ASCII character. */
export function literalNode(character: string): BytesNode {
  const known = literals.get(character);
  if (known !== undefined) return known;
  const node = bytesNode(oneByte(character.charCodeAt(0)));
  literals.set(character, node);
  return node;
}

/** `.`: any byte. */
export const anyNode: BytesNode = bytesNode(anyByte);

/** Creates a concatenation. */
export const sequenceNode = (parts: readonly PatternNode[]): PatternNode =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'sequence', parts };

/** Creates a choice. */
export const choiceNode = (options: readonly PatternNode[]): PatternNode =>
  options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options };

const inBothCases = memoized(withOtherCase);

/**
 * The matching bytes. If case is ignored, a byte matches when it or its other case does; negation applies after that.
 */
export function bytesOf({ members, negated }: BytesNode, ignoreCase: boolean): ByteSet {
  const folded = ignoreCase ? inBothCases(members) : members;
  return negated ? complementOf(folded) : folded;
}

/** Whether the node can match without consuming a byte, at some position of some subject. */
export const fitsEmpty = (node: PatternNode): boolean => canBeEmpty(node, true);

/** Whether the node matches the empty text at every position. */
export const fitsEverywhere = (node: PatternNode): boolean => canBeEmpty(node, false);

function canBeEmpty(node: PatternNode, doAssertionsHold: boolean): boolean {
  const isEmpty = (child: PatternNode): boolean => canBeEmpty(child, doAssertionsHold);
  switch (node.kind) {
    case 'bytes':
      return false;
    case 'assertion':
      return doAssertionsHold;
    case 'sequence':
      return node.parts.every(isEmpty);
    case 'choice':
      return node.options.some(isEmpty);
    case 'repetition':
      return node.min === 0 || isEmpty(node.body);
    case 'group':
      return isEmpty(node.body);
  }
}

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
export function groupsInRepetitions({ tree }: { readonly tree: PatternNode }): ReadonlySet<number> {
  const groups = (node: PatternNode, repeated: boolean): readonly number[] => [
    ...(repeated && node.kind === 'group' ? [node.index] : []),
    ...childrenOf(node).flatMap((child) => groups(child, repeated || repeats(node))),
  ];
  return new Set(groups(tree, false));
}

/** Whether something that can match the empty text is repeated. Engines disagree about when to stop. */
export function repeatsEmptyText({ tree }: { readonly tree: PatternNode }): boolean {
  const isRepeated = (node: PatternNode): boolean =>
    (repeats(node) && childrenOf(node).some(fitsEmpty)) || childrenOf(node).some(isRepeated);
  return isRepeated(tree);
}
