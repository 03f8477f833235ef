import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import { contentsDocument } from '../drafts/zone-contents.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { MergeConflicted } from '../merging/merge-documents.ts';
import type { Repositories } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import type { InvalidInput } from '../shared/violation.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { checkedMergeIn, placed } from './draft-of-set.ts';
import { type ChangeSetClosed, type ChangeSetNotFound, changeSetClosed } from './errors.ts';

/** What a change set makes of its zone, to be looked at. */
export type LookedAt =
  /** Open: `document` is the zone as it is now with what the set changes, limited to settings and rules. */
  | { readonly kind: 'draft'; readonly state: ZoneState; readonly document: ZoneDocument }
  /** Applied: the revision of the zone that came of it. */
  | { readonly kind: 'applied'; readonly revision: number };

/** Why a change set cannot be looked at. */
export type LookError = ZoneAccessError | ChangeSetNotFound | ChangeSetClosed | MergeConflicted | InvalidInput;

/**
 * Finds what a change set makes of its zone, for those who may read the zone. A draft is checked like a write; one that is
 * discarded, conflicted or not valid any more cannot be looked at.
 */
export const lookAtChangeSet = (
  repositories: Repositories,
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
): ResultAsync<LookedAt, LookError> =>
  safeTry(async function* () {
    const { state, limits } = yield* repositories.zones.limitedState(zone);
    yield* mayIn(caller, state.zone.organizationId, 'zones.read');
    const set = yield* repositories.changeSets.byId(zone, id);
    if (set.application !== undefined) return ok({ kind: 'applied' as const, revision: set.application.revision });
    if (set.status !== 'open') return err(changeSetClosed());
    const contents = yield* checkedMergeIn(repositories, yield* placed(repositories, state, set), limits);
    return ok({ kind: 'draft' as const, state, document: contentsDocument(contents) });
  });
