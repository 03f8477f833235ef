import type { BasicAuthUserId, RuleId } from '../../kernel/shared/ids.ts';
import type { JsonDocument, JsonObject } from '../../kernel/shared/json.ts';
import type { Permission } from '../../organizations/access/role.ts';
import type { WantedHostNames } from '../../organizations/domains/host-name-rules.ts';
import type { BasicAuthPasswordHash, BasicAuthUser } from '../basic-auth/basic-auth-user.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { Rule, WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import {
  binaryPlaces,
  indexesIn,
  movesBetween,
  orderOf,
  type RuleOrder,
  type RuleRank,
  ranksByPosition,
  ranksFor,
} from '../rule-kinds/rule-order.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneState } from '../zones/zone-state.ts';

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
  const remaining = after.filter(({ id }) => indexes.has(id));
  const changed = remaining.filter(({ id, content }) => earlier(id)?.content.text !== content.text);
  const added = remaining.length === after.length ? [] : after.filter(({ id }) => !indexes.has(id));
  const removed = remaining.length === before.length ? [] : without(orderOf(before), orderOf(remaining));
  const rankBefore = (id: RuleId) => ranks[start + (indexes.get(id) ?? 0)];
  const placed = movesFor(orderOf(before), orderOf(after), rankBefore);
  if (placed.length === 0) return { removed, changed, added, placed, ranks: new Map() };
  const moving = new Set(placed);
  const rankOf = (id: RuleId) => (moving.has(id) ? undefined : rankBefore(id));
  const bounds = { lower: ranks[start - 1], upper: ranks[start + before.length] };
  const found = ranksFor(orderOf(after), rankOf, bounds) ?? ranksByPosition(orderOf(wanted));
  return { removed, changed, added, placed, ranks: found };
}

/**
 * Of two neighbours that change places either can move. The one with the finer rank does: otherwise, changing them to and
 * fro would use up the room between two ranks, and with it write the ranks of all rules.
 */
function movesFor(
  before: RuleOrder,
  after: RuleOrder,
  rankOf: (id: RuleId) => RuleRank | undefined,
): readonly RuleId[] {
  const [first, second] = before;
  const areSwapped = after.length === 2 && after[0] === second && after[1] === first;
  if (first === undefined || second === undefined || !areSwapped) return movesBetween(before, after);
  return [binaryPlaces(rankOf(first) ?? 0) > binaryPlaces(rankOf(second) ?? 0) ? first : second];
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
  const remaining = rewritten
    .map((rule, index) => ({ rule, rank: plan.ranks.get(rule.id) ?? ranks[index] ?? 0 }))
    .filter(({ rule }) => !removed.has(rule.id));
  // Starts at the zone's previous revision: every earlier rule with this id was written before.
  const stamp = { zoneId: zone.id, kind, order: 0, createdAt: at, updatedAt: at, revision: zone.revision };
  const added = plan.added.map((rule) => ({ rule: { ...rule, ...stamp }, rank: plan.ranks.get(rule.id) ?? 0 }));
  const sorted = [...remaining, ...added].toSorted((one, other) => one.rank - other.rank);
  return { rules: sorted.map(({ rule }, index) => placedAt(rule, index + 1)), ranks: sorted.map(({ rank }) => rank) };
}

/** Members are listed because spreading is slow, and a move changes the positions of many rules. */
const placedAt = (rule: Rule, order: number): Rule => {
  if (rule.order === order) return rule;
  const { id, zoneId, kind, content, createdAt, updatedAt, revision } = rule;
  return { id, zoneId, kind, order, content, createdAt, updatedAt, revision };
};

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
  readonly hostnames?: WantedHostNames;
  readonly banToken?: string;
  readonly lists?: ReadonlyMap<RuleKind, ListPlan>;
  readonly users?: UsersPlan;
}

/** Whether the plan changes nothing. */
export const isEmptyPlan = ({ names, settings, hostnames, banToken, lists, users }: ZonePlan): boolean =>
  [names, settings, hostnames, banToken, users].every((part) => part === undefined) && (lists?.size ?? 0) === 0;

/** What changing a part of a zone requires. A new part has to be added, or the record does not compile. */
const permissionsOfPlans = {
  names: 'zones.write',
  settings: 'zones.write',
  hostnames: 'zones.write',
  banToken: 'banToken.rotate',
  lists: 'rules.write',
  users: 'basicAuthUsers.write',
} as const satisfies Record<keyof ZonePlan, Permission>;

/** The same for the members of a zone's document. */
const permissionsOfMembers: ReadonlyMap<string, Permission> = new Map(
  Object.entries({
    name: 'zones.write',
    tag: 'zones.write',
    hostnames: 'zones.write',
    zone_settings: 'zones.write',
    rewriteRules: 'rules.write',
    configurationRules: 'rules.write',
    accessRules: 'rules.write',
    securityScenarios: 'rules.write',
    basicAuthUsers: 'basicAuthUsers.write',
  } as const satisfies Record<keyof ZoneDocument, Permission>),
);

/** What carrying out the plan requires of the caller, whatever the request was. */
export const permissionsForPlan = (plan: ZonePlan): readonly Permission[] => [
  ...new Set(
    // The record has exactly the names of the parts.
    (Object.keys(permissionsOfPlans) as (keyof ZonePlan)[])
      .filter((part) => !isEmptyPlan({ [part]: plan[part] }))
      .map((part) => permissionsOfPlans[part]),
  ),
];

/** What the changes of a patch of a zone's document require. Unknown members change nothing, but are no way around. */
export const permissionsForPatch = (patch: JsonObject): readonly Permission[] => [
  ...new Set(Object.keys(patch).map((member) => permissionsOfMembers.get(member) ?? 'zones.write')),
];

/** The plans for all lists that change. */
export const listPlans = (
  { rules, ranks }: ZoneState,
  wanted: readonly { readonly kind: RuleKind; readonly rules: readonly WrittenRule[] }[],
): ReadonlyMap<RuleKind, ListPlan> =>
  new Map(
    wanted.flatMap(({ kind, rules: those }) => {
      const plan = listPlan({ rules: rules[kind], ranks: ranks[kind] }, those);
      return plan === undefined ? [] : [[kind, plan] as const];
    }),
  );

/** The state after applying a plan `at` some time. */
export function stateAfter(state: ZoneState, plan: ZonePlan, at: Date): ZoneState {
  const { zone, rules, ranks, listRevisions } = state;
  const isTouched = [plan.names, plan.settings, plan.hostnames, plan.banToken].some((part) => part !== undefined);
  const lists = [...(plan.lists ?? [])].map(
    ([kind, list]) => [kind, listAfter(zone, kind, { rules: rules[kind], ranks: ranks[kind] }, list, at)] as const,
  );
  const raised = Object.fromEntries(lists.map(([kind]) => [kind, listRevisions[kind] + 1]));
  return {
    zone: {
      ...zone,
      ...plan.names,
      settings: plan.settings ?? zone.settings,
      hostnames: plan.hostnames?.names ?? zone.hostnames,
      banToken: plan.banToken ?? zone.banToken,
      updatedAt: isTouched ? at : zone.updatedAt,
      revision: zone.revision + 1,
    },
    rules: { ...rules, ...Object.fromEntries(lists.map(([kind, list]) => [kind, list.rules])) },
    ranks: { ...ranks, ...Object.fromEntries(lists.map(([kind, list]) => [kind, list.ranks])) },
    listRevisions: { ...listRevisions, ...raised },
    users: usersAfter(state, plan.users, at),
  };
}

function usersAfter({ zone, users }: ZoneState, plan: UsersPlan | undefined, at: Date): readonly BasicAuthUser[] {
  if (plan === undefined) return users;
  const removed = new Set(plan.removed);
  const comments = new Map(plan.changed.map(({ id, comment }) => [id, comment]));
  const remaining = users.flatMap((user) => {
    const comment = comments.get(user.id);
    if (removed.has(user.id)) return [];
    return [comment === undefined ? user : { ...user, comment, updatedAt: at, revision: user.revision + 1 }];
  });
  const stamp = { zoneId: zone.id, createdAt: at, updatedAt: at, revision: 1 };
  const added = plan.added.map(({ id, username, comment }) => ({ id, username, comment, ...stamp }));
  return [...remaining, ...added].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
