import { okAsync, type ResultAsync } from 'neverthrow';
import type { RuleId, ZoneId } from '../../kernel/shared/ids.ts';
import { isJsonList, isJsonObject, type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { moveAll } from '../rule-kinds/rule-order.ts';
import type { RecordedRevision, TrailRevision, ZoneHistory } from './ports.ts';
import type { RevisionNotFound, RevisionNumber } from './revision.ts';
import { asWrittenToday, listIn, restoredDocument, type ZoneDocument } from './zone-document.ts';

type WithHistory = { readonly history: ZoneHistory };
type States = ReadonlyMap<number, ZoneDocument>;
type RevisionWithInverse = Pick<RecordedRevision, 'zoneId' | 'number' | 'action' | 'previous' | 'inverse'>;

/** The zone's document right after the revision was created. */
export const stateAt = (
  repositories: WithHistory,
  zone: ZoneId,
  number: RevisionNumber,
): ResultAsync<ZoneDocument, RevisionNotFound> =>
  statesFor(repositories, zone, number).map((states) => stateIn(states, number));

/** A zone's document before and after a revision. */
export interface StatesAround {
  readonly before: ZoneDocument;
  readonly after: ZoneDocument;
}

/** The documents before and after a revision; before the first one there was nothing. */
export const statesAround = (
  repositories: WithHistory,
  revision: RevisionWithInverse,
): ResultAsync<StatesAround, RevisionNotFound> =>
  statesFor(repositories, revision.zoneId, revision.number).andThen((states) => {
    const after = stateIn(states, revision.number);
    return stateBefore(repositories, revision, states, after).map((before) => ({ before, after }));
  });

/**
 * The state before a revision. If the revision right before is no longer kept, it is the one that the revision has
 * stored for that case, or the one of the latest revision that is kept. The one at the beginning of a shortened history
 * may have changed nothing; before a zone was created, there was nothing.
 */
function stateBefore(
  repositories: WithHistory,
  { zoneId, number, action, previous, inverse }: RevisionWithInverse,
  states: States,
  after: ZoneDocument,
): ResultAsync<ZoneDocument, RevisionNotFound> {
  const isStored = Object.keys(inverse.value).length > 0;
  if (isStored && previous !== number - 1) return okAsync(replay(after, inverse.value));
  if (previous === undefined) return okAsync(number === 1 || action === 'zone.created' ? {} : after);
  const known = states.get(previous);
  return known === undefined
    ? statesFor(repositories, zoneId, previous).map((earlier) => stateIn(earlier, previous))
    : okAsync(known);
}

/** The state of a revision, with those that it is made of. */
const statesFor = ({ history }: WithHistory, zone: ZoneId, number: number): ResultAsync<States, RevisionNotFound> =>
  history.trail(zone, number).map(statesIn);

function stateIn(states: States, number: number): ZoneDocument {
  const state = states.get(number);
  if (state === undefined) throw new Error('The trail of a revision lacks a revision.');
  return state;
}

/** The states of all revisions of a trail. Each is made of earlier ones. */
function statesIn(trail: readonly TrailRevision[]): States {
  const states = new Map<number, ZoneDocument>();
  for (const revision of trail) states.set(revision.number, stateOf(revision, states));
  return states;
}

function stateOf({ number, snapshot, patch, restored }: TrailRevision, states: States): ZoneDocument {
  if (snapshot !== undefined) return asWrittenToday(snapshot.value);
  if (restored !== undefined) {
    const { contentsFrom, restFrom, adjustment } = restored;
    const document = restoredDocument(stateIn(states, contentsFrom), stateIn(states, restFrom));
    return adjustment === undefined ? document : mergePatch(document, adjustment.value);
  }
  return patch === undefined ? stateIn(states, number - 1) : replay(stateIn(states, number - 1), patch.value);
}

/**
 * Applies a patch from history: a merge patch (RFC 7396), except that the order of a list may be an object that only
 * places single rules (`{id: position}`); removed rules leave the order implicitly.
 */
function replay(document: ZoneDocument, patch: JsonObject): ZoneDocument {
  const places = ruleKindNames.flatMap((kind) => placesIn(patch, kind));
  const lists = new Set<string>(places.map(({ kind }) => ruleListNames[kind]));
  const merged = mergePatch(document, withoutPlaces(patch, lists));
  return places.reduce((placed, { kind, positions }) => withPositions(document, placed, kind, positions), merged);
}

/** The new positions of rules in a list. */
interface Places {
  readonly kind: RuleKind;
  readonly positions: JsonObject;
}

/** Where a patch places rules of a list; nothing if it does not touch the list or replaces its order. */
function placesIn(patch: JsonObject, kind: RuleKind): readonly Places[] {
  const list = patch[ruleListNames[kind]];
  if (!isJsonObject(list) || isJsonList(list['order'])) return [];
  return [{ kind, positions: isJsonObject(list['order']) ? list['order'] : {} }];
}

const withoutPlaces = (patch: JsonObject, lists: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(patch).map(([member, value]) => {
      if (!lists.has(member) || !isJsonObject(value)) return [member, value];
      const { order: _, ...others } = value;
      return [member, others];
    }),
  );

/** The merged document with the order that a list had before, without removed rules, and with placed rules moved. */
function withPositions(
  before: ZoneDocument,
  merged: ZoneDocument,
  kind: RuleKind,
  positions: JsonObject,
): ZoneDocument {
  const { [ruleListNames[kind]]: list } = merged;
  if (list === undefined) return merged;
  const remaining = listIn(before, kind).order.filter((id) => Object.hasOwn(list.items ?? {}, id));
  // Patches of history place rules by their ids.
  const places = new Map(Object.entries(positions).map(([id, place]) => [id as RuleId, Number(place)]));
  return { ...merged, [ruleListNames[kind]]: { ...list, order: moveAll(remaining, places) } };
}
