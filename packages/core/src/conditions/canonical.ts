import {
  baseOf,
  type ConditionOperator,
  canonicalTarget,
  canonicalValue,
  type FieldName,
  fieldOf,
  type Logic,
  logicOf,
  negatedLike,
  operatorOf,
} from '@zonewright/engine';
import type { Conditions } from './conditions.ts';
import type { ConditionLeaf } from './leaf.ts';

/** One condition under canonical names, with everything folded that does not matter. */
export interface CanonicalLeaf {
  readonly field: FieldName;
  readonly operator: ConditionOperator;
  /** Name of the header (lower case), cookie or query parameter (percent-normalized); null for all other fields. */
  readonly target: string | null;
  /** Null for `exists` and `not_exists`; the entries of a list are joined with line feeds. */
  readonly value: string | null;
}

/** What a set of conditions means, apart from how it is written; decides uniqueness, evaluation and analysis. */
export interface CanonicalConditions {
  readonly logic: Logic;
  /** Sorted by field, target, operator and value in order of UTF-16 code units; none twice. */
  readonly conditions: readonly CanonicalLeaf[];
}

/** The canonical form: sets that differ only in spelling, foldable case, order or repetition have the same one. */
export function canonicalConditions({ logic, conditions }: Conditions): CanonicalConditions {
  const leaves = new Map(conditions.map(canonicalLeaf).map((leaf) => [sortKey(leaf), leaf]));
  return {
    // All of one condition and any of one condition are the same. Checked logic is always known.
    logic: leaves.size === 1 ? 'and' : (logicOf(logic) ?? 'and'),
    conditions: [...leaves].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, leaf]) => leaf),
  };
}

/** Canonical JSON text, members in fixed order: two sets have the same key exactly when their canonical form is the same. */
export function conditionsKey(written: Conditions): string {
  const { logic, conditions } = canonicalConditions(written);
  return JSON.stringify({
    logic,
    conditions: conditions.map(({ field, operator, target, value }) => ({ field, operator, target, value })),
  });
}

/** NUL separates and sorts before every character of a member, and no member holds it. */
const sortKey = ({ field, operator, target, value }: CanonicalLeaf): string =>
  [field, target ?? '', operator, value ?? ''].join('\0');

function canonicalLeaf(leaf: ConditionLeaf): CanonicalLeaf {
  const field = fieldOf(leaf.field);
  const operator = operatorOf(leaf.operator);
  const target = canonicalTargetOf(field, leaf.target);
  const value = canonicalText(field, operator, leaf.value);
  return value !== null && isSingle(field, operator, value)
    ? { field, operator: negatedLike(operator, 'equals'), target, value }
    : { field, operator, target, value };
}

const canonicalTargetOf = (field: FieldName, target: string | undefined): string | null =>
  target === undefined ? null : canonicalTarget(field, target);

/** A value that no request fits means nothing; it is identified by its text. */
function canonicalText(field: FieldName, operator: ConditionOperator, value: string | undefined): string | null {
  if (value === undefined) return null;
  const { texts } = canonicalValue(field, operator, value);
  return texts.length === 0 ? value : texts.join('\n');
}

/** A list with one entry says `equals`, unless `equals` cannot compare with it: an address range. */
const isSingle = (field: FieldName, operator: ConditionOperator, value: string): boolean =>
  baseOf(operator) === 'in' && !value.includes('\n') && !(field === 'ip' && value.includes('/'));
