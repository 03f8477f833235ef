import { canonicalValue, fieldOf, operatorOf, takesList } from '@zonewright/engine';
import type { Result } from 'neverthrow';
import { repetitions } from '../../kernel/shared/constraints.ts';
import type { JsonDocument } from '../../kernel/shared/json.ts';
import { utf8Bytes } from '../../kernel/shared/text.ts';
import {
  type InvalidInput,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Conditions } from '../conditions/conditions.ts';
import { tooManyEntries } from '../conditions/formats.ts';
import { type ConditionLeaf, conditionBytesWith, isAddressList } from '../conditions/leaf.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import { clashesBetween, type RuleContents, type RuleKind, ruleKeys, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { charactersIn, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { inconsistenciesWith } from '../settings/consistency.ts';
import {
  type Answering,
  brokenReferences,
  type ReferenceTargets,
  type SettingsReferences,
} from '../settings/references.ts';
import { type Decision, decideWithReferences } from '../zone-changes/decision.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { Zone } from '../zones/zone.ts';

type Content = JsonDocument<RuleContents[RuleKind]>;

/**
 * Violations of size limits in a rule; paths start at the rule. Conditions unchanged from `before` are exempt. Typical
 * rules are so small that nothing needs to be counted.
 */
function sizeViolations(limits: UsageLimits, content: Content, before?: Content): readonly Violation[] {
  if (content.text === before?.text) return [];
  const [member, conditions] = conditionsOf(content.value);
  if (conditions === undefined) return [];
  const earlier = conditionsOf(before?.value)[1];
  return violationsUnder(member, [
    ...leafViolations(limits, conditions.conditions, earlier?.conditions ?? []),
    ...byteViolations(conditionBytesWith(limits.addresses), content, conditions, earlier),
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
  const earlierValues = new Set(before.map(({ value }) => value));
  return [
    ...(leaves.length > Math.max(limit, before.length) ? [violation('conditions', 'list.tooLong', tooMany)] : []),
    ...leaves.flatMap((leaf, index) => {
      const max = isAddressList(leaf) ? addresses : values;
      const entries = earlierValues.has(leaf.value) ? 0 : entriesOf(leaf, max);
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

/** The violation if a list would have too many rules. */
export function capacityViolations(
  { limits, rules }: RuleCapacity,
  kind: RuleKind,
  count: number,
): readonly Violation[] {
  const { [kind]: member } = ruleListNames;
  const { [member]: limit } = limits;
  return count > Math.max(limit, rules[kind].length)
    ? [violation('', `zone.${member}.limit`, fullMessage('A zone', limit, inWords(member)))]
    : [];
}

/** Rejects a rule that clashes with another one or is invalid in its zone. */
export function requireValidRule<K extends RuleKind>(
  basis: StateWithLimits,
  kind: K,
  { id, content }: WrittenRule<K>,
): Result<Decision<void, InvalidInput>, InvalidInput> {
  const { zone, rules } = basis.state;
  const before = rules[kind].find((rule) => rule.id === id);
  const others = rules[kind].filter((rule) => rule.id !== id);
  const keys = others.map((rule) => ruleKeys(kind, rule.content));
  const clashes = clashesBetween(kind, ruleKeys(kind, content), keys, before && ruleKeys(kind, before.content));
  return decideWithReferences(basis.state, { settings: referencesOf([content.value]) }, (referents) =>
    requireNone([
      ...clashes,
      ...sizeViolations(basis.limits, content, before?.content),
      ...violationsInZone(zone, referents, content.value),
      ...characterViolations(ruleCapacityIn(basis), { ...rules, [kind]: [...others, { id, content }] }),
    ]),
  );
}

/** Such as `configuration rules`. */
const inWords = (list: string): string => list.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);

/** The references of rules to other things: only overrides have any. */
export const referencesOf = (contents: readonly RuleContents[RuleKind][]): readonly SettingsReferences[] =>
  contents.flatMap((content) => ('settingsOverrides' in content ? [content.settingsOverrides] : []));

/** What rules must be consistent with in their zone. */
export interface EnclosingZone extends Answering {
  readonly settings: Zone['settings'];
}

/**
 * Violations of a rule in combination with the zone's settings, and references that do not resolve (interface,
 * "Configuration rule update", rule 2); paths start at the rule. Only overrides depend on the zone.
 */
const violationsInZone = (
  zone: EnclosingZone,
  referents: ReferenceTargets,
  content: RuleContents[RuleKind],
): readonly Violation[] =>
  'settingsOverrides' in content
    ? violationsUnder('settingsOverrides', [
        ...inconsistenciesWith(zone.settings.value, content.settingsOverrides, 'overrides'),
        ...brokenReferences(zone, referents, content.settingsOverrides),
      ])
    : [];

/**
 * Violations of a whole list: too many rules, duplicates, and rules that are invalid in the zone. Paths start at the
 * index in the list.
 */
export function listViolations<K extends RuleKind>(
  zone: EnclosingZone & RuleCapacity,
  referents: ReferenceTargets,
  kind: K,
  wanted: readonly WrittenRule<K>[],
): readonly Violation[] {
  const tooMany = capacityViolations(zone, kind, wanted.length);
  if (tooMany.length > 0) return tooMany;
  const before = new Map(zone.rules[kind].map(({ id, content }) => [id, content]));
  const unfit = wanted.flatMap(({ id, content }, index) =>
    violationsUnder(`[${index}]`, [
      ...sizeViolations(zone.limits, content, before.get(id)),
      ...violationsInZone(zone, referents, content.value),
    ]),
  );
  return [...repeatedIn(kind, wanted), ...unfit];
}

/** The rules that share a name or unique key with an earlier one in the list. */
function repeatedIn<K extends RuleKind>(kind: K, wanted: readonly WrittenRule<K>[]): readonly Violation[] {
  const { nameTaken, uniqueKey } = ruleKinds[kind];
  const keys = wanted.map(({ content }) => ruleKeys(kind, content));
  const at = (places: readonly number[], taken: Violation) =>
    places.flatMap((index) => violationsUnder(`[${index}]`, [taken]));
  return [
    ...at(repetitions(keys.map(({ name }) => name)), nameTaken),
    ...(uniqueKey === undefined ? [] : at(repetitions(keys.map(({ unique }) => unique ?? '')), uniqueKey.taken)),
  ];
}
