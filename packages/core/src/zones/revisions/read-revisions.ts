import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { ZoneHistory } from '../history/ports.ts';
import type { PatchPair, Revision, RevisionNotFound, RevisionNumber, RevisionSummary } from '../history/revision.ts';
import { stateAt, statesAround } from '../history/state-at.ts';
import { patchPair, type ZoneDocument } from '../history/zone-document.ts';
import type { Zones } from '../zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';

interface Repositories {
  readonly history: ZoneHistory;
  readonly zones: Zones;
}

/** The revisions of a zone, newest first. */
export const listRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: Caller, zone: ZoneId, page: PageRequest): ResultAsync<Page<RevisionSummary>, ZoneAccessError> =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, zone).andThen(() => repositories.history.list(zone, page)),
    );

/** A revision with the zone's whole document at that time. */
export interface RevisionDetails {
  readonly revision: Revision;
  readonly state: ZoneDocument;
}

/** One change of a zone, and its state after it. */
export const readRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    zone: ZoneId,
    number: RevisionNumber,
  ): ResultAsync<RevisionDetails, ZoneAccessError | RevisionNotFound> =>
    unitOfWork.view((repositories) =>
      safeTry(async function* () {
        yield* mayReadZone(repositories, caller, zone);
        const recorded = yield* repositories.history.byNumber(zone, number);
        const { before, after } = yield* statesAround(repositories, recorded);
        const { restored: _, replayBytes: __, previous: ___, ...revision } = recorded;
        return ok({ revision: { ...revision, ...patchPair(before, after) }, state: after });
      }),
    );

/** The difference between two revisions, in both directions. */
export interface RevisionDiff extends PatchPair {
  readonly zoneId: ZoneId;
  readonly from: RevisionNumber;
  readonly to: RevisionNumber;
}

/** Compares two revisions of a zone, in either direction. */
export const compareRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    zoneId: ZoneId,
    from: RevisionNumber,
    to: RevisionNumber,
  ): ResultAsync<RevisionDiff, ZoneAccessError | RevisionNotFound> =>
    unitOfWork.view((repositories) =>
      safeTry(async function* () {
        yield* mayReadZone(repositories, caller, zoneId);
        const before = yield* stateAt(repositories, zoneId, from);
        const after = yield* stateAt(repositories, zoneId, to);
        return ok({ zoneId, from, to, ...patchPair(before, after) });
      }),
    );
