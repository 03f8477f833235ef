import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { contentsPlan } from '../drafts/zone-contents.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import type { RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { changeZone } from '../zone-changes/change-zone.ts';
import { type Decide, mapDecision } from '../zone-changes/decision.ts';
import type { ZoneCommand } from '../zone-changes/zone-command.ts';
import { zoneVersion } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { type MissingMode, type MissingPart, withBackendNames } from './missing-references.ts';
import { type Restoration, restorable } from './restorable-state.ts';

export type RestoreRevisionError = ZoneAccessError | RevisionNotFound | VersionMismatch | InvalidInput;
export type RestoreRevision = (
  caller: Caller,
  zone: ZoneId,
  number: RevisionNumber,
  expected: ExpectedVersions,
  mode?: MissingMode,
) => ResultAsync<readonly MissingPart[], RestoreRevisionError>;

/**
 * Restores the settings and rules that a zone had at a revision, atomically and as a new revision. Name, tag, ban token
 * and basic-auth users stay unchanged. References that no longer resolve are violations at their path in the old state,
 * or are skipped; resolves to what was skipped.
 */
export const restoreRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RestoreRevision =>
  (caller, zone, number, expected, mode = 'refuse') =>
    changeZone(unitOfWork, caller, zone, restoration({ number, mode, expected })).andThen(({ after, change }) =>
      unitOfWork.view((repositories) =>
        withBackendNames(repositories, after.zone, { whenMade: number }, change.missing),
      ),
    );

interface RestorationTerms {
  readonly number: RevisionNumber;
  readonly mode: MissingMode;
  readonly expected: ExpectedVersions;
}

/** The command that restores settings and rules. */
const restoration = ({
  number,
  mode,
  expected,
}: RestorationTerms): ZoneCommand<VersionMismatch | RevisionNotFound | InvalidInput, Restoration> => ({
  permission: 'zones.write',
  prepare: (repositories, { zone }) =>
    requireVersion(expected, zoneVersion(zone))
      .asyncAndThen(() => stateAt(repositories, zone.id, number))
      .map((document) => restored(number, document, mode)),
});

/** Decides which of the settings and rules in the document of a revision can be restored. */
const restored =
  (number: RevisionNumber, document: ZoneDocument, mode: MissingMode): Decide<Restoration, InvalidInput> =>
  (basis) => {
    const { state } = basis;
    const { name, settings } = state.zone;
    return restorable(basis, { document, replacement: settings.value, name }, mode).map(
      mapDecision(({ contents, missing }) => ({
        plan: contentsPlan(state, contents),
        action: 'zone.restored',
        objects: { revision: String(number) },
        isAlwaysRecorded: true,
        missing,
      })),
    );
  };
