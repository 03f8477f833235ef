import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { Referents } from '../settings/references.ts';
import { repetitions } from '../shared/constraints.ts';
import type { RuleId } from '../shared/ids.ts';
import { type Json, jsonOf } from '../shared/merge-patch.ts';
import { nameKey } from '../shared/text.ts';
import { type InvalidInput, type Violation, violationsUnder } from '../shared/violation.ts';
import type { WrittenRule } from './ports.ts';
import { type ListState, roomViolations, ruleClashed, violationsInZone, type ZoneAroundRules } from './rule-write.ts';

/**
 * Everything that speaks against a whole list of rules: too many of them, those that repeat others, and those that do
 * not fit the zone. Paths start at the place in the list.
 */
export const listViolations = <K extends RuleKind>(
  zone: ZoneAroundRules,
  referents: Referents,
  kind: K,
  wanted: readonly WrittenRule<K>[],
): readonly Violation[] => {
  const tooMany = roomViolations(kind, wanted.length);
  if (tooMany.length > 0) return tooMany;
  const unfit = wanted.flatMap(({ content }, index) =>
    violationsUnder(`[${index}]`, violationsInZone(zone, referents, content.value)),
  );
  return [...repeatedIn(kind, wanted), ...unfit];
};

/**
 * Makes a locked list exactly what is wanted, and resolves to what it was and is, as far as it differs. The wanted
 * rules are known to be valid; only a clash that the storage alone sees is left.
 */
export const rewriteList = <K extends RuleKind>(
  repositories: Repositories,
  list: RuleList<K>,
  { current, wanted }: { readonly current: readonly Rule<K>[]; readonly wanted: readonly WrittenRule<K>[] },
): ResultAsync<{ readonly before: ListState; readonly after: ListState }, InvalidInput> =>
  safeTry(async function* () {
    const texts = new Map(current.map(({ id, content }) => [id, content.text]));
    const kept = new Set(wanted.map(({ id }) => id));
    const removed = current.filter(({ id }) => !kept.has(id));
    const changed = wanted.filter(({ id, content }) => texts.has(id) && texts.get(id) !== content.text);
    const added = wanted.filter(({ id }) => !texts.has(id));
    const rewrite = { removed: removed.map(({ id }) => id), changed, added };
    const [before, after] = [current.map(({ id }) => id), wanted.map(({ id }) => id)];
    const isSame = removed.length + changed.length + added.length === 0;
    if (!isSame) yield* repositories.rules.rewrite(list, rewrite).mapErr(ruleClashed(list.kind));
    if (!isSame || before.join() !== after.join()) yield* repositories.rules.saveOrder(list, after);
    const changedIds = new Set(changed.map(({ id }) => id));
    const replaced = current.filter(({ id }) => changedIds.has(id));
    return ok({
      before: { order: before, items: itemsOf([...removed, ...replaced]) },
      after: { order: after, items: itemsOf([...changed, ...added]) },
    });
  });

const itemsOf = (rules: readonly Pick<WrittenRule, 'id' | 'content'>[]): Readonly<Record<RuleId, Json>> =>
  Object.fromEntries(rules.map(({ id, content }) => [id, jsonOf(content)]));

/** The rules whose name or unique key an earlier one of the list has. */
function repeatedIn<K extends RuleKind>(kind: K, wanted: readonly WrittenRule<K>[]): readonly Violation[] {
  const { nameTaken, uniqueKey } = ruleKinds[kind];
  return [
    ...repetitions(wanted.map(({ content }) => nameKey(content.value.name))).flatMap((index) =>
      violationsUnder(`[${index}]`, [nameTaken]),
    ),
    ...(uniqueKey === undefined
      ? []
      : repetitions(wanted.map(({ content }) => uniqueKey.of(content.value))).flatMap((index) =>
          violationsUnder(`[${index}]`, [uniqueKey.taken]),
        )),
  ];
}
