import { okAsync, type ResultAsync } from 'neverthrow';
import { revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { Repositories } from '../repositories.ts';
import { defect } from '../shared/failures.ts';
import { jsonDocument } from '../shared/json-document.ts';
import type { ChangeSet, StoredChangeSet } from './change-set.ts';
import { withLent } from './lent-values.ts';

/**
 * A stored change set with its whole patch. Reading what a lender has needs no permission: it has been part of the set
 * from the beginning.
 */
export function wholeChangeSet(
  repositories: Pick<Repositories, 'history'>,
  { lender, patch, ...set }: StoredChangeSet,
): ResultAsync<ChangeSet, never> {
  if (lender === undefined) return okAsync({ ...set, lender, patch });
  return revisionNumber(lender.revision)
    .asyncAndThen((revision) => stateAt(repositories, lender.zone, revision))
    .map((document) => ({ ...set, lender: undefined, patch: jsonDocument(withLent(patch.value, document)) }))
    .orElse(() => defect('The revision that lends values to a change set is not in the history of its zone.'));
}
