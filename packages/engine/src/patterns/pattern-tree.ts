import { anyByte, type ByteSet, complementOf, digits, oneByte, spaces, withOtherCase, wordBytes } from './byte-set.ts';

/** One byte of the subject: any of the members, or any other one. */
export interface BytesNode {
  readonly kind: 'bytes';
  /** As written; `bytesOf` applies the negation, and the other case where case does not matter. */
  readonly members: ByteSet;
  readonly negated: boolean;
}

/** Takes no byte and holds at some places only. */
export interface AssertionNode {
  readonly kind: 'assertion';
  readonly at: Assertion;
}
/** The places of `^`, `$`, `\b` and `\B`. */
export type Assertion = 'start' | 'end' | 'wordBoundary' | 'noWordBoundary';

/** One part after the other; no part at all fits the empty text. */
export interface SequenceNode {
  readonly kind: 'sequence';
  readonly parts: readonly PatternNode[];
}

/** Any of the options; the first one that fits is preferred. */
export interface ChoiceNode {
  readonly kind: 'choice';
  readonly options: readonly PatternNode[];
}

/** The body several times, as often as possible when greedy, else as rarely. */
export interface RepetitionNode {
  readonly kind: 'repetition';
  readonly body: PatternNode;
  readonly min: number;
  /** Infinity when there is no upper bound. */
  readonly max: number;
  readonly greedy: boolean;
}

/** A capturing group; others leave no trace in the tree. */
export interface GroupNode {
  readonly kind: 'group';
  /** n of `$n`, from 1. */
  readonly index: number;
  readonly body: PatternNode;
}

/** A pattern as a tree. */
export type PatternNode = BytesNode | AssertionNode | SequenceNode | ChoiceNode | RepetitionNode | GroupNode;

const classEscapes: Readonly<Record<string, BytesNode>> = {
  d: { kind: 'bytes', members: digits, negated: false },
  D: { kind: 'bytes', members: digits, negated: true },
  w: { kind: 'bytes', members: wordBytes, negated: false },
  W: { kind: 'bytes', members: wordBytes, negated: true },
  s: { kind: 'bytes', members: spaces, negated: false },
  S: { kind: 'bytes', members: spaces, negated: true },
};

/** The class that the character after a backslash means, as `d` in `\d`; undefined when it means none. */
export const classEscape = (character: string): BytesNode | undefined =>
  Object.hasOwn(classEscapes, character) ? classEscapes[character] : undefined;

/** A literal character, which is ASCII. */
export const literalNode = (character: string): BytesNode => ({
  kind: 'bytes',
  members: oneByte(character.charCodeAt(0)),
  negated: false,
});

/** `.`: any byte. */
export const anyNode: BytesNode = { kind: 'bytes', members: anyByte, negated: false };

/** The assertion at this place. */
export const assertionNode = (at: Assertion): AssertionNode => ({ kind: 'assertion', at });

/** The parts in a row. */
export const sequenceNode = (parts: readonly PatternNode[]): PatternNode =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'sequence', parts };

/** One of the options. */
export const choiceNode = (options: readonly PatternNode[]): PatternNode =>
  options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options };

/**
 * The bytes that fit. Case-insensitively, a byte fits when it or its other case as an ASCII letter does; a
 * negated class is the complement of that.
 */
export function bytesOf({ members, negated }: BytesNode, ignoreCase: boolean): ByteSet {
  const folded = ignoreCase ? withOtherCase(members) : members;
  return negated ? complementOf(folded) : folded;
}

/** Whether the node can fit without taking a byte, at one place of some subject at least. */
export function fitsEmpty(node: PatternNode): boolean {
  switch (node.kind) {
    case 'bytes':
      return false;
    case 'assertion':
      return true;
    case 'sequence':
      return node.parts.every(fitsEmpty);
    case 'choice':
      return node.options.some(fitsEmpty);
    case 'repetition':
      return node.min === 0 || fitsEmpty(node.body);
    case 'group':
      return fitsEmpty(node.body);
  }
}
