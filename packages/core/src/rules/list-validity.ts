import type { WrittenRule } from '../rule-kinds/rule.ts';
import { ruleKeys } from '../rule-kinds/rule-keys.ts';
import { type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { ReferenceTargets } from '../settings/references.ts';
import { repetitions } from '../shared/constraints.ts';
import type { RuleId } from '../shared/ids.ts';
import { memoized } from '../shared/memoized.ts';
import { type Violation, violationsUnder } from '../shared/violation.ts';
import { capacityViolations, type RuleCapacity, sizeViolations } from './rule-limits.ts';
import { type EnclosingZone, violationsInZone } from './rule-validity.ts';

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

const contentsById = memoized(
  (rules: readonly WrittenRule[]): ReadonlyMap<RuleId, WrittenRule['content']> =>
    new Map(rules.map(({ id, content }) => [id, content])),
);
