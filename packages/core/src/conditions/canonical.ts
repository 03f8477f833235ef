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

/** A condition in canonical form: aliases resolved, insignificant differences folded. */
export interface CanonicalLeaf {
  readonly field: FieldName;
  readonly operator: ConditionOperator;
  /** Name of the header (lower case), cookie or query parameter (percent-normalized); null for all other fields. */
  readonly target: string | null;
  /** Null for `exists` and `not_exists`; list entries are joined with line feeds. */
  readonly value: string | null;
}

/** The meaning of a set of conditions, independent of its spelling; used for uniqueness, evaluation and analysis. */
export interface CanonicalConditions {
  readonly logic: Logic;
  /** Sorted by field, target, operator and value in UTF-16 code unit order, without duplicates. */
  readonly conditions: readonly CanonicalLeaf[];
}

/** The canonical form: equal for sets that differ only in aliases, insignificant case, order or duplicates. */
export function canonicalConditions({ logic, conditions }: Conditions): CanonicalConditions {
  const leaves = new Map(conditions.map(canonicalLeaf).map((leaf) => [sortKey(leaf), leaf]));
  return {
    // With one condition, "all" and "any" mean the same. Checked logic is always known.
    logic: leaves.size === 1 ? 'and' : (logicOf(logic) ?? 'and'),
    conditions: [...leaves].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, leaf]) => leaf),
  };
}

/**
 * Canonical JSON with members in fixed order: two sets have the same key if and only if they have the same canonical
 * form.
 */
export function conditionsKey(written: Conditions): string {
  const { logic, conditions } = canonicalConditions(written);
  return JSON.stringify({
    logic,
    conditions: conditions.map(({ field, operator, target, value }) => ({ field, operator, target, value })),
  });
}

/** NUL is a safe separator: it sorts first and occurs in no member. */
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

/** A value that no request can match has no meaning to compare, so its text identifies it. */
function canonicalText(field: FieldName, operator: ConditionOperator, value: string | undefined): string | null {
  if (value === undefined) return null;
  const { texts } = canonicalValue(field, operator, value);
  return texts.length === 0 ? value : texts.join('\n');
}

/** A list with one entry means `equals`, unless the entry is an address range, which `equals` does not support. */
const isSingle = (field: FieldName, operator: ConditionOperator, value: string): boolean =>
  baseOf(operator) === 'in' && !value.includes('\n') && !(field === 'ip' && value.includes('/'));
