import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import { replay } from '../history/replay.ts';
import type { Revision, RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
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
        .andThen((revision) =>
          stateAt(repositories, zone, number).map((state) => ({ revision: wholeRevision(revision, state), state })),
        ),
    );

/** The revision with standard merge patches; those in history only place single rules in lists. */
const wholeRevision = (revision: Revision, state: ZoneDocument): Revision => ({
  ...revision,
  ...patchPair(replay(state, revision.inverse.value), state),
});
