import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  jsonDocument,
  mergePatchBetween,
} from '../../kernel/shared/json.ts';
import { utf8Bytes } from '../../kernel/shared/text.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { bytesOfRevision } from '../../organizations/organizations/storage-quota.ts';
import type { StoredState } from '../history/ports.ts';
import { documentOf, itemsOf, restoredDocument, usersMember, zoneMembers } from '../history/zone-document.ts';
import type { Rule, WrittenRule } from '../rule-kinds/rule.ts';
import { charactersIn, ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { RecordedChange } from './ports.ts';
import type { RestorationOrigin, ZoneChange } from './zone-command.ts';
import type { ZoneFacts } from './zone-facts.ts';
import { isEmptyPlan, type ListPlan, stateAfter, type ZonePlan } from './zone-plan.ts';

/**
 * Reconstructing a state takes one snapshot and fewer than this many patches, unless it is that of a restoration. As
 * many, of which each takes some 20 µs, make the snapshots of the largest zones cost less than 4 KB per change.
 */
const maxReplayedPatches = 1000;
/** Maximum total bytes of these patches; of a zone that is larger than this, its own size. */
const maxReplayedBytes = 1_000_000;
/** A restoration replays two states: it counts as so much of the maximum. */
const costOfRestoration = 0.1;

/** A plan with its history and audit entries. Every change of a zone has all three. Without a caller, the service makes it. */
export function recordedChange(
  { state, replayBytes }: Pick<ZoneFacts, 'state' | 'replayBytes'>,
  caller: Caller | undefined,
  { plan, action, objects, name, changeSet, origin }: ZoneChange,
): RecordedChange {
  const { zone } = state;
  // Neither patches nor documents contain times.
  const next = stateAfter(state, plan, zone.updatedAt);
  const stored = patched(next, patchBetween(state, next, plan), replayBytes);
  const named = name === undefined ? objects : { ...objects, name };
  const change = { action, objects };
  const client = caller?.client ?? { network: undefined, userAgent: undefined };
  return {
    plan,
    revision: { ...change, ...(origin === undefined ? stored : smaller(stored, restored(state, next, origin))) },
    audit: { client, credential: caller?.credential.id, objects: { zone: zone.id, ...named } },
    changeSet: changeSet && { ...changeSet, isAlone: isEmptyPlan(plan) },
  };
}

/** The patch, or the state as a whole if replaying it would cost too much. */
function patched(next: ZoneState, patch: JsonDocument<JsonObject>, replayedBefore: number): StoredState {
  const limit = replayLimit(next);
  const replayBytes = replayedBefore + Math.max(bytesOf(patch, limit), Math.ceil(limit / maxReplayedPatches));
  const none = { snapshot: undefined, patch: undefined, restored: undefined };
  return replayBytes >= limit
    ? { ...none, snapshot: jsonDocument(documentOf(next, next.users)), replayBytes: 0 }
    : { ...none, patch, replayBytes };
}

/** Each patch costs its bytes, but at least as much that it takes 100 of them to reach the limit. */
const replayLimit = ({ zone, rules }: ZoneState): number =>
  Math.max(maxReplayedBytes, zone.settings.text.length + charactersIn(rules));

/** Skips counting bytes if the number of characters already exceeds the limit. */
const bytesOf = ({ text }: JsonDocument<unknown>, limit: number): number =>
  text.length > limit ? text.length : utf8Bytes(text);

/** A state as a reference to where its settings and rules, and the rest, come from. */
function restored(before: ZoneState, next: ZoneState, { contents, rest }: RestorationOrigin): StoredState {
  const expected = restoredDocument(contents.document, documentOf(before, before.users));
  const difference = jsonDocument(mergePatchBetween(expected, documentOf(next, next.users)));
  const adjustment = difference.text === '{}' ? undefined : difference;
  const cost =
    Math.ceil(replayLimit(next) * costOfRestoration) + (adjustment === undefined ? 0 : utf8Bytes(difference.text));
  return {
    snapshot: undefined,
    patch: undefined,
    restored: { contentsFrom: contents.number, restFrom: rest.number, adjustment },
    replayBytes: contents.replayBytes + rest.replayBytes + cost,
  };
}

/** A patch this small takes little more than a reference, and much less to replay. */
const smallPatch = 3000;

/** A restoration is stored as a patch if that is small or at least no larger than the reference. */
const smaller = (stored: StoredState, reference: StoredState): StoredState => {
  const size = stored.patch?.text.length ?? Number.POSITIVE_INFINITY;
  return size <= Math.max(smallPatch, reference.restored?.adjustment?.text.length ?? 0) ? stored : reference;
};

/** The patch that makes the change. */
function patchBetween(before: ZoneState, after: ZoneState, plan: ZonePlan): JsonDocument<JsonObject> {
  const patch = mergePatchBetween(touchedBy(plan, before), touchedBy(plan, after));
  return jsonDocument(withPlaces(patch, placesIn(plan, after)));
}

/** The part of the zone's document that the plan touches. */
function touchedBy({ names, settings, hostnames, lists, users }: ZonePlan, state: ZoneState): JsonObject {
  const of = (rules: readonly Pick<Rule, 'id' | 'content'>[], { removed, changed, added }: ListPlan) => {
    const touched = new Set([...removed, ...[...changed, ...added].map(({ id }) => id)]);
    return { items: itemsOf(rules.filter(({ id }) => touched.has(id))) };
  };
  const ids = new Set([
    ...(users?.removed ?? []),
    ...[...(users?.added ?? []), ...(users?.changed ?? [])].map(({ id }) => id),
  ]);
  return {
    ...([names, settings, hostnames].every((part) => part === undefined) ? {} : zoneMembers(state.zone)),
    ...Object.fromEntries([...(lists ?? [])].map(([kind, list]) => [ruleListNames[kind], of(state.rules[kind], list)])),
    basicAuthUsers: usersMember(state.users.filter(({ id }) => ids.has(id))),
  };
}

/** For each list in which the plan places rules, by member: their new 1-based positions. */
const placesIn = ({ lists }: ZonePlan, { rules }: ZoneState): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    [...(lists ?? [])].flatMap(([kind, list]) => {
      const placed = new Set(list.placed);
      const places = rules[kind].filter(({ id }) => placed.has(id)).map(({ id, order }) => [id, order] as const);
      return places.length === 0 ? [] : [[ruleListNames[kind], Object.fromEntries(places)] as const];
    }),
  );

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

/**
 * How many bytes more the organization stores after the change; at most 0 if the change frees as many, or if all it does
 * is remove: that is always possible.
 */
export function growthBy(
  { zone, rules }: ZoneState,
  { plan, revision, changeSet }: Pick<RecordedChange, 'plan' | 'revision' | 'changeSet'>,
): number {
  if (changeSet?.isAlone === true || removesOnly(plan)) return 0;
  const settings = plan.settings === undefined ? 0 : utf8Bytes(plan.settings.text) - utf8Bytes(zone.settings.text);
  const lists = [...(plan.lists ?? [])].map(([kind, list]) => growthOf(rules[kind], list));
  return lists.reduce((sum, growth) => sum + growth, bytesOfRevision(revision) + settings);
}

/** The bytes that a list of rules grows by. */
function growthOf(before: readonly Rule[], { removed, changed, added }: ListPlan): number {
  const replaced = new Set([...removed, ...changed.map(({ id }) => id)]);
  return contentBytes([...changed, ...added]) - contentBytes(before.filter(({ id }) => replaced.has(id)));
}

const contentBytes = (rules: readonly Pick<WrittenRule, 'content'>[]): number =>
  rules.reduce((sum, { content }) => sum + utf8Bytes(content.text), 0);

function removesOnly({ names, settings, hostnames, banToken, lists, users }: ZonePlan): boolean {
  if ([names, settings, hostnames, banToken].some((part) => part !== undefined)) return false;
  const parts = [...(lists?.values() ?? []), ...(users === undefined ? [] : [users])];
  return parts.length > 0 && parts.every(({ changed, added }) => changed.length + added.length === 0) && !moves(lists);
}

const moves = (lists: ZonePlan['lists']): boolean => [...(lists?.values() ?? [])].some(({ ranks }) => ranks.size > 0);
