import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { type PreviewError, previewChangeSet } from '../change-sets/preview-change-set.ts';
import { readBackends } from '../evaluation/backends.ts';
import type { NamedZone } from '../evaluation/names.ts';
import type { RevisionNotFound } from '../history/revision.ts';
import { revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import { documentOf, type ZoneDocument } from '../history/zone-document.ts';
import type { Repositories } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import { type AnalysedConfiguration, analysedBackends } from './analysed-configuration.ts';

/** A change set to be analysed, always with the current backends. */
export interface AnalysedChangeSet {
  readonly zone: NamedZone;
  /** The current revision of the zone. */
  readonly current: number;
  readonly now: AnalysedConfiguration;
  /** The zone with the change set applied; for an applied set, right after it was applied. */
  readonly after: AnalysedConfiguration;
  /** For an applied set: the revision it created and the one before, which are equal if there was nothing to change. */
  readonly applied:
    | { readonly revision: number; readonly earlier: number; readonly before: AnalysedConfiguration }
    | undefined;
}

/** Reads a change set and its zone if the caller may read the zone. */
export const analysedChangeSet = (
  repositories: Repositories,
  caller: Caller,
  id: ZoneId,
  set: ChangeSetId,
): ResultAsync<AnalysedChangeSet, PreviewError | RevisionNotFound> =>
  safeTry(async function* () {
    const preview = yield* previewChangeSet(repositories, caller, id, set);
    const state = preview.kind === 'draft' ? preview.state : yield* repositories.zones.state(id);
    const { organizationId, revision: current } = state.zone;
    const backends = analysedBackends(yield* readBackends(repositories, organizationId));
    const analysed = (document: ZoneDocument): AnalysedConfiguration => ({ document, backends });
    const at = (number: number) =>
      revisionNumber(number)
        .asyncAndThen((revision) => stateAt(repositories, id, revision))
        .map(analysed);
    const whole = documentOf(state, state.users);
    const common = { zone: { id, organizationId }, current, now: analysed(whole) };
    if (preview.kind === 'draft') {
      return ok({ ...common, after: analysed({ ...whole, ...preview.document }), applied: undefined });
    }
    const { revision } = preview;
    const { objects } = yield* repositories.history.byNumber(id, revision);
    const earlier = objects['changeSet'] === set ? revision - 1 : revision;
    const [before, after] = [yield* at(earlier), yield* at(revision)];
    return ok({ ...common, after, applied: { revision, earlier, before } });
  });
