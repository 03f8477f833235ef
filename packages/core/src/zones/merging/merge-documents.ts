import { err, ok, type Result } from 'neverthrow';
import { isJsonList, isJsonObject, isSame, type Json, type JsonObject } from '../../kernel/shared/json.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';

/** The same place in three documents; undefined: absent. */
interface ThreeWay<T> {
  /** The common ancestor. */
  readonly base: T | undefined;
  /** The current zone. */
  readonly theirs: T | undefined;
  /** The draft. */
  readonly yours: T | undefined;
}

/** One side of a merge. */
type Side = 'yours' | 'theirs';

/** The side to take a place from if at most one side changed it, or both equally; undefined: a conflict. */
function trivialSide({ base, theirs, yours }: ThreeWay<Json>): Side | undefined {
  if (isSame(yours, base) || isSame(yours, theirs)) return 'theirs';
  return isSame(theirs, base) ? 'yours' : undefined;
}

/** The ids of an order; empty if it is not a list. */
const idsIn = (order: Json | undefined): readonly string[] =>
  // Orders in documents hold only ids.
  isJsonList(order) ? (order as readonly string[]) : [];

/** The orders reduced to their common ids, which decide whether a side changed the order. */
function sharedOrders({ base, theirs, yours }: ThreeWay<Json>): ThreeWay<readonly string[]> {
  const orders = [base, theirs, yours].flatMap((order) => (order === undefined ? [] : [new Set(idsIn(order))]));
  const shared = (order: Json | undefined) => idsIn(order).filter((id) => orders.every((ids) => ids.has(id)));
  return { base: base === undefined ? undefined : shared(base), theirs: shared(theirs), yours: shared(yours) };
}

/**
 * The order of one side with the ids that only the other side has inserted: each directly before its successor in the
 * other order, or at the end.
 */
function mergedOrder(orders: ThreeWay<Json>, side: Side): readonly string[] {
  const result = [...idsIn(orders[side])];
  const present = new Set(result);
  let next: string | undefined;
  for (const id of idsIn(orders[side === 'yours' ? 'theirs' : 'yours']).toReversed()) {
    if (!present.has(id)) result.splice(next === undefined ? result.length : result.indexOf(next), 0, id);
    next = id;
  }
  return result;
}

/** A place that both sides changed differently; `path` is its path in the documents. */
export interface MergeConflict extends ThreeWay<Json> {
  readonly path: string;
}

/** The winning side of each conflict, by path; `*` covers all others. */
export type Resolution = Readonly<Record<string, Side>>;

/** Unresolved conflicts, by path. */
export const mergeConflicted = (conflicts: readonly MergeConflict[]) =>
  ({ type: 'MergeConflicted', conflicts }) as const;
export type MergeConflicted = ReturnType<typeof mergeConflicted>;

/** Documents to merge. Without a base, everything in it counts as absent. */
export interface MergedDocuments extends ThreeWay<ZoneDocument> {
  readonly theirs: ZoneDocument;
  readonly yours: ZoneDocument;
}

/**
 * Three-way merge of settings and rules, unit by unit: a unit is the list of host names, a setting, a member of a rule, an overridden setting
 * of a rule, or the order of a list. A unit changed by only one side is taken from that side, everything else from
 * theirs. Rejects a resolution for a path without a conflict, at that path.
 */
export function mergeDocuments(
  documents: MergedDocuments,
  resolution: Resolution = {},
): Result<ZoneDocument, MergeConflicted | InvalidInput> {
  const conflicts: MergeConflict[] = [];
  const settle: Settle = (path, versions, compared = versions) => {
    const side = trivialSide(compared);
    if (side === undefined) conflicts.push({ path, ...versions });
    return side ?? sideOf(resolution, path) ?? 'theirs';
  };
  const lists = ruleKindNames.map((kind) => {
    const { [kind]: member } = ruleListNames;
    return [member, mergedList(member, versionsOf(documents, member), settle)] as const;
  });
  const settings = mergedMembers('zone_settings', versionsOf(documents, 'zone_settings'), settle);
  const names = versionsOf(documents, 'hostnames');
  // Drafts are validated after the merge.
  const hostnames = names[settle('hostnames', names)] as ZoneDocument['hostnames'];
  const merged = {
    ...documents.theirs,
    ...(hostnames === undefined ? {} : { hostnames }),
    zone_settings: settings,
    ...Object.fromEntries(lists),
  };
  return unsettled(conflicts, resolution).map(() => merged);
}

/** Picks the side of a unit, and collects conflicts. `compared` replaces the values for the comparison. */
type Settle = (path: string, versions: ThreeWay<Json>, compared?: ThreeWay<Json>) => Side;

const sideOf = (resolution: Resolution, path: string): Side | undefined =>
  Object.hasOwn(resolution, path) ? resolution[path] : resolution['*'];

function unsettled(
  conflicts: readonly MergeConflict[],
  resolution: Resolution,
): Result<void, MergeConflicted | InvalidInput> {
  const paths = new Set(['*', ...conflicts.map(({ path }) => path)]);
  const others = Object.keys(resolution).filter((path) => !paths.has(path));
  if (others.length > 0)
    return err(invalidInput(others.map((path) => violation(path, 'merge.noConflict', noConflict))));
  const left = conflicts.filter(({ path }) => sideOf(resolution, path) === undefined);
  return left.length === 0
    ? ok()
    : err(mergeConflicted(left.toSorted((one, other) => (one.path < other.path ? -1 : 1))));
}

const noConflict = 'There is no conflict at this path.';

/** One member of three values; absent in what is not an object. */
const versionsOf = ({ base, theirs, yours }: ThreeWay<Json>, member: string): ThreeWay<Json> => {
  const of = (value: Json | undefined) =>
    isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return { base: of(base), theirs: of(theirs), yours: of(yours) };
};

/** All members of either side; those of `theirs` first, in their order. */
const membersOf = ({ theirs, yours }: ThreeWay<Json>): readonly string[] => [
  ...new Set([theirs, yours].flatMap((value) => (isJsonObject(value) ? Object.keys(value) : []))),
];

/** Merges an object whose members are units, except those merged by `inner`. */
function mergedMembers(
  path: string,
  versions: ThreeWay<Json>,
  settle: Settle,
  inner: (member: string) => typeof mergedMembers | undefined = () => undefined,
): JsonObject {
  const members = membersOf(versions).flatMap((member) => {
    const [place, ofMember] = [`${path}.${member}`, versionsOf(versions, member)];
    const value = inner(member)?.(place, ofMember, settle) ?? ofMember[settle(place, ofMember)];
    return value === undefined ? [] : [[member, value] as const];
  });
  return Object.fromEntries(members);
}

/** A rule missing from any of the three is one unit. */
const mergedRule = (path: string, versions: ThreeWay<Json>, settle: Settle): Json | undefined =>
  Object.values(versions).includes(undefined)
    ? versions[settle(path, versions)]
    : mergedMembers(path, versions, settle, (member) => (member === 'settingsOverrides' ? mergedMembers : undefined));

function mergedList(member: string, lists: ThreeWay<Json>, settle: Settle): JsonObject {
  const items = versionsOf(lists, 'items');
  const rules = membersOf(items).flatMap((id) => {
    const rule = mergedRule(`${member}.items.${id}`, versionsOf(items, id), settle);
    return rule === undefined ? [] : [[id, rule] as const];
  });
  const rulesById = Object.fromEntries(rules);
  const orders = versionsOf(lists, 'order');
  const side = settle(`${member}.order`, orders, sharedOrders(orders));
  const order = mergedOrder(orders, side).filter((id) => Object.hasOwn(rulesById, id));
  return { order, items: rulesById };
}
