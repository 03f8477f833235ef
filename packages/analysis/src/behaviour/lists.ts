import type { Formula } from '../solver/clauses.ts';
import { literalName } from '../solver/predicates.ts';
import type { Side } from './side.ts';

/** Which entries two lists have in common, in the same order. */
export interface Alignment<T> {
  /** The counterpart of an entry of either list. */
  readonly partner: (entry: T) => T | undefined;
  /** Entries of each list without a counterpart. */
  readonly only: { readonly before: readonly T[]; readonly after: readonly T[] };
}

/** Aligns the lists of both sides. */
export const listsOf = ({ rules: before }: Side, { rules: after }: Side) => ({
  access: aligned(before.accessRules, after.accessRules, ({ formula, stops, content }) => {
    const skipTargets = content.action === 'skip' ? content.skipTargets.toSorted() : [];
    return JSON.stringify([formulaName(formula), stops, content.action, skipTargets]);
  }),
  rewrites: aligned(before.rewriteRules, after.rewriteRules, ({ formula, content }) => {
    const { type, target, preserveQueryString, statusCode } = content;
    const status = type === 'redirect' ? statusCode : null;
    return JSON.stringify([formulaName(formula), type, target, preserveQueryString, status]);
  }),
  /** Compared without their settings: by conditions and `stopOnMatch`. */
  rules: aligned(before.configurationRules, after.configurationRules, ({ formula, stops }) =>
    JSON.stringify([formulaName(formula), stops]),
  ),
});

/** The rules that two configurations have in common in the same order, whatever their names. */
export type Lists = ReturnType<typeof listsOf>;

/** A key for rules that have textually equal conditions. */
export const formulaName = ({ literals, isAnd }: Formula): string => `${isAnd} ${literals.map(literalName).join()}`;

/** Aligns as many entries as possible; entries with the same name are equal. */
function aligned<T extends object>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (entry: T) => string,
): Alignment<T> {
  const [one, other] = [before.map(nameOf), after.map(nameOf)];
  const partners = new Map<T, T>();
  for (const [at, to] of commonPlaces(one, other)) {
    const [first, second] = [before[at], after[to]];
    if (first === undefined || second === undefined) continue;
    partners.set(first, second).set(second, first);
  }
  const alone = (list: readonly T[]): readonly T[] => list.filter((entry) => !partners.has(entry));
  return { partner: (entry) => partners.get(entry), only: { before: alone(before), after: alone(after) } };
}

/** A longest common subsequence, as pairs of indexes; common prefixes and suffixes are paired up front. */
function commonPlaces(one: readonly string[], other: readonly string[]): readonly (readonly [number, number])[] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = longest(one.slice(start, one.length - end), other.slice(start, other.length - end));
  return [
    ...Array.from({ length: start }, (_, at) => [at, at] as const),
    ...middle.map(([at, to]) => [at + start, to + start] as const),
    ...Array.from({ length: end }, (_, at) => [one.length - end + at, other.length - end + at] as const),
  ];
}

function longest(one: readonly string[], other: readonly string[]): readonly (readonly [number, number])[] {
  const width = other.length + 1;
  const lengths = new Int32Array((one.length + 1) * width);
  const lengthAt = (at: number, to: number): number => lengths[at * width + to] ?? 0;
  for (let at = one.length - 1; at >= 0; at -= 1) {
    for (let to = other.length - 1; to >= 0; to -= 1) {
      lengths[at * width + to] =
        one[at] === other[to] ? lengthAt(at + 1, to + 1) + 1 : Math.max(lengthAt(at + 1, to), lengthAt(at, to + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [at, to] = [0, 0];
  while (at < one.length && to < other.length) {
    if (one[at] === other[to]) pairs.push([at++, to++]);
    else if (lengthAt(at + 1, to) >= lengthAt(at, to + 1)) at += 1;
    else to += 1;
  }
  return pairs;
}
