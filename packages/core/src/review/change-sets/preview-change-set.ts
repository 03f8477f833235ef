import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { contentsDocument } from '../../zones/drafts/zone-contents.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import type { MergeConflicted } from '../../zones/merging/merge-documents.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import { checkedMergeIn, mergeOf } from './change-set-merge.ts';
import { type ChangeSetClosed, type ChangeSetNotFound, changeSetClosed } from './errors.ts';
import type { ChangeSetRepositories } from './repositories.ts';

/** The zone that a change set results in. */
export type ChangeSetPreview =
  /** Open: `document` is the current zone with the set applied, limited to settings and rules. */
  | { readonly kind: 'draft'; readonly state: ZoneState; readonly document: ZoneDocument }
  /** Applied: the revision it created. */
  | { readonly kind: 'applied'; readonly revision: number };

/** The reasons for which a change set cannot be previewed. */
export type PreviewError = ZoneAccessError | ChangeSetNotFound | ChangeSetClosed | MergeConflicted | InvalidInput;

/**
 * Finds the zone that a change set results in, if the caller may read the zone. An open set is validated like a write;
 * a discarded, conflicted or no longer valid set is an error.
 */
export const previewChangeSet = (
  repositories: ChangeSetRepositories,
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
): ResultAsync<ChangeSetPreview, PreviewError> =>
  safeTry(async function* () {
    yield* mayReadZone(repositories, caller, zone);
    const set = yield* repositories.changeSets.byId(zone, id);
    if (set.application !== undefined) return ok({ kind: 'applied' as const, revision: set.application.revision });
    if (set.status !== 'open') return err(changeSetClosed());
    const { state, limits } = yield* repositories.zones.limitedState(zone);
    const contents = yield* checkedMergeIn(repositories, yield* mergeOf(repositories, state, set), limits);
    return ok({ kind: 'draft' as const, state, document: contentsDocument(contents) });
  });
