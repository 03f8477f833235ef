import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { checkedDraft, contentsOfState } from '../drafts/draft-check.ts';
import { draftBase, draftDocument } from '../drafts/draft-document.ts';
import {
  contentsDocument,
  draftContents,
  objectIn,
  settingsMember,
  type ZoneContents,
} from '../drafts/zone-contents.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import { revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import { documentOf, type ZoneDocument } from '../history/zone-document.ts';
import {
  type MergeConflict,
  type MergeConflicted,
  mergeDocuments,
  type Resolution,
} from '../merging/merge-documents.ts';
import type { Repositories } from '../repositories.ts';
import { defect } from '../shared/defect.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { type InvalidInput, under } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import { decideIn } from '../zones/change-zone.ts';
import type { Decide } from '../zones/zone-command.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { ChangeSet } from './change-set.ts';
import { type ChangeSetClosed, changeSetClosed } from './errors.ts';

/** A change set with the document of its base, and the zone as it is now. */
export interface PlacedChangeSet {
  readonly set: ChangeSet;
  readonly base: ZoneDocument;
  readonly state: ZoneState;
}

/** The document of a zone as it is now. */
export const documentOfState = (state: ZoneState): ZoneDocument => documentOf(state, state.users);

/** The document that a change set is made on, in a zone that is in this state now. */
export const baseDocument = (
  repositories: Repositories,
  state: ZoneState,
  base: number,
): ResultAsync<ZoneDocument, RevisionNotFound> =>
  base === state.zone.revision
    ? okAsync(documentOfState(state))
    : revisionNumber(base).asyncAndThen((number) => stateAt(repositories, state.zone.id, number));

/** Of it what drafts consist of. */
export const draftMembersOf = (state: ZoneState): ZoneDocument => contentsDocument(contentsOfState(state));

/** Puts a change set beside what it is merged with. */
export const placed = (
  repositories: Repositories,
  state: ZoneState,
  set: ChangeSet,
): ResultAsync<PlacedChangeSet, never> =>
  baseDocument(repositories, state, set.base)
    .map((base) => ({ set, base, state }))
    .orElse(() => defect('The base of a change set is not in the history of its zone.'));

/** Refuses a change set that is applied or discarded. */
export const requireOpen = (set: ChangeSet): Result<void, ChangeSetClosed> =>
  set.status === 'open' ? ok() : err(changeSetClosed());

/**
 * The base with a patch, in the form in which writes are stored. What cannot be parsed any more stays as it was written, and
 * is refused where it is used. Settings that the base does not know are left out: nobody wrote them.
 */
function draftOn(base: ZoneDocument, patch: JsonObject): JsonObject {
  const known = draftBase(base);
  const draft = draftDocument(known, patch).unwrapOr(known);
  const written = { ...objectIn(known[settingsMember]), ...objectIn(draft[settingsMember]) };
  return draftContents(draft, known)
    .map(contentsDocument)
    .map((document) => {
      const settings = Object.entries(objectIn(document[settingsMember])).filter(([key]) =>
        Object.hasOwn(written, key),
      );
      return { ...document, [settingsMember]: Object.fromEntries(settings) };
    })
    .unwrapOr(draft);
}

/** The zone as it is now with what the set changes. */
const mergedDraft = (
  { set, base, state }: PlacedChangeSet,
  resolution?: Resolution,
): Result<ZoneDocument, MergeConflicted | InvalidInput> =>
  mergeDocuments(
    { base: beginningOf(set, draftBase(base)), theirs: documentOfState(state), yours: draftOn(base, set.patch.value) },
    resolution,
  );

/** What both sides of a merge began with. */
const beginningOf = ({ disputed }: ChangeSet, base: ZoneDocument): ZoneDocument =>
  // A patch that is an object always leads to an object.
  disputed === undefined ? base : (mergePatch(base, disputed.value) as JsonObject);

/** Where the set and the zone as it is now contradict each other. */
export const conflictsOf = (placedSet: PlacedChangeSet): readonly MergeConflict[] =>
  mergedDraft(placedSet).match(
    () => [],
    (error) => (error.type === 'MergeConflicted' ? error.conflicts : []),
  );

/** What the zone would be with the set applied, checked like a write; paths of violations are those of the patch. */
export const checkedMerge =
  (placedSet: PlacedChangeSet, resolution?: Resolution): Decide<ZoneContents, MergeConflicted | InvalidInput> =>
  (basis) =>
    mergedDraft(placedSet, resolution)
      .mapErr((error) => (error.type === 'InvalidInput' ? under('resolve')(error) : error))
      .andThen((document) =>
        checkedDraft(basis, document, {
          document: documentOfState(basis.state),
          contents: () => contentsOfState(basis.state),
        }).mapErr((error) => (error.type === 'InvalidInput' ? under('patch')(error) : error)),
      );

/** The same, with what it names outside the zone looked up. */
export const checkedMergeIn = (
  repositories: Repositories,
  placedSet: PlacedChangeSet,
  limits: UsageLimits,
  resolution?: Resolution,
): ResultAsync<ZoneContents, MergeConflicted | InvalidInput> =>
  decideIn(repositories, { state: placedSet.state, limits }, checkedMerge(placedSet, resolution)).map(
    ({ value }) => value,
  );
