import {
  baseOf,
  type ConditionOperator,
  canonicalTarget,
  canonicalValue,
  type FieldName,
  type FieldScope,
  fieldOf,
  fieldSpellings,
  isOperatorSpelling,
  type Logic,
  logicOf,
  logicSpellings,
  markedQueries,
  negatedLike,
  operatorOf,
  operatorSpellings,
  takesList,
} from '@zonewright/engine';
import { z } from 'zod';
import { isJsonList, isJsonObject, type Json } from '../../kernel/shared/json.ts';
import { coded } from '../../kernel/shared/parse.ts';
import { utf8Bytes } from '../../kernel/shared/text.ts';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import { usageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import {
  type ConditionLeaf,
  conditionBytes,
  isAddressList,
  type LeafInput,
  leafProblems,
  writtenLeaf,
} from './leaf.ts';

/** Upper bound for every zone; the limit in force is checked where rules are written. */
const maxLeaves = usageLimits.conditions.ceiling;

const logicSchema = z
  .string()
  .refine(
    (spelling) => logicOf(spelling) !== undefined,
    coded('condition.logic', 'This value should be "and" or "or".'),
  )
  .meta({
    description: 'Whether all conditions must hold (`and`, `all`) or any of them (`or`, `any`). Case-insensitive.',
    examples: [...logicSpellings],
  });

/** Keeps conditions as written, except that empty members are dropped and members are put in a fixed order. */
const leafSchema = (scope: FieldScope) =>
  z
    .strictObject({
      field: z.string().meta({ enum: fieldSpellings(scope), description: 'The part of the request to compare.' }),
      operator: z.string().meta({ enum: operatorSpellings, description: 'How it is compared with the value.' }),
      target: z.string().nullish().meta({ description: 'Name of the header, cookie or query parameter.' }),
      value: z.string().nullish().meta({ description: 'The value to compare with; not used by `exists`.' }),
    })
    .transform((leaf: LeafInput, { issues }): ConditionLeaf => {
      for (const { member, code, message } of leafProblems(leaf, scope)) {
        issues.push({ code: 'custom', path: [member], input: leaf[member], ...coded(`condition.${code}`, message) });
      }
      return writtenLeaf(leaf);
    });

/** The size of conditions as JSON, without address lists. */
const bytesOf = ({ logic, conditions }: { readonly logic: string; readonly conditions: readonly ConditionLeaf[] }) =>
  utf8Bytes(JSON.stringify({ logic, conditions: conditions.map(withoutAddresses) }));

/** Also takes invalid leaves, whose field or operator may be unknown. */
const withoutAddresses = (leaf: ConditionLeaf): ConditionLeaf =>
  leaf.field === 'ip' && isOperatorSpelling(leaf.operator) && isAddressList(leaf) ? { ...leaf, value: '' } : leaf;

const conditionsSchema = (scope: FieldScope) =>
  z
    .strictObject({
      logic: logicSchema,
      conditions: z
        .array(leafSchema(scope))
        .min(1)
        .max(maxLeaves)
        .meta({
          description: `The conditions, in any order; at most ${usageLimits.conditions.default} unless the operator sets another limit.`,
        }),
    })
    .refine((conditions) => bytesOf(conditions) <= conditionBytes, {
      ...coded('condition.tooLarge', `The conditions should be at most ${conditionBytes} bytes long as JSON.`),
      // Size is reported along with other violations, but only values of the right shape can be measured.
      when: ({ issues }) => issues.every(({ code }) => code === 'custom' || code === 'unrecognized_keys'),
    })
    .brand<'Conditions'>();

/**
 * When a rule applies: a flat list of conditions of which all or any must match (interface, "Configuration rule").
 *
 * Keeps what the client wrote, including aliases, case and order; `canonicalConditions` has the meaning. A value
 * compared as a whole has at most 4096 characters; other values and list entries at most 1024.
 */
export const Conditions = conditionsSchema('request');
export type Conditions = z.infer<typeof Conditions>;

/** Conditions on a request and its response: they may also test the response status. */
export const ScenarioFilter = conditionsSchema('requestAndAnswer');
export type ScenarioFilter = z.infer<typeof ScenarioFilter>;

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

/**
 * Violations for values that no request can match; paths start at the conditions. Conditions that already existed are
 * exempt: stored rules may keep them. Other problems are reported elsewhere.
 */
export function unmatchableValues(conditions: unknown, before: unknown): readonly Violation[] {
  const earlierLeaves = new Set(leavesOf(before).map((leaf) => JSON.stringify(leaf)));
  return leavesOf(conditions).flatMap((leaf, index) => {
    if (leaf === undefined || earlierLeaves.has(JSON.stringify(leaf))) return [];
    return valueProblems(leaf).map(({ code, message }) => violation(`conditions[${index}].value`, code, message));
  });
}

/** The valid conditions of a set, at their indexes. */
function leavesOf(conditions: unknown): readonly (ConditionLeaf | undefined)[] {
  const leaves = isJsonObject(conditions) ? conditions['conditions'] : undefined;
  return isJsonList(leaves) ? leaves.slice(0, maxLeaves).map(checkedLeaf) : [];
}

function checkedLeaf(leaf: Json): ConditionLeaf | undefined {
  if (!isJsonObject(leaf)) return undefined;
  const { field, operator, target, value } = leaf;
  const isText = (text: Json | undefined): text is string | null | undefined =>
    text === undefined || text === null || typeof text === 'string';
  if (typeof field !== 'string' || typeof operator !== 'string' || !isText(target) || !isText(value)) return undefined;
  const written = { field, operator, target, value };
  return leafProblems(written, 'requestAndAnswer').length === 0 ? writtenLeaf(written) : undefined;
}

function valueProblems({
  field: fieldSpelling,
  operator: operatorSpelling,
  value = '',
}: ConditionLeaf): readonly Pick<Violation, 'code' | 'message'>[] {
  const [field, operator] = [fieldOf(fieldSpelling), operatorOf(operatorSpelling)];
  const place = (index: number) => (takesList(operator) ? `Entry ${index + 1} of the list: ` : '');
  const [marked] = markedQueries(field, operator, value);
  if (marked !== undefined) {
    return [
      { code: 'condition.value.syntax', message: `${place(marked)}A query does not start with "?"; leave it out.` },
    ];
  }
  const [unmatchable] = canonicalValue(field, operator, value).unmatchable;
  if (unmatchable === undefined) return [];
  const message = `${place(unmatchable)}No request can have this value in the form in which requests are compared.`;
  return [{ code: 'condition.value.unmatchable', message }];
}
