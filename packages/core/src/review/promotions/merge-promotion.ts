import type { Result } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import { type Json, type JsonObject, mergePatchBetween, objectIn } from '../../kernel/shared/json.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import { draftBase } from '../../zones/drafts/draft-document.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import { type MergeConflict, type MergedDocuments, mergeDocuments } from '../../zones/merging/merge-documents.ts';
import { targetRuleIds } from './document-rules.ts';
import { type KnownNames, mappedNames } from './mapped-names.ts';
import type { ReportEntry } from './promotion.ts';
import { ownSettings, type PromotionDraft } from './promotion-draft.ts';
import { promotionReport } from './promotion-report.ts';
import { type Translation, translatedToTarget } from './translated-to-target.ts';

/** The changes of a promotion in its target. */
export interface PromotionMerge {
  /** Merge patch (RFC 7396) with the changes, taking the source's side of conflicts. Empty: nothing to promote. */
  readonly patch: JsonObject;
  /**
   * If there are conflicts: a merge patch on the target that restores the common ancestor at the conflicting places. A
   * merge with that base has exactly these conflicts again.
   */
  readonly disputed: JsonObject | undefined;
  readonly report: readonly ReportEntry[];
}

/**
 * Merges the source's changes since `known.earlier` into the target: rules are matched by kind and name, and compared
 * in the target's terms. Without an earlier document, every difference is a conflict.
 */
export function mergePromotion(
  known: KnownNames,
  { map, keep }: Pick<PromotionDraft, 'map' | 'keep'>,
  newId: () => RuleId,
): Result<PromotionMerge, InvalidInput> {
  const [source, theirs] = [draftBase(known.source), draftBase(known.target)];
  const earlier = known.earlier && draftBase(known.earlier);
  return mappedNames(known, map).map((names) => {
    const terms: Translation = {
      target: theirs,
      joined: targetRuleIds(theirs, newId),
      names,
      kept: new Set<string>([...ownSettings, ...keep]),
    };
    const yours = translatedToTarget(source, terms);
    const documents = { base: earlier && translatedToTarget(earlier, terms), theirs, yours };
    const conflicts = conflictsOf(documents);
    // The wildcard resolves every conflict.
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

/** A copy of the document with a place set or removed. */
function withMember(
  document: JsonObject,
  [name = '', ...inner]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const { [name]: before, ...others } = document;
  const after = inner.length > 0 ? withMember(objectIn(before), inner, value) : value;
  return after === undefined ? others : { ...others, [name]: after };
}
