import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import { repetitions } from '../shared/constraints.ts';
import type { RuleId } from '../shared/ids.ts';
import { type Json, jsonOf } from '../shared/merge-patch.ts';
import { nameKey } from '../shared/text.ts';
import { type InvalidInput, invalidInput, type Violation, violationsUnder } from '../shared/violation.ts';
import type { Zone } from '../zones/zone.ts';
import type { WrittenRule } from './ports.ts';
import type { Rule, RuleList } from './rule.ts';
import { type RuleKind, ruleKinds } from './rule-kinds.ts';
import { clashFound, type ListState, requireRoom, violationsAgainstZone } from './rule-write.ts';

/**
 * Makes a locked list exactly what is wanted, and tells what it was and is, as far as it differs. All of it is checked
 * first; paths of violations start at the place in the list.
 */
export const rewriteList = <K extends RuleKind>(
  repositories: Repositories,
  zone: Zone,
  list: RuleList<K>,
  { current, wanted }: { readonly current: readonly Rule<K>[]; readonly wanted: readonly WrittenRule<K>[] },
): ResultAsync<{ readonly before: ListState; readonly after: ListState }, InvalidInput> =>
  safeTry(async function* () {
    yield* requireRoom(list.kind, wanted.length);
    const unfit = yield* unfitIn(repositories, zone, list.kind, wanted);
    const violations = [...repeatedIn(list.kind, wanted), ...unfit];
    if (violations.length > 0) return err(invalidInput(violations));
    const texts = new Map(current.map(({ id, content }) => [id, content.text]));
    const kept = new Set(wanted.map(({ id }) => id));
    const removed = current.filter(({ id }) => !kept.has(id));
    const changed = wanted.filter(({ id, content }) => texts.has(id) && texts.get(id) !== content.text);
    const added = wanted.filter(({ id }) => !texts.has(id));
    const rewrite = { removed: removed.map(({ id }) => id), changed, added };
    const [before, after] = [current.map(({ id }) => id), wanted.map(({ id }) => id)];
    const isSame = removed.length + changed.length + added.length === 0;
    if (!isSame) yield* repositories.rules.rewrite(list, rewrite).mapErr(clashFound(list.kind));
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

/** What rules of the list break together with their zone. */
const unfitIn = <K extends RuleKind>(
  repositories: Repositories,
  zone: Zone,
  kind: K,
  wanted: readonly WrittenRule<K>[],
): ResultAsync<readonly Violation[], never> =>
  safeTry(async function* () {
    const violations: Violation[] = [];
    for (const [index, { content }] of wanted.entries()) {
      const found = yield* violationsAgainstZone(repositories, zone, content.value);
      violations.push(...violationsUnder(`[${index}]`, found));
    }
    return ok(violations);
  });
