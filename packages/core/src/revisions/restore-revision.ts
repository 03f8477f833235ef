import { ok, type Result, ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { claimedIn, takenIds } from '../drafts/draft-check.ts';
import {
  contentsPlan,
  contentsViolations,
  namedIn,
  storedContents,
  type ZoneContents,
} from '../drafts/zone-contents.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import type { RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { type InvalidInput, requireNone } from '../shared/violation.ts';
import { changeZone } from '../zones/change-zone.ts';
import { zoneVersion } from '../zones/zone.ts';
import { checkZoneAccess, type ZoneAccessError } from '../zones/zone-access.ts';
import { type DecisionBasis, referentsOf, type Unknown, type ZoneCommand } from '../zones/zone-command.ts';

export type RestoreRevisionError = ZoneAccessError | RevisionNotFound | VersionMismatch | InvalidInput;
export type RestoreRevision = (
  caller: Caller,
  zone: ZoneId,
  number: RevisionNumber,
  expected: ExpectedVersions,
) => ResultAsync<void, RestoreRevisionError>;

/**
 * Gives a zone the settings and rules it had at a revision, all or nothing, as one more revision. Name, tag, ban token
 * and basic-auth users stay as they are. What an old state names but is gone (a backend, a basic-auth user) is a
 * violation at its place in that state; all of them are reported at once.
 */
export const restoreRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RestoreRevision =>
  (caller, zone, number, expected) =>
    checkZoneAccess({ unitOfWork })(caller, zone, 'zones.write')
      .andThen(() => unitOfWork.view((repositories) => wrapped(stateAt(repositories, zone, number))))
      .andThen((old) => changeZone(unitOfWork, caller, zone, restoration(number, old, expected)))
      .map(() => undefined);

/** A result as a value: whether it is an error matters only once more is known. */
const wrapped = <T, E>(result: ResultAsync<T, E>): ResultAsync<Result<T, E>, never> =>
  ResultAsync.fromSafePromise(Promise.resolve(result));

/** The command that restores settings and rules. `old` is the zone's document at the revision. */
const restoration = (
  number: RevisionNumber,
  old: Result<ZoneDocument, RevisionNotFound>,
  expected: ExpectedVersions,
): ZoneCommand<VersionMismatch | RevisionNotFound | InvalidInput> => ({
  permission: 'zones.write',
  decide: (basis) =>
    safeTry(function* () {
      const { state } = basis;
      yield* requireVersion(expected, zoneVersion(state.zone));
      const contents = yield* old.andThen(storedContents);
      yield* requireValidContents(basis, contents);
      return ok({
        plan: contentsPlan(state, contents),
        action: 'zone.restored',
        objects: { revision: String(number) },
        isAlwaysRecorded: true,
      });
    }),
});

/** Every violation at once: of the zone's settings, and of its rules on top of them. */
function requireValidContents(basis: DecisionBasis, contents: ZoneContents): Result<void, InvalidInput | Unknown> {
  const claims = claimedIn(contents, basis.state);
  return referentsOf(basis, namedIn(contents), { rules: claims }).andThen((referents) =>
    requireNone([...takenIds(claims, basis), ...contentsViolations(contents, basis.state.zone.name, referents)]),
  );
}
