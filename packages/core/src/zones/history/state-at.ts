import { okAsync, type ResultAsync } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import { mergePatch } from '../../kernel/shared/json.ts';
import type { RecordedRevision, TrailRevision, ZoneHistory } from './ports.ts';
import { replay } from './replay.ts';
import type { RevisionNotFound, RevisionNumber } from './revision.ts';
import { asWrittenToday, restoredDocument, type ZoneDocument } from './zone-document.ts';

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
