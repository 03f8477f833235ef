import type { Caller } from '../access/caller.ts';
import { auditEntryOf } from '../audit/record.ts';
import type { NewRevision } from '../history/ports.ts';
import type { PatchPair } from '../history/revision.ts';
import { documentOf, itemsOf, usersMember, zoneMembers } from '../history/zone-document.ts';
import type { Rule } from '../rule-kinds/rule.ts';
import { ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { RuleId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { isJsonObject, type JsonObject, mergePatchBetween } from '../shared/merge-patch.ts';
import { utf8Bytes } from '../shared/text.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { RecordedChange } from './ports.ts';
import type { ZoneChange } from './zone-command.ts';
import type { ZoneFacts } from './zone-facts.ts';
import { isEmptyPlan, type ListPlan, stateAfter, type ZonePlan } from './zone-plan.ts';

/** Reconstructing a state takes one snapshot and at most this many patches. */
const maxReplayedPatches = 100;
/** Maximum total bytes of these patches. */
const maxReplayedBytes = 1_000_000;

/** A plan with its history and audit entries. Every change of a zone has all three. */
export function recordedChange(
  { state, replayBytes }: Pick<ZoneFacts, 'state' | 'replayBytes'>,
  caller: Caller,
  { plan, action, objects, name, changeSet }: ZoneChange,
): RecordedChange {
  const { zone } = state;
  // Neither patches nor documents contain times.
  const next = stateAfter(state, plan, zone.updatedAt);
  const pair = patchesBetween(state, next, plan);
  const named = name === undefined ? objects : { ...objects, name };
  const change = { action, objects, author: caller.userId };
  return {
    plan,
    revision: { ...change, ...pair, ...replayTo(next, replayBytes + bytesOf(pair)) },
    audit: auditEntryOf(caller, action, { organization: zone.organizationId, objects: { zone: zone.id, ...named } }),
    changeSet: changeSet && { ...changeSet, isAlone: isEmptyPlan(plan) },
  };
}

/** Skips counting bytes if the number of characters already exceeds the limit. */
const bytesOf = ({ patch: { text } }: PatchPair): number =>
  text.length > maxReplayedBytes ? text.length : utf8Bytes(text);

/** A snapshot if one is due, and the bytes to replay since the latest one. */
const replayTo = ({ zone, rules, users }: ZoneState, bytes: number): Pick<NewRevision, 'snapshot' | 'replayBytes'> =>
  bytes > maxReplayedBytes || zone.revision % maxReplayedPatches === 0
    ? { snapshot: jsonDocument(documentOf({ zone, rules }, users)), replayBytes: 0 }
    : { snapshot: undefined, replayBytes: bytes };

/** The patches that make and undo the change. */
function patchesBetween(before: ZoneState, after: ZoneState, plan: ZonePlan): PatchPair {
  const [oldPart, newPart] = [touchedBy(plan, before), touchedBy(plan, after)];
  const forward = placesOf(plan, after, ({ placed }) => placed);
  const backward = placesOf(plan, before, ({ placed, removed }) => [...placed, ...removed]);
  return {
    patch: jsonDocument(withPlaces(mergePatchBetween(oldPart, newPart), forward)),
    inverse: jsonDocument(withPlaces(mergePatchBetween(newPart, oldPart), backward)),
  };
}

/** The part of the zone's document that the plan touches. */
function touchedBy({ names, settings, lists, users }: ZonePlan, state: ZoneState): JsonObject {
  const of = (rules: readonly Pick<Rule, 'id' | 'content'>[], { removed, changed, added }: ListPlan) => {
    const touched = new Set([...removed, ...[...changed, ...added].map(({ id }) => id)]);
    return { items: itemsOf(rules.filter(({ id }) => touched.has(id))) };
  };
  const ids = new Set([
    ...(users?.removed ?? []),
    ...[...(users?.added ?? []), ...(users?.changed ?? [])].map(({ id }) => id),
  ]);
  return {
    ...(names === undefined && settings === undefined ? {} : zoneMembers(state.zone)),
    ...Object.fromEntries([...(lists ?? [])].map(([kind, list]) => [ruleListNames[kind], of(state.rules[kind], list)])),
    basicAuthUsers: usersMember(state.users.filter(({ id }) => ids.has(id))),
  };
}

/** For each list the plan touches, by member: the new 1-based positions of rules that the state has. */
function placesOf(
  { lists }: ZonePlan,
  { rules }: ZoneState,
  select: (list: ListPlan) => readonly RuleId[],
): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    [...(lists ?? [])].flatMap(([kind, list]) => {
      const selection = new Set(select(list));
      const places = rules[kind].filter(({ id }) => selection.has(id)).map(({ id, order }) => [id, order] as const);
      return places.length === 0 ? [] : [[ruleListNames[kind], Object.fromEntries(places)] as const];
    }),
  );
}

/** Adds the positions of rules to a patch, since history does not store whole orders. */
const withPlaces = (patch: JsonObject, places: Readonly<Record<string, JsonObject>>): JsonObject => ({
  ...patch,
  ...Object.fromEntries(
    Object.entries(places).map(([member, order]) => {
      const list = patch[member];
      return [member, { order, ...(isJsonObject(list) ? list : {}) }];
    }),
  ),
});
