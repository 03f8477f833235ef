import type { BasicAuthPasswordHash, BasicAuthUser } from '../basic-auth/basic-auth-user.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { BasicAuthUserId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { type ListPlan, listAfter, listPlan } from './list-plan.ts';

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
  const isTouched = [plan.names, plan.settings, plan.banToken].some((part) => part !== undefined);
  const lists = [...(plan.lists ?? [])].map(
    ([kind, list]) => [kind, listAfter(zone, kind, { rules: rules[kind], ranks: ranks[kind] }, list, at)] as const,
  );
  const raised = Object.fromEntries(lists.map(([kind]) => [kind, listRevisions[kind] + 1]));
  return {
    zone: {
      ...zone,
      ...plan.names,
      settings: plan.settings ?? zone.settings,
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
  const kept = users.flatMap((user) => {
    const comment = comments.get(user.id);
    if (removed.has(user.id)) return [];
    return [comment === undefined ? user : { ...user, comment, updatedAt: at, revision: user.revision + 1 }];
  });
  const stamp = { zoneId: zone.id, createdAt: at, updatedAt: at, revision: 1 };
  const added = plan.added.map(({ id, username, comment }) => ({ id, username, comment, ...stamp }));
  return [...kept, ...added].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
