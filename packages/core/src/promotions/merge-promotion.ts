import type { Result } from 'neverthrow';
import { draftBase } from '../drafts/draft-document.ts';
import { objectIn } from '../drafts/zone-contents.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import { type MergeConflict, type MergedDocuments, mergeDocuments } from '../merging/merge-documents.ts';
import type { RuleId } from '../shared/ids.ts';
import { type Json, type JsonObject, mergePatchBetween } from '../shared/merge-patch.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { inTermsOfTarget, type Terms } from './in-terms-of-target.ts';
import { joinedIds } from './joined-rules.ts';
import { type KnownNames, mappedNames } from './mapped-names.ts';
import type { ReportEntry } from './promotion.ts';
import { ownSettings, type PromotionDraft } from './promotion-draft.ts';
import { promotionReport } from './promotion-report.ts';

/** What a promotion would do to its target. */
export interface PromotionMerge {
  /** Merge patch (RFC 7396) that makes the changes, with conflicts settled for the source. Empty: nothing is left to bring over. */
  readonly patch: JsonObject;
  /**
   * Where there are conflicts: merge patch on the target that gives the places in conflict what both sides began with. A
   * merge on that base has these conflicts again, and no others.
   */
  readonly disputed: JsonObject | undefined;
  readonly report: readonly ReportEntry[];
}

/**
 * Brings what changed in the source since `known.earlier` to the target: rules are joined by kind and name, and compared
 * in terms of the target. Without an earlier document, all that both have in different ways is in conflict.
 */
export function mergePromotion(
  known: KnownNames,
  { map, keep }: Pick<PromotionDraft, 'map' | 'keep'>,
  newId: () => RuleId,
): Result<PromotionMerge, InvalidInput> {
  const [source, theirs] = [draftBase(known.source), draftBase(known.target)];
  const earlier = known.earlier && draftBase(known.earlier);
  return mappedNames(known, map).map((names) => {
    const terms: Terms = {
      target: theirs,
      joined: joinedIds(theirs, newId),
      names,
      kept: new Set<string>([...ownSettings, ...keep]),
    };
    const yours = inTermsOfTarget(source, terms);
    const documents = { base: earlier && inTermsOfTarget(earlier, terms), theirs, yours };
    const conflicts = conflictsOf(documents);
    // Whatever is in conflict is settled.
    const merged = mergeDocuments(documents, { '*': 'yours' }).unwrapOr(theirs);
    return {
      patch: mergePatchBetween(theirs, merged),
      disputed: conflicts.length === 0 ? undefined : disputedIn(theirs, conflicts),
      report: promotionReport({ source, yours, theirs, merged, conflicts: conflicts.map(({ path }) => path) }),
    };
  });
}

const conflictsOf = (documents: MergedDocuments): readonly MergeConflict[] =>
  mergeDocuments(documents).match(
    () => [],
    (refusal) => ('conflicts' in refusal ? refusal.conflicts : []),
  );

const disputedIn = (document: ZoneDocument, conflicts: readonly MergeConflict[]): JsonObject =>
  mergePatchBetween(
    document,
    conflicts.reduce((changed, { path, base }) => withMember(changed, path.split('.'), base), document),
  );

/** The same document with another value at a place, or without one. */
function withMember(
  document: JsonObject,
  [name = '', ...inner]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const { [name]: before, ...others } = document;
  const after = inner.length > 0 ? withMember(objectIn(before), inner, value) : value;
  return after === undefined ? others : { ...others, [name]: after };
}
