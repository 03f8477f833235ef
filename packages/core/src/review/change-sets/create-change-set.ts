import { ok, type ResultAsync, safeTry } from 'neverthrow';
import { ChangeSetId, type ZoneId } from '../../kernel/shared/ids.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { requireStorage } from '../../organizations/organizations/storage-quota.ts';
import type { LockedZone } from '../../zones/zone-changes/zone-facts.ts';
import type { ZoneAccessError } from '../../zones/zones/zone-access.ts';
import { bytesOfChangeSet, type ChangeSet, maxOpenBytes } from './change-set.ts';
import type { ChangeSetDraft } from './change-set-body.ts';
import { type ChangeSetWithConflicts, findConflicts, withConflicts } from './change-set-conflicts.ts';
import { mayDraft, recordChangeSet, writeDraft } from './change-set-write.ts';
import type { NewChangeSet } from './ports.ts';
import type { ChangeSetRepositories } from './repositories.ts';
import { contentOf } from './write-content.ts';

export type CreateChangeSet = (
  caller: Caller,
  zone: ZoneId,
  draft: ChangeSetDraft,
) => ResultAsync<ChangeSetWithConflicts, ZoneAccessError | InvalidInput>;

/** Stores a change set. It is validated like a write but changes nothing until it is applied. */
export const createChangeSet =
  ({
    unitOfWork,
    randomness,
  }: {
    unitOfWork: UnitOfWork<ChangeSetRepositories>;
    randomness: Randomness;
  }): CreateChangeSet =>
  (caller, zoneId, { title, description, base, content: written }) =>
    writeDraft(unitOfWork, caller, zoneId, (basis) =>
      safeTry(async function* () {
        const content = yield* contentOf(basis, randomness, written, base);
        yield* mayDraft(caller, basis.state.zone, content);
        const { conflicts, record: merge } = yield* findConflicts(basis.repositories, basis.state, content);
        const id = ChangeSetId.parse(randomness.uuid());
        const set = { id, zoneId, title, description, createdBy: caller.userId, ...content, merge };
        return ok((repositories: ChangeSetRepositories, { organizationId: organization }: LockedZone) =>
          requireStorage(repositories, organization, bytesOfChangeSet(set))
            .andThen(() => added(repositories, set, basis.limits))
            .andThrough(() =>
              recordChangeSet(repositories, caller, 'changeSet.created', { zone: zoneId, organization, changeSet: id }),
            )
            .map((stored) => withConflicts(stored, conflicts)),
        );
      }),
    );

/** Adds a change set to a locked zone, within its limits. */
export const added = (
  { changeSets }: Pick<ChangeSetRepositories, 'changeSets'>,
  set: NewChangeSet,
  { changeSets: sets }: UsageLimits,
): ResultAsync<ChangeSet, InvalidInput> =>
  changeSets
    .add(set, { sets, bytes: maxOpenBytes })
    .mapErr((error) =>
      error.type === 'TooManyChangeSets'
        ? invalidInput([violation('', 'changeSet.limit', fullMessage('A zone', sets, 'open change sets'))])
        : tooLarge,
    );

/** The violation when the open change sets of a zone would have too much text together. */
export const tooLarge = invalidInput([
  violation(
    '',
    'changeSet.bytes',
    `The open change sets of a zone can have at most ${maxOpenBytes} bytes together. Apply or discard some first.`,
  ),
]);
