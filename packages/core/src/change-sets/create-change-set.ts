import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { requireStorage } from '../organizations/storage-quota.ts';
import type { UnitOfWork } from '../repositories.ts';
import { ChangeSetId, type ZoneId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ChangeSetDraft } from './change-set-body.ts';
import { type ChangeSetWithConflicts, readConflicts } from './change-set-conflicts.ts';
import { inLockedZone, recordChangeSet } from './change-set-write.ts';
import { bytesOfChangeSet } from './stored-bytes.ts';
import { contentOf } from './write-content.ts';

export type CreateChangeSet = (
  caller: Caller,
  zone: ZoneId,
  draft: ChangeSetDraft,
) => ResultAsync<ChangeSetWithConflicts, ZoneAccessError | InvalidInput>;

/** Stores a change set. It is validated like a write but changes nothing until it is applied. */
export const createChangeSet =
  ({ unitOfWork, randomness }: { unitOfWork: UnitOfWork; randomness: Randomness }): CreateChangeSet =>
  (caller, zoneId, { title, description, base, content: written }) =>
    inLockedZone(unitOfWork, caller, zoneId, (locked) =>
      safeTry(async function* () {
        const { repositories, state, limits } = locked;
        const content = yield* contentOf(locked, randomness, written, base);
        const id = ChangeSetId.parse(randomness.uuid());
        const added = { id, zoneId, title, description, createdBy: caller.userId, ...content };
        yield* requireStorage(repositories, state.zone.organizationId, bytesOfChangeSet(added));
        const set = yield* repositories.changeSets.add(added, limits.changeSets).mapErr(() => tooManyOpen(limits));
        yield* recordChangeSet(locked, caller, 'changeSet.created', id);
        return readConflicts(repositories, state, set);
      }),
    );

/** The violation when a zone has the maximum number of open change sets. */
export const tooManyOpen = ({ changeSets }: UsageLimits): InvalidInput =>
  invalidInput([violation('', 'changeSet.limit', `A zone can have at most ${changeSets} open change sets.`)]);
