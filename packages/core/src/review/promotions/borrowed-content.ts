import { okAsync, type ResultAsync } from 'neverthrow';
import type { JsonDocument, JsonObject } from '../../kernel/shared/json.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import { revisionNumber } from '../../zones/history/revision.ts';
import { stateAt } from '../../zones/history/state-at.ts';
import type { Lender } from '../change-sets/change-set.ts';
import { minSavedCharacters, withoutLent } from '../change-sets/lent-values.ts';
import type { NewChangeSet } from '../change-sets/ports.ts';
import type { PromotedChanges, ReportEntry } from './promotion.ts';

/** What is promoted, and what happens to each rule. */
interface Promoted extends Pick<PromotedChanges, 'from' | 'fromRevision'> {
  readonly report: readonly ReportEntry[];
}

/**
 * How to store the patch of a promotion: if it is long, without what the promoted revision has as well. That is read from
 * the history, which puts members in the order in which they will be read again.
 */
export const borrowedContent = (
  repositories: { readonly history: ZoneHistory },
  patch: JsonDocument<JsonObject>,
  { from, fromRevision, report }: Promoted,
): ResultAsync<Pick<NewChangeSet, 'patch' | 'lender'>, never> => {
  const whole = { patch, lender: undefined };
  if (patch.text.length < minSavedCharacters) return okAsync(whole);
  return revisionNumber(fromRevision)
    .asyncAndThen((revision) => stateAt(repositories, from, revision))
    .map((document) => {
      const rest = withoutLent(patch, document, sourcesIn(report));
      const lender: Lender = {
        zone: from,
        revision: fromRevision,
        characters: JSON.stringify(document).length,
      };
      return rest === undefined ? whole : { patch: rest, lender };
    })
    .orElse(() => okAsync(whole));
};

/** The source's rules by their ids in the target. */
const sourcesIn = (report: readonly ReportEntry[]): ReadonlyMap<string, string> =>
  new Map(
    report.flatMap(({ rule, source }) => (rule === undefined || source === undefined ? [] : [[rule, source] as const])),
  );
