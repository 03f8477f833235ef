import { ok, type ResultAsync } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { ExpectedVersions, VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { ChangeSet } from './change-set.ts';
import { type DecidedWrite, openChangeSetIn, openIn, recordChangeSet, writeDraft } from './change-set-write.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './errors.ts';
import type { ChangeSetRepositories } from './repositories.ts';

export type DiscardChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
  expected: ExpectedVersions,
) => ResultAsync<void, ZoneAccessError | ChangeSetNotFound | ChangeSetClosed | VersionMismatch>;

/** Discards an open change set, which stays readable for 30 more days. */
export const discardChangeSet =
  ({ unitOfWork, sha256 }: { unitOfWork: UnitOfWork<ChangeSetRepositories>; sha256: Sha256 }): DiscardChangeSet =>
  (caller, zone, id, expected) =>
    writeDraft(unitOfWork, caller, zone, (basis) =>
      // Only a version depends on texts.
      (expected === undefined
        ? openIn(basis, id)
        : openChangeSetIn(basis, id, expected, sha256).map(({ set }) => set)
      ).map((set) => discarded(caller, set)),
    );

const discarded =
  (caller: Caller, { id, zoneId: zone, revision }: ChangeSet): DecidedWrite<void, never, ChangeSetRepositories> =>
  (repositories, { organizationId: organization }) =>
    repositories.changeSets
      .discard({ id, revision })
      .andThen(() =>
        recordChangeSet(repositories, caller, 'changeSet.discarded', { zone, organization, changeSet: id }),
      )
      .orElse(() => ok('superseded' as const));
