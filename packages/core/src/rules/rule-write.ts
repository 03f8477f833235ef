import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Rule, WrittenRule } from '../rule-kinds/rule.ts';
import { clashesBetween, ruleKeys } from '../rule-kinds/rule-keys.ts';
import { type RuleContents, type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { changedPositions, orderOf, type PositionChange, type RuleOrder } from '../rule-kinds/rule-order.ts';
import { inconsistenciesWith } from '../settings/consistency.ts';
import { brokenReferences, type ReferenceTargets, type SettingsReferences } from '../settings/references.ts';
import { repetitions } from '../shared/constraints.ts';
import { defect } from '../shared/failures.ts';
import type { RuleId } from '../shared/ids.ts';
import { memoized } from '../shared/memoized.ts';
import { type InvalidInput, requireNone, type Violation, violation, violationsUnder } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { ChangedZone } from '../zone-changes/change-zone.ts';
import { type Decision, decideWithReferences } from '../zone-changes/decision.ts';
import type { ZoneChange } from '../zone-changes/zone-command.ts';
import { listPlans } from '../zone-changes/zone-plan.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { type RuleNotFound, ruleNotFound } from './errors.ts';
import { sizeViolations } from './rule-size.ts';

/** A written rule, and every rule of the list whose position changed. */
export interface RuleChange<K extends RuleKind = RuleKind> {
  readonly rule: Rule<K>;
  readonly moved: readonly PositionChange[];
}

/** Finds a rule in a list. */
export const ruleIn = <K extends RuleKind>(
  { rules }: ZoneState,
  kind: K,
  id: RuleId,
): Result<Rule<K>, RuleNotFound> => {
  const found = rules[kind].find((rule) => rule.id === id);
  return found === undefined ? err(ruleNotFound()) : ok(found);
};

/** The change that turns a list into the wanted one, with its name in history. */
export const listChange = <K extends RuleKind>(
  state: ZoneState,
  kind: K,
  verb: 'created' | 'changed' | 'moved' | 'deleted' | 'replaced',
  wanted: { readonly rules: readonly WrittenRule<K>[]; readonly id?: RuleId },
): ZoneChange => ({
  plan: { lists: listPlans(state, [{ kind, rules: wanted.rules }]) },
  action: `${kind}.${verb}`,
  objects: wanted.id === undefined ? {} : { rule: wanted.id },
});

/** The rules of a list whose positions changed. */
export const movedIn = ({ before, after }: ChangedZone, kind: RuleKind): readonly PositionChange[] =>
  changedPositions(orderOf(before.rules[kind]), orderOf(after.rules[kind]));

/** The rules in the given order, which must contain each of them once. */
export function inOrder<K extends RuleKind>(
  rules: readonly WrittenRule<K>[],
  order: RuleOrder,
): readonly WrittenRule<K>[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return order.map((id) => byId.get(id)).filter((rule) => rule !== undefined);
}

/** The rule as a change of the zone leaves it; the rule must still exist. */
export const ruleChangeOf =
  <K extends RuleKind>(kind: K, id: RuleId) =>
  (changed: ChangedZone): ResultAsync<RuleChange<K>, never> =>
    ruleIn(changed.after, kind, id)
      .asyncMap(async (rule) => ({ rule, moved: movedIn(changed, kind) }))
      .orElse(() => defect('A written rule is missing from its list.'));

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

/** The references of rules to other things: only overrides have any. */
export const referencesOf = (contents: readonly RuleContents[RuleKind][]): readonly SettingsReferences[] =>
  contents.flatMap((content) => ('settingsOverrides' in content ? [content.settingsOverrides] : []));

/** What rules must be consistent with in their zone. */
export interface EnclosingZone {
  readonly name: string;
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

/** The limits on lists of rules, and the current rules, which may stay even if they exceed them. */
export interface RuleCapacity {
  readonly limits: UsageLimits;
  /** The current rules. */
  readonly rules: Readonly<Record<RuleKind, readonly WrittenRule[]>>;
}

/** The limits in the zone being changed. */
export const ruleCapacityIn = ({ state: { rules }, limits }: StateWithLimits): RuleCapacity => ({ limits, rules });

const contentsById = memoized(
  (rules: readonly WrittenRule[]): ReadonlyMap<RuleId, WrittenRule['content']> =>
    new Map(rules.map(({ id, content }) => [id, content])),
);

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
  const unfit = wanted.flatMap(({ id, content }, index) =>
    violationsUnder(`[${index}]`, [
      ...sizeViolations(zone.limits, content, contentsById(zone.rules[kind]).get(id)),
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
