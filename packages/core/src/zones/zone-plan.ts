import type { Rule, WrittenRule } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleKindNames } from '../rule-kinds/rule-kinds.ts';
import { movesBetween, orderOf } from '../rule-kinds/rule-order.ts';
import { type RuleRank, ranksFor } from '../rule-kinds/rule-rank.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { BasicAuthUserId, RuleId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { BasicAuthPasswordHash, BasicAuthUser } from './basic-auth-user.ts';
import type { Zone } from './zone.ts';
import type { ZoneState } from './zone-state.ts';

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

/** A basic-auth user to add. */
export interface AddedUser extends Pick<BasicAuthUser, 'id' | 'username' | 'comment'> {
  readonly hash: BasicAuthPasswordHash;
}

/** Changes of a user; without a hash the password stays. */
export interface ChangedUser extends Pick<BasicAuthUser, 'id' | 'comment'> {
  readonly hash: BasicAuthPasswordHash | undefined;
}

/** Changes of a zone's basic-auth users. */
export interface UsersPlan {
  readonly added: readonly AddedUser[];
  readonly changed: readonly ChangedUser[];
  readonly removed: readonly BasicAuthUserId[];
}

/** How to turn a zone into another one; absent members stay unchanged. */
export interface ZonePlan {
  readonly names?: Pick<Zone, 'name' | 'tag'>;
  readonly settings?: JsonDocument<ZoneSettings>;
  readonly banToken?: string;
  readonly lists?: ReadonlyMap<RuleKind, ListPlan>;
  readonly users?: UsersPlan;
}

/** Whether the plan changes nothing. */
export const isEmptyPlan = ({ names, settings, banToken, lists, users }: ZonePlan): boolean =>
  [names, settings, banToken, users].every((part) => part === undefined) && (lists?.size ?? 0) === 0;

/** The plan that turns a list into the wanted one; undefined if nothing changes. */
function listPlan(
  current: readonly Rule[],
  ranks: ZoneState['ranks'],
  wanted: readonly WrittenRule[],
): ListPlan | undefined {
  const { before, after } = differingParts(current, wanted);
  const texts = new Map(before.map(({ id, content }) => [id, content.text]));
  const kept = new Set(orderOf(after));
  const removed = orderOf(before).filter((id) => !kept.has(id));
  const changed = after.filter(({ id, content }) => (texts.get(id) ?? content.text) !== content.text);
  const added = after.filter(({ id }) => !texts.has(id));
  const placed = movesBetween(orderOf(before), orderOf(after));
  if (removed.length + changed.length + placed.length === 0) return undefined;
  if (placed.length === 0) return { removed, changed, added, placed, ranks: new Map() };
  const moving = new Set(placed);
  const rankOf = (id: RuleId) => (moving.has(id) ? undefined : ranks.get(id));
  return { removed, changed, added, placed, ranks: ranksFor(orderOf(wanted), rankOf) };
}

/** Both lists without their common beginning and end: most changes affect one rule out of many. */
function differingParts(current: readonly Rule[], wanted: readonly WrittenRule[]) {
  const shorter = Math.min(current.length, wanted.length);
  let start = 0;
  while (start < shorter && isSame(current[start], wanted[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(current.at(-1 - end), wanted.at(-1 - end))) end += 1;
  return { before: current.slice(start, current.length - end), after: wanted.slice(start, wanted.length - end) };
}

const isSame = (one: WrittenRule | undefined, other: WrittenRule | undefined): boolean =>
  one !== undefined && one.id === other?.id && one.content.text === other.content.text;

/** The plans for all lists that change. */
export const listPlans = (
  { rules, ranks }: ZoneState,
  wanted: readonly { readonly kind: RuleKind; readonly rules: readonly WrittenRule[] }[],
): ReadonlyMap<RuleKind, ListPlan> =>
  new Map(
    wanted.flatMap(({ kind, rules: those }) => {
      const plan = listPlan(rules[kind], ranks, those);
      return plan === undefined ? [] : [[kind, plan] as const];
    }),
  );

/** The state after applying a plan `at` some time. */
export function stateAfter(state: ZoneState, plan: ZonePlan, at: Date): ZoneState {
  const { zone } = state;
  const isTouched = [plan.names, plan.settings, plan.banToken].some((part) => part !== undefined);
  const lists = plan.lists ?? new Map<RuleKind, ListPlan>();
  const ranks = ranksAfter(state, lists);
  return {
    zone: {
      ...zone,
      ...plan.names,
      settings: plan.settings ?? zone.settings,
      banToken: plan.banToken ?? zone.banToken,
      updatedAt: isTouched ? at : zone.updatedAt,
      revision: zone.revision + 1,
    },
    // Each list contains only rules of its own kind, before and after.
    rules: Object.fromEntries(
      ruleKindNames.map((kind) => [kind, listAfter(zone, kind, state.rules[kind], lists.get(kind), ranks, at)]),
    ) as unknown as ZoneState['rules'],
    ranks,
    listRevisions: { ...state.listRevisions, ...raised(state, lists) },
    users: usersAfter(state, plan.users, at),
  };
}

const raised = ({ listRevisions }: ZoneState, lists: ReadonlyMap<RuleKind, ListPlan>) =>
  Object.fromEntries([...lists.keys()].map((kind) => [kind, listRevisions[kind] + 1]));

function ranksAfter({ ranks }: ZoneState, lists: ReadonlyMap<RuleKind, ListPlan>): ZoneState['ranks'] {
  const plans = [...lists.values()].filter((plan) => plan.removed.length > 0 || plan.ranks.size > 0);
  if (plans.length === 0) return ranks;
  const after = new Map(ranks);
  for (const plan of plans) {
    for (const id of plan.removed) after.delete(id);
    for (const [id, rank] of plan.ranks) after.set(id, rank);
  }
  return after;
}

function listAfter(
  { id: zoneId, revision: zoneRevision }: Zone,
  kind: RuleKind,
  rules: readonly Rule[],
  plan: ListPlan | undefined,
  ranks: ZoneState['ranks'],
  at: Date,
): readonly Rule[] {
  if (plan === undefined) return rules;
  const contents = new Map(plan.changed.map(({ id, content }) => [id, content]));
  const rewritten = rules.map((rule) => {
    const content = contents.get(rule.id);
    return content === undefined ? rule : { ...rule, content, updatedAt: at, revision: rule.revision + 1 };
  });
  if (plan.removed.length === 0 && plan.placed.length === 0) return rewritten;
  // Starts at the zone's previous revision: every earlier rule with this id was written before.
  const stamp = { zoneId, kind, order: 0, createdAt: at, updatedAt: at, revision: zoneRevision };
  const added = plan.added.map((rule) => ({ ...rule, ...stamp }));
  const [removed, placed] = [new Set(plan.removed), new Set(plan.placed)];
  const staying = rewritten.filter(({ id }) => !removed.has(id) && !placed.has(id));
  const arriving = [...rewritten.filter(({ id }) => placed.has(id)), ...added];
  return inRankOrder(staying, arriving, ({ id }) => ranks.get(id) ?? 0).map((rule, index) =>
    rule.order === index + 1 ? rule : { ...rule, order: index + 1 },
  );
}

/** Inserts the arriving rules among the staying ones, which are in order: sorting long lists costs much more. */
function inRankOrder(staying: readonly Rule[], arriving: readonly Rule[], rankOf: (rule: Rule) => RuleRank): Rule[] {
  const all: Rule[] = [];
  let next = 0;
  for (const rule of arriving.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const rank = rankOf(rule);
    for (let stays = staying[next]; stays !== undefined && rankOf(stays) < rank; stays = staying[next]) {
      all.push(stays);
      next += 1;
    }
    all.push(rule);
  }
  return [...all, ...staying.slice(next)];
}

function usersAfter({ zone, users }: ZoneState, plan: UsersPlan | undefined, at: Date): readonly BasicAuthUser[] {
  if (plan === undefined) return users;
  const removed = new Set(plan.removed);
  const comments = new Map(plan.changed.map(({ id, comment }) => [id, comment]));
  const kept = users.flatMap((user) => {
    const comment = comments.get(user.id);
    if (removed.has(user.id)) return [];
    return [comment === undefined ? user : { ...user, comment, updatedAt: at, revision: user.revision + 1 }];
  });
  const stamp = { zoneId: zone.id, createdAt: at, updatedAt: at, revision: 1 };
  const added = plan.added.map(({ id, username, comment }) => ({ id, username, comment, ...stamp }));
  return [...kept, ...added].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
