import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { RecordedRevision } from '../history/ports.ts';
import type { Revision, RevisionNotFound, RevisionNumber } from '../history/revision.ts';
import { type StatesAround, statesAround } from '../history/state-at.ts';
import { patchPair, type ZoneDocument } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';

/** A revision with the zone's whole document at that time. */
export interface RevisionDetails {
  readonly revision: Revision;
  readonly state: ZoneDocument;
}

export type ReadRevision = (
  caller: Caller,
  zone: ZoneId,
  number: RevisionNumber,
) => ResultAsync<RevisionDetails, ZoneAccessError | RevisionNotFound>;

/** One change of a zone, and its state after it. */
export const readRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadRevision =>
  (caller, zone, number) =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, zone)
        .andThen(() => repositories.history.byNumber(zone, number))
        .andThen((recorded) => statesAround(repositories, recorded).map((states) => detailsOf(recorded, states))),
    );

function detailsOf(
  { restored: _, replayBytes: __, previous: ___, ...revision }: RecordedRevision,
  { before, after }: StatesAround,
): RevisionDetails {
  return { revision: { ...revision, ...patchPair(before, after) }, state: after };
}
