import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import { contentsPlan } from '../drafts/zone-contents.ts';
import type { BackendHistory, RestoredState, ZoneHistory } from '../history/ports.ts';
import type { RevisionNotFound, RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import { changeZone } from '../zone-changes/change-zone.ts';
import { type Decide, mapDecision } from '../zone-changes/decision.ts';
import { type HostNameTaking, takeHostNames } from '../zone-changes/take-host-names.ts';
import type { ReferableRevision, RestorationOrigin } from '../zone-changes/zone-command.ts';
import { zoneVersion } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { type MissingMode, type MissingPart, withBackendNames } from './missing-references.ts';
import { type Restoration, restorable } from './restorable-state.ts';

interface Repositories extends HostNameTaking {
  readonly backendHistory: BackendHistory;
  readonly history: ZoneHistory;
  readonly storageQuotas: StorageQuotas;
}

/**
 * Restores the settings and rules that a zone had at a revision, atomically and as a new revision. Name, tag, ban token
 * and basic-auth users stay unchanged. References that no longer resolve are violations at their path in the old state,
 * or are skipped; resolves to what was skipped.
 */
export const restoreRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    id: ZoneId,
    number: RevisionNumber,
    expected: ExpectedVersions,
    mode: MissingMode = 'refuse',
  ): ResultAsync<readonly MissingPart[], ZoneAccessError | RevisionNotFound | VersionMismatch | InvalidInput> =>
    changeZone<VersionMismatch | RevisionNotFound | InvalidInput, Restoration, Repositories>(unitOfWork, caller, id, {
      // The response shows the zone.
      permission: ['contents.write', 'zones.read'],
      takeHostNames,
      prepare: (repositories, { zone }) =>
        safeTry(async function* () {
          yield* requireVersion(expected, zoneVersion(zone));
          const document = yield* stateAt(repositories, id, number);
          const origin = {
            contents: { ...(yield* originOf(repositories, id, number, contentsOrigin)), document },
            rest: yield* originOf(repositories, id, zone.revision, ({ restFrom }) => restFrom),
          };
          return ok(restored(number, document, mode, origin));
        }),
    }).andThen(({ after, change }) =>
      unitOfWork.view((repositories) =>
        withBackendNames(repositories, after.zone, { whenMade: number }, change.missing),
      ),
    );

/** An exact reference has the settings and rules of the revision that it refers to. */
const contentsOrigin = ({ contentsFrom, adjustment }: RestoredState) =>
  adjustment === undefined ? contentsFrom : undefined;

/** The revision that has a part of this one's state and is no reference for it. */
const originOf = (
  { history }: Pick<Repositories, 'history'>,
  zone: ZoneId,
  number: number,
  origin: (reference: RestoredState) => number | undefined,
): ResultAsync<ReferableRevision, RevisionNotFound> =>
  history.byNumber(zone, number).andThen(({ restored: reference, replayBytes }) => {
    const from = reference && origin(reference);
    return from === undefined ? okAsync({ number, replayBytes }) : originOf({ history }, zone, from, origin);
  });

/** Decides which of the settings and rules in the document of a revision can be restored. */
const restored =
  (
    number: RevisionNumber,
    document: ZoneDocument,
    mode: MissingMode,
    origin: RestorationOrigin,
  ): Decide<Restoration, InvalidInput> =>
  (basis) => {
    const { state } = basis;
    const { name, settings, hostnames: held } = state.zone;
    return restorable(basis, { document, replacement: settings.value, name, held }, mode).map(
      mapDecision(({ contents, missing }) => ({
        plan: contentsPlan(state, contents),
        action: 'zone.restored',
        objects: { revision: String(number) },
        isAlwaysRecorded: true,
        origin,
        missing,
      })),
    );
  };
