import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { type ChangeSetWithConflicts, isMerged, readConflicts, withConflicts } from './change-set-conflicts.ts';
import type { ChangeSetNotFound } from './errors.ts';

export type ReadChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
) => ResultAsync<ChangeSetWithConflicts, ZoneAccessError | ChangeSetNotFound>;

/** One change set of a zone, with its conflicts. */
export const readChangeSet =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadChangeSet =>
  (caller, zone, id) =>
    unitOfWork.view((repositories) => changeSetIn(repositories, caller, zone, id));

const changeSetIn = (
  repositories: Repositories,
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
): ReturnType<ReadChangeSet> =>
  safeTry(async function* () {
    const { organizationId, revision } = yield* repositories.zones.head(zone);
    yield* mayIn(caller, organizationId, 'zones.read');
    const set = yield* repositories.changeSets.byId(zone, id);
    if (isMerged(set, revision)) return ok(withConflicts(set, []));
    const state = yield* repositories.zones.state(zone);
    return readConflicts(repositories, state, set);
  });
