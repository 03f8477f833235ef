import { type ByteClasses, type ByteSet, byteClasses, classesIn, unionOf, wordBytes } from './byte-set.ts';
import { type Assertion, bytesOf, fitsEverywhere, type PatternNode } from './pattern-tree.ts';

/** The operation of a state. */
export const op = {
  /** Consumes a byte of the set `operands[state]` and goes to `next[state]`. */
  byte: 0,
  /** Goes to `next[state]` or, with lower preference, to `operands[state]`. */
  split: 1,
  /** Goes to `next[state]` if the assertion `operands[state]` holds. */
  assert: 2,
  /** Records the position in slot `operands[state]` and goes to `next[state]`. */
  save: 3,
  /** The pattern has matched. */
  match: 4,
} as const;

/** Numbers of the assertions. */
export const assertions = { start: 0, end: 1, wordBoundary: 2, noWordBoundary: 3 } as const satisfies Record<
  Assertion,
  number
>;

/**
 * The nondeterministic automaton of a pattern, with preferences, so that it serves for matching, for groups, and for
 * questions about all subjects. Counted repetitions are expanded.
 */
export interface Nfa {
  readonly ops: Uint8Array;
  readonly next: Int32Array;
  readonly operands: Int32Array;
  readonly start: number;
  /**
   * The number of the repetition for splits before optional copies, negative if the copy is the less preferred path; 0
   * for other states. A path to an earlier copy, whose split has a higher number, can do everything that paths to later
   * copies can.
   */
  readonly runs: Int32Array;
  readonly classes: ByteClasses;
  /** By set number: for each byte class, whether the set contains it. */
  readonly takes: readonly Uint8Array[];
  /** For each byte class, whether its bytes match `\w`; undefined if no assertion needs it. */
  readonly words: Uint8Array | undefined;
  /** Two per capturing group that is kept. */
  readonly slots: number;
}

/** What the automaton is for. */
export interface NfaPurpose {
  /** Of ASCII letters. */
  readonly ignoreCase: boolean;
  /** Groups up to this number are kept; 0: only for matching. */
  readonly groups: number;
}

/** The automaton of a pattern; it has about as many states as `parsePattern` counts. */
export function nfaOf(tree: PatternNode, purpose: NfaPurpose): Nfa {
  const draft: Draft = {
    purpose,
    ops: [],
    next: [],
    operands: [],
    runs: [],
    runCount: 0,
    sets: new Map(),
    looksAtWords: false,
  };
  const start = draw(draft, tree, state(draft, op.match, 0, 0));
  const sets = [...draft.sets.values()].map(({ set }) => set);
  const classes = byteClasses(draft.looksAtWords ? [...sets, wordBytes] : sets);
  return {
    ops: Uint8Array.from(draft.ops),
    next: Int32Array.from(draft.next),
    operands: Int32Array.from(draft.operands),
    start,
    runs: Int32Array.from(draft.runs),
    classes,
    takes: sets.map((set) => classesIn(classes, set)),
    words: draft.looksAtWords ? classesIn(classes, wordBytes) : undefined,
    slots: 2 * purpose.groups,
  };
}

interface Draft {
  readonly purpose: NfaPurpose;
  readonly ops: number[];
  readonly next: number[];
  readonly operands: number[];
  readonly runs: number[];
  runCount: number;
  readonly sets: Map<string, { readonly set: ByteSet; readonly number: number }>;
  looksAtWords: boolean;
}

function state({ ops, next, operands, runs }: Draft, kind: number, to: number, operand: number): number {
  ops.push(kind);
  runs.push(0);
  next.push(to);
  operands.push(operand);
  return ops.length - 1;
}

/** Adds the states of a node that lead to state `to`, back to front; returns the first of them. */
function draw(draft: Draft, node: PatternNode, to: number): number {
  const set = singleByte(draft, node);
  if (set !== undefined) return state(draft, op.byte, to, numberOf(draft, set));
  switch (node.kind) {
    case 'bytes':
      return to;
    case 'assertion':
      draft.looksAtWords ||= node.at === 'wordBoundary' || node.at === 'noWordBoundary';
      return state(draft, op.assert, to, assertions[node.at]);
    case 'sequence':
      return node.parts.reduceRight((behind, part) => draw(draft, part, behind), to);
    case 'choice':
      return drawChoice(draft, node.options, to);
    case 'group':
      return isKept(draft, node.index) ? drawGroup(draft, node, to) : draw(draft, node.body, to);
    case 'repetition':
      return drawRepetition(draft, node, to);
  }
}

const isKept = ({ purpose }: Draft, group: number): boolean => group <= purpose.groups;

/** The bytes of a node that always consumes exactly one; preference among such options is irrelevant. */
function singleByte(draft: Draft, node: PatternNode): ByteSet | undefined {
  if (node.kind === 'bytes') return bytesOf(node, draft.purpose.ignoreCase);
  if (node.kind === 'group') return isKept(draft, node.index) ? undefined : singleByte(draft, node.body);
  if (node.kind !== 'choice') return undefined;
  const sets = node.options.map((option) => singleByte(draft, option));
  return sets.every((set) => set !== undefined) ? unionOf(sets) : undefined;
}

function numberOf({ sets }: Draft, set: ByteSet): number {
  const key = set.join();
  const number = sets.get(key)?.number ?? sets.size;
  sets.set(key, { set, number });
  return number;
}

function drawChoice(draft: Draft, options: readonly PatternNode[], to: number): number {
  const starts = options.map((option) => draw(draft, option, to));
  return starts.reduceRight((others, first) => state(draft, op.split, first, others));
}

function drawGroup(draft: Draft, { index, body }: Extract<PatternNode, { kind: 'group' }>, to: number): number {
  const end = state(draft, op.save, to, 2 * index - 1);
  return state(draft, op.save, draw(draft, body, end), 2 * index - 2);
}

type Repetition = Extract<PatternNode, { kind: 'repetition' }>;

/** `x{2,4}` becomes `xx(?:x(?:x)?)?`, `x{2,}` becomes `xx+`. */
function drawRepetition(draft: Draft, repetition: Repetition, to: number): number {
  const { body, max } = repetition;
  // Required copies that can be empty do not affect whether there is a match.
  const min = draft.purpose.groups === 0 && fitsEverywhere(body) ? 0 : repetition.min;
  const endless = max === Number.POSITIVE_INFINITY;
  let first = endless ? drawLoop(draft, { ...repetition, min }, to) : to;
  const optional = endless ? 0 : max - min;
  draft.runCount += 1;
  const run = draft.runCount;
  for (let copy = 0; copy < optional; copy += 1) {
    first = fork(draft, repetition, draw(draft, body, first), to);
    draft.runs[first] = repetition.greedy ? run : -run;
  }
  // The loop is one of the required copies.
  for (let copy = endless ? 1 : 0; copy < min; copy += 1) first = draw(draft, body, first);
  return first;
}

function drawLoop(draft: Draft, repetition: Repetition, to: number): number {
  const again = fork(draft, repetition, to, to);
  const body = draw(draft, repetition.body, again);
  (repetition.greedy ? draft.next : draft.operands)[again] = body;
  return repetition.min === 0 ? again : body;
}

const fork = (draft: Draft, { greedy }: Repetition, body: number, to: number): number =>
  greedy ? state(draft, op.split, body, to) : state(draft, op.split, to, body);
