import { Result, type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type AccessDenied, mayIn } from '../../organizations/access/permissions.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import { record } from '../../organizations/audit/record.ts';
import {
  type Attempt,
  firstApplied,
  mayStill,
  permittedFacts,
  undoneIfSuperseded,
} from '../../zones/zone-changes/optimistic-write.ts';
import type { LockedZone } from '../../zones/zone-changes/zone-facts.ts';
import { permissionsForPatch } from '../../zones/zone-changes/zone-plan.ts';
import type { StateWithLimits } from '../../zones/zones/ports.ts';
import type { Zone } from '../../zones/zones/zone.ts';
import type { ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { ChangeSet, ChangeSetContent } from './change-set.ts';
import { type ChangeSetWithConflicts, changeSetVersion, readConflicts, withConflicts } from './change-set-conflicts.ts';
import { requireOpen } from './change-set-merge.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './errors.ts';
import type { ChangeSetRepositories } from './repositories.ts';

/** Checks that the caller may make the changes of a draft themselves. */
export const mayDraft = (
  caller: Caller,
  { organizationId }: Pick<Zone, 'organizationId'>,
  { patch }: Pick<ChangeSetContent, 'patch'>,
): Result<void, AccessDenied> =>
  Result.combine(permissionsForPatch(patch.value).map((permission) => mayIn(caller, organizationId, permission))).map(
    () => undefined,
  );

/** The state that a write of a change set is decided on; nothing is locked. */
export interface DraftBasis<R> extends StateWithLimits {
  readonly repositories: R;
}

/** A write that has been decided. It runs while the zone is locked, so it computes nothing. */
export type DecidedWrite<T, E, R> = (repositories: R, locked: LockedZone) => Attempt<T, E>;

/** A change set is written by people, not by many at once. */
const maxAttempts = 5;

/**
 * Writes change sets of a zone if the caller may: decides on a state that was read without locks, then writes while the
 * zone is locked. If what it was decided on has changed, it is decided again.
 */
export function writeDraft<T, E, R extends ChangeSetRepositories>(
  unitOfWork: UnitOfWork<R>,
  caller: Caller,
  zone: ZoneId,
  decide: (basis: DraftBasis<R>) => ResultAsync<DecidedWrite<T, E, R>, E>,
): ResultAsync<T, E | ZoneAccessError> {
  const decided = (repositories: R) =>
    permittedFacts(repositories, caller, zone, 'contents.write').andThen(({ state, limits }) =>
      decide({ repositories, state, limits }),
    );
  const attempt = (): Attempt<T, E | ZoneAccessError> =>
    unitOfWork.view(decided).andThen((write) =>
      undoneIfSuperseded<T, E | ZoneAccessError, R>(unitOfWork, 'run', (repositories) =>
        repositories.zoneChanges
          .lock(zone, caller.userId)
          .andThrough((locked) => mayStill(caller, locked, 'contents.write'))
          .andThen((locked) => write(repositories, locked)),
      ),
    );
  return firstApplied(Array.from({ length: maxAttempts }, () => attempt));
}

/** An open change set. */
export const openIn = (
  { repositories, state }: DraftBasis<ChangeSetRepositories>,
  id: ChangeSetId,
): ResultAsync<ChangeSet, ChangeSetNotFound | ChangeSetClosed> =>
  repositories.changeSets.byId(state.zone.id, id).andThrough(requireOpen);

/** An open change set whose version the caller expects; it is merged only if the version depends on that. */
export const openChangeSetIn = (
  basis: DraftBasis<ChangeSetRepositories>,
  id: ChangeSetId,
  expected: ExpectedVersions,
  sha256: Sha256,
): ResultAsync<ChangeSetWithConflicts, ChangeSetNotFound | ChangeSetClosed | VersionMismatch> =>
  safeTry(async function* () {
    const { repositories, state } = basis;
    const set = yield* openIn(basis, id);
    const found = expected === undefined ? withConflicts(set, []) : yield* readConflicts(repositories, state, set);
    return requireVersion(expected, changeSetVersion(found, sha256)).map(() => found);
  });

/** Records an action on a change set. */
export const recordChangeSet = (
  repositories: ChangeSetRepositories,
  caller: Caller,
  action: AuditAction,
  {
    zone,
    organization,
    changeSet,
  }: { zone: ZoneId; organization: LockedZone['organizationId']; changeSet: ChangeSetId },
): ResultAsync<void, never> => record(repositories, caller, action, { organization, objects: { zone, changeSet } });
