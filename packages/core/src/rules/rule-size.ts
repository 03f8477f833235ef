import { canonicalValue, fieldOf, operatorOf, takesList } from '@zonewright/engine';
import { conditionBytesWith } from '../conditions/condition-size.ts';
import type { Conditions } from '../conditions/conditions.ts';
import { tooManyEntries } from '../conditions/formats.ts';
import { type ConditionLeaf, isAddressList } from '../conditions/leaf.ts';
import type { RuleContents, RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import { utf8Bytes } from '../shared/text.ts';
import { type Violation, violation, violationsUnder } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';

type Content = JsonDocument<RuleContents[RuleKind]>;

/**
 * Violations of size limits in a rule; paths start at the rule. Conditions unchanged from `before` are exempt. Typical
 * rules are so small that nothing needs to be counted.
 */
export function sizeViolations(limits: UsageLimits, content: Content, before?: Content): readonly Violation[] {
  if (content.text === before?.text) return [];
  const [member, conditions] = conditionsOf(content.value);
  if (conditions === undefined) return [];
  const known = conditionsOf(before?.value)[1];
  return violationsUnder(member, [
    ...leafViolations(limits, conditions.conditions, known?.conditions ?? []),
    ...byteViolations(conditionBytesWith(limits.addresses), content, conditions, known),
  ]);
}

function conditionsOf(
  content: RuleContents[RuleKind] | undefined,
): readonly [member: string, conditions: Pick<Conditions, 'conditions'> | undefined] {
  if (content !== undefined && 'filter' in content) return ['filter', content.filter];
  return [
    'conditions',
    content !== undefined && 'conditions' in content ? (content.conditions ?? undefined) : undefined,
  ];
}

function leafViolations(
  { conditions: limit, addresses, values }: UsageLimits,
  leaves: readonly ConditionLeaf[],
  before: readonly ConditionLeaf[],
): readonly Violation[] {
  const tooMany = `This value should have at most ${limit} entries.`;
  const known = new Set(before.map(({ value }) => value));
  return [
    ...(leaves.length > Math.max(limit, before.length) ? [violation('conditions', 'list.tooLong', tooMany)] : []),
    ...leaves.flatMap((leaf, index) => {
      const max = isAddressList(leaf) ? addresses : values;
      const entries = known.has(leaf.value) ? 0 : entriesOf(leaf, max);
      if (entries <= max) return [];
      const { code, message } = tooManyEntries(entries, max);
      return [violation(`conditions[${index}].value`, `condition.${code}`, message)];
    }),
  ];
}

/** The number of distinct entries in a list; may return 0 if it is certainly at most `enough`. */
function entriesOf({ field, operator: spelling, value = '' }: ConditionLeaf, enough: number): number {
  const operator = operatorOf(spelling);
  // Each entry takes at least a character and a separator.
  if (!takesList(operator) || value.length < 2 * enough) return 0;
  const { texts, unmatchable } = canonicalValue(fieldOf(field), operator, value);
  return texts.length + unmatchable.length;
}

function byteViolations(
  max: number,
  { text }: Content,
  conditions: object,
  before: object | undefined,
): readonly Violation[] {
  // A code unit takes at most three bytes.
  if (3 * text.length <= max) return [];
  const bytes = utf8Bytes(JSON.stringify(conditions));
  if (bytes <= max || (before !== undefined && bytes <= utf8Bytes(JSON.stringify(before)))) return [];
  return [violation('', 'condition.tooLarge', `The conditions should be at most ${max} bytes long as JSON.`)];
}
