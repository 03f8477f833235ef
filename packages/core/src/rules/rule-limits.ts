import { canonicalValue, fieldOf, operatorOf, takesList } from '@zonewright/engine';
import { conditionBytesWith } from '../conditions/condition-size.ts';
import type { Conditions } from '../conditions/conditions.ts';
import { tooManyEntries } from '../conditions/formats.ts';
import { type ConditionLeaf, isAddressList } from '../conditions/leaf.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleContents, RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import { utf8Bytes } from '../shared/text.ts';
import { type Violation, violation, violationsUnder } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { StateWithLimits } from '../zones/ports.ts';

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

/** The limits on lists of rules, and the current rules, which may stay even if they exceed them. */
export interface RuleCapacity {
  readonly limits: UsageLimits;
  /** The current rules. */
  readonly rules: Readonly<Record<RuleKind, readonly WrittenRule[]>>;
}

/** The limits in the zone being changed. */
export const ruleCapacityIn = ({ state: { rules }, limits }: StateWithLimits): RuleCapacity => ({ limits, rules });

/** The violation if all rules of a zone together would exceed the size limit and also grow. */
export function characterViolations(
  { limits: { ruleCharacters: limit }, rules }: RuleCapacity,
  wanted: RuleCapacity['rules'],
): readonly Violation[] {
  const size = charactersIn(wanted);
  if (size <= limit || size <= charactersIn(rules)) return [];
  const message = `All rules of a zone together should have at most ${limit} characters as JSON; these would have ${size}.`;
  return [violation('', 'zone.rules.tooLarge', message)];
}

const charactersIn = (rules: RuleCapacity['rules']): number =>
  ruleKindNames.reduce((sum, kind) => rules[kind].reduce((all, { content }) => all + content.text.length, sum), 0);

/** The violation if a list would have too many rules. */
export function capacityViolations(
  { limits, rules }: RuleCapacity,
  kind: RuleKind,
  count: number,
): readonly Violation[] {
  const { [kind]: member } = ruleListNames;
  const { [member]: limit } = limits;
  return count > Math.max(limit, rules[kind].length)
    ? [violation('', `zone.${member}.limit`, `A zone can have at most ${limit} ${member}.`)]
    : [];
}
