import type { Rule, WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { indexesIn, movesBetween, orderOf, type RuleOrder } from '../rule-kinds/rule-order.ts';
import { type RuleRank, ranksByPosition, ranksFor } from '../rule-kinds/rule-rank.ts';
import type { RuleId } from '../shared/ids.ts';
import type { Zone } from '../zones/zone.ts';

/** How to turn a list of rules into another one. */
export interface ListPlan {
  readonly removed: readonly RuleId[];
  /** Rules with new content. */
  readonly changed: readonly WrittenRule[];
  readonly added: readonly WrittenRule[];
  /** A minimal set of rules to move, including added ones. */
  readonly placed: readonly RuleId[];
  /** The ranks to write: those of `placed`, or of all rules if there is no gap left between two. */
  readonly ranks: ReadonlyMap<RuleId, RuleRank>;
}

/** The rules of a list in evaluation order, and the rank of each. */
export interface RankedRules {
  readonly rules: readonly Rule[];
  readonly ranks: readonly RuleRank[];
}

/** The plan that turns a list into the wanted one; undefined if nothing changes. */
export function listPlan({ rules, ranks }: RankedRules, wanted: readonly WrittenRule[]): ListPlan | undefined {
  const { start, before, after } = differingParts(rules, wanted);
  if (before.length + after.length === 0) return undefined;
  const indexes = indexesIn(orderOf(before));
  const earlier = (id: RuleId) => before[indexes.get(id) ?? -1];
  const kept = after.filter(({ id }) => indexes.has(id));
  const changed = kept.filter(({ id, content }) => earlier(id)?.content.text !== content.text);
  const added = kept.length === after.length ? [] : after.filter(({ id }) => !indexes.has(id));
  const removed = kept.length === before.length ? [] : without(orderOf(before), orderOf(kept));
  const placed = movesBetween(orderOf(before), orderOf(after));
  if (placed.length === 0) return { removed, changed, added, placed, ranks: new Map() };
  const moving = new Set(placed);
  const rankOf = (id: RuleId) => (moving.has(id) ? undefined : ranks[start + (indexes.get(id) ?? 0)]);
  const bounds = { lower: ranks[start - 1], upper: ranks[start + before.length] };
  const found = ranksFor(orderOf(after), rankOf, bounds) ?? ranksByPosition(orderOf(wanted));
  return { removed, changed, added, placed, ranks: found };
}

const without = (order: RuleOrder, ids: RuleOrder): RuleOrder => {
  const others = new Set(ids);
  return order.filter((id) => !others.has(id));
};

/** Both lists without their common beginning and end: most changes affect one rule out of many. */
function differingParts(current: readonly Rule[], wanted: readonly WrittenRule[]) {
  const shorter = Math.min(current.length, wanted.length);
  let start = 0;
  while (start < shorter && isSame(current[start], wanted[start])) start += 1;
  let [end, wantedEnd] = [current.length, wanted.length];
  while (Math.min(end, wantedEnd) > start && isSame(current[end - 1], wanted[wantedEnd - 1])) {
    end -= 1;
    wantedEnd -= 1;
  }
  return { start, before: current.slice(start, end), after: wanted.slice(start, wantedEnd) };
}

const isSame = (one: WrittenRule | undefined, other: WrittenRule | undefined): boolean =>
  one !== undefined && one.id === other?.id && one.content.text === other.content.text;

/** The list of the zone after applying a plan `at` some time. */
export function listAfter(
  zone: Pick<Zone, 'id' | 'revision'>,
  kind: RuleKind,
  { rules, ranks }: RankedRules,
  plan: ListPlan,
  at: Date,
): RankedRules {
  const contents = new Map(plan.changed.map(({ id, content }) => [id, content]));
  const rewritten = rules.map((rule) => {
    const content = contents.get(rule.id);
    return content === undefined ? rule : { ...rule, content, updatedAt: at, revision: rule.revision + 1 };
  });
  if (plan.removed.length + plan.ranks.size === 0) return { rules: rewritten, ranks };
  const removed = new Set(plan.removed);
  const kept = rewritten
    .map((rule, index) => ({ rule, rank: plan.ranks.get(rule.id) ?? ranks[index] ?? 0 }))
    .filter(({ rule }) => !removed.has(rule.id));
  // Starts at the zone's previous revision: every earlier rule with this id was written before.
  const stamp = { zoneId: zone.id, kind, order: 0, createdAt: at, updatedAt: at, revision: zone.revision };
  const added = plan.added.map((rule) => ({ rule: { ...rule, ...stamp }, rank: plan.ranks.get(rule.id) ?? 0 }));
  const sorted = [...kept, ...added].toSorted((one, other) => one.rank - other.rank);
  return { rules: sorted.map(({ rule }, index) => placedAt(rule, index + 1)), ranks: sorted.map(({ rank }) => rank) };
}

/** Members are listed because spreading is slow, and a move changes the positions of many rules. */
const placedAt = (rule: Rule, order: number): Rule => {
  if (rule.order === order) return rule;
  const { id, zoneId, kind, content, createdAt, updatedAt, revision } = rule;
  return { id, zoneId, kind, order, content, createdAt, updatedAt, revision };
};
