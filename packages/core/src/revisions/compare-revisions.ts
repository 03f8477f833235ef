import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { PatchPair, RevisionNotFound, RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import { patchPair } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';

/** The difference between two revisions, in both directions. */
export interface RevisionDiff extends PatchPair {
  readonly zoneId: ZoneId;
  readonly from: RevisionNumber;
  readonly to: RevisionNumber;
}

export type CompareRevisions = (
  caller: Caller,
  zone: ZoneId,
  from: RevisionNumber,
  to: RevisionNumber,
) => ResultAsync<RevisionDiff, ZoneAccessError | RevisionNotFound>;

/** Compares two revisions of a zone, in either direction. */
export const compareRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): CompareRevisions =>
  (caller, zoneId, from, to) =>
    unitOfWork.view((repositories) =>
      safeTry(async function* () {
        yield* mayReadZone(repositories, caller, zoneId);
        const before = yield* stateAt(repositories, zoneId, from);
        const after = yield* stateAt(repositories, zoneId, to);
        return ok({ zoneId, from, to, ...patchPair(before, after) });
      }),
    );
