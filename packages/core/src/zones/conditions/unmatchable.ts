import { canonicalValue, fieldOf, markedQueries, operatorOf, takesList } from '@zonewright/engine';
import { isJsonList, isJsonObject, type Json } from '../../kernel/shared/merge-patch.ts';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import { maxLeaves } from './conditions.ts';
import { type ConditionLeaf, leafProblems, writtenLeaf } from './leaf.ts';

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
