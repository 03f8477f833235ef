import {
  listPlans,
  type Repositories,
  type RuleList,
  type UsersPlan,
  type WrittenRule,
  type ZoneChanges,
  type ZoneId,
  type ZoneNameTaken,
  type ZonePlan,
  type ZoneState,
} from '@zonewright/core';
import { err, ok, type ResultAsync } from 'neverthrow';
import { aChange, aUserId } from '../builders/index.ts';

/** Applies a change; a superseded one is an error, so that its unit is rolled back. */
export const applying = (
  zoneChanges: ZoneChanges,
  ...change: Parameters<ZoneChanges['apply']>
): ResultAsync<ZoneState, ZoneNameTaken | { readonly type: 'Superseded' }> =>
  zoneChanges
    .apply(...change)
    .andThen((outcome) => (outcome === 'superseded' ? err({ type: 'Superseded' as const }) : ok(outcome)));

/** Makes a plan of the current zone and applies it on behalf of the zone's creator, without any checks. */
export const applied = (
  { zones, zoneChanges }: Repositories,
  zone: ZoneId,
  plan: (state: ZoneState) => ZonePlan,
): ResultAsync<ZoneState, { readonly type: string }> =>
  zones
    .state(zone)
    .andThen((state) => zoneChanges.facts(zone, state.zone.createdBy ?? aUserId()))
    .andThen((facts) => applying(zoneChanges, facts, [], aChange(plan(facts.state))));

/** A plan that replaces a list. */
export const listAs =
  ({ kind }: RuleList, wanted: (rules: readonly WrittenRule[]) => readonly WrittenRule[]) =>
  (state: ZoneState): ZonePlan => ({ lists: listPlans(state, [{ kind, rules: wanted(state.rules[kind]) }]) });

/** A plan that appends rules to a list. */
export const withRules = (list: RuleList, rules: readonly WrittenRule[]) =>
  listAs(list, (those) => [...those, ...rules]);

/** A plan that changes the users of a zone. */
export const withUsers = (users: Partial<UsersPlan>) => (): ZonePlan => ({
  users: { added: [], changed: [], removed: [], ...users },
});
