import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { defect } from '../../kernel/shared/failures.ts';
import { type JsonObject, mergePatch, objectIn } from '../../kernel/shared/json.ts';
import { type InvalidInput, under } from '../../kernel/shared/violation.ts';
import type { UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import { checkedDraft, contentsOfState } from '../../zones/drafts/draft-check.ts';
import { draftBase, draftDocument } from '../../zones/drafts/draft-document.ts';
import {
  contentsDocument,
  draftContents,
  settingsMember,
  type ZoneContents,
} from '../../zones/drafts/zone-contents.ts';
import type { RevisionNotFound } from '../../zones/history/revision.ts';
import { revisionNumber } from '../../zones/history/revision.ts';
import { stateAt } from '../../zones/history/state-at.ts';
import { documentOf, type ZoneDocument } from '../../zones/history/zone-document.ts';
import {
  type MergeConflict,
  type MergeConflicted,
  mergeDocuments,
  type Resolution,
} from '../../zones/merging/merge-documents.ts';
import { ruleKindNames } from '../../zones/rule-kinds/rule-lists.ts';
import { type Decide, decideIn, mapDecisionError } from '../../zones/zone-changes/decision.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import type { ChangeSet, ChangeSetContent } from './change-set.ts';
import { type ChangeSetClosed, changeSetClosed } from './errors.ts';
import type { ChangeSetRepositories } from './repositories.ts';

/** The content of a change set with the document of its base and the current zone. */
export interface ChangeSetMerge<S extends ChangeSetContent = ChangeSetContent> {
  readonly set: S;
  readonly base: ZoneDocument;
  readonly state: ZoneState;
}

/** The document of the current zone. */
export const documentOfState = (state: ZoneState): ZoneDocument => documentOf(state, state.users);

/** The characters of the texts of a zone. */
export const stateCharacters = ({ zone, rules }: ZoneState): number =>
  ruleKindNames
    .flatMap((kind) => rules[kind].map(({ content }) => content.text.length))
    .reduce((sum, length) => sum + length, zone.settings.text.length);

/** The document that a change set is based on, given the zone's current state. */
export const baseDocument = (
  repositories: Pick<ChangeSetRepositories, 'history'>,
  state: ZoneState,
  base: number,
): ResultAsync<ZoneDocument, RevisionNotFound> =>
  base === state.zone.revision
    ? okAsync(documentOfState(state))
    : revisionNumber(base).asyncAndThen((number) => stateAt(repositories, state.zone.id, number));

/** The part of a zone that change sets cover. */
export const draftMembersOf = (state: ZoneState): ZoneDocument => contentsDocument(contentsOfState(state));

/** Reads the base of a change set. */
export const mergeOf = <S extends ChangeSetContent>(
  repositories: Pick<ChangeSetRepositories, 'history'>,
  state: ZoneState,
  set: S,
): ResultAsync<ChangeSetMerge<S>, never> =>
  baseDocument(repositories, state, set.base)
    .map((base) => ({ set, base, state }))
    .orElse(() => defect('The base of a change set is not in the history of its zone.'));

/** Rejects a change set that is applied or discarded. */
export const requireOpen = (set: Pick<ChangeSet, 'status'>): Result<void, ChangeSetClosed> =>
  set.status === 'open' ? ok() : err(changeSetClosed());

/**
 * The base with a patch applied, normalized as writes are. What can no longer be parsed stays as written and is
 * rejected on use. Settings that the base does not have are dropped: nobody wrote them.
 */
function draftOn(base: ZoneDocument, patch: JsonObject): JsonObject {
  const known = draftBase(base);
  const draft = draftDocument(known, patch).unwrapOr(known);
  const written = { ...known.zone_settings, ...objectIn(draft[settingsMember]) };
  return draftContents(draft, known)
    .map(contentsDocument)
    .map((document) => {
      const settings = Object.entries(document.zone_settings ?? {}).filter(([key]) => Object.hasOwn(written, key));
      return { ...document, zone_settings: Object.fromEntries(settings) };
    })
    .unwrapOr(draft);
}

/** The merge of the change set into the current zone. */
const mergedDraft = (
  { set, base, state }: ChangeSetMerge,
  resolution?: Resolution,
): Result<ZoneDocument, MergeConflicted | InvalidInput> =>
  mergeDocuments(
    { base: beginningOf(set, draftBase(base)), theirs: documentOfState(state), yours: draftOn(base, set.patch.value) },
    resolution,
  );

/** The common ancestor of both sides of a merge. */
const beginningOf = ({ disputed }: ChangeSetContent, base: ZoneDocument): ZoneDocument =>
  disputed === undefined ? base : mergePatch(base, disputed.value);

/** The conflicts between the set and the current zone. */
export const conflictsOf = (merge: ChangeSetMerge): readonly MergeConflict[] =>
  mergedDraft(merge).match(
    () => [],
    (error) => (error.type === 'MergeConflicted' ? error.conflicts : []),
  );

/** The zone with the set applied, validated like a write; violation paths are relative to the patch. */
export const checkedMerge =
  (merge: ChangeSetMerge, resolution?: Resolution): Decide<ZoneContents, MergeConflicted | InvalidInput> =>
  (basis) =>
    mergedDraft(merge, resolution)
      .mapErr((error) => (error.type === 'InvalidInput' ? under('resolve')(error) : error))
      .andThen((document) =>
        checkedDraft(basis, document, {
          document: documentOfState(basis.state),
          contents: () => contentsOfState(basis.state),
        })
          .mapErr(under('patch'))
          .map(mapDecisionError(under('patch'))),
      );

/** Like `checkedMerge`, with references to things outside the zone resolved. */
export const checkedMergeIn = (
  repositories: ChangeSetRepositories,
  merge: ChangeSetMerge,
  limits: UsageLimits,
  resolution?: Resolution,
): ResultAsync<ZoneContents, MergeConflicted | InvalidInput> =>
  decideIn(repositories, { state: merge.state, limits }, checkedMerge(merge, resolution)).map(({ value }) => value);
