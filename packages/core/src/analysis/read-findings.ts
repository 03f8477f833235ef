import type { Finding } from '@zonewright/engine';
import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import { readBackends } from '../evaluation/backends.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import { revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import { ruleKindNames, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { ZoneId } from '../shared/ids.ts';
import { isJsonObject } from '../shared/merge-patch.ts';
import { offsetOf, type Page, type PageRequest } from '../shared/page.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { analysedBackends } from './analysed-configuration.ts';
import type { AnalysisBusy } from './errors.ts';
import { type FindingFilter, isWanted } from './finding-filter.ts';
import type { Analyses } from './ports.ts';

/** Which findings of a zone are asked for. */
export interface FindingsQuestion {
  /** Undefined: as it is now. */
  readonly revision: number | undefined;
  readonly filter: FindingFilter;
  readonly page: PageRequest;
}

/** What a configuration of a zone does for all requests. */
export interface ZoneFindings extends Page<Finding> {
  readonly zoneId: ZoneId;
  /** The one analysed. */
  readonly revision: number;
  /** What is not among all findings of the codes that are decided for all rules does not hold. */
  readonly complete: boolean;
}

export type ReadFindings = (
  caller: Caller,
  zone: ZoneId,
  question: FindingsQuestion,
) => ResultAsync<ZoneFindings, ZoneAccessError | RevisionNotFound | InvalidInput | AnalysisBusy>;

/**
 * Says what a stored configuration does for all requests. The answer follows from the zone's document at the revision
 * and the backends as they are now. Nothing is recorded.
 */
export const readFindings =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork; readonly analyses: Analyses }): ReadFindings =>
  (caller, zoneId, { revision, filter, page }) =>
    unitOfWork
      .view((repositories) =>
        safeTry(async function* () {
          const head = yield* repositories.zones.head(zoneId);
          yield* mayIn(caller, head.organizationId, 'zones.read');
          const number = yield* revisionNumber(revision ?? head.revision);
          const document = yield* stateAt(repositories, zoneId, number);
          yield* requireRule(document, filter.rule);
          const backends = yield* readBackends(repositories, head.organizationId);
          return ok({ number, configuration: { document, backends: analysedBackends(backends) } });
        }),
      )
      // Storage has been read by now: nothing of it is held while the answer is computed.
      .andThen(({ number, configuration }) =>
        analyses.findings(configuration).map(({ complete, findings }) => {
          const wanted = findings.filter(isWanted(filter));
          const items = wanted.slice(offsetOf(page), offsetOf(page) + page.itemsPerPage);
          return { zoneId, revision: number, complete, items, totalItems: wanted.length };
        }),
      );

/** A rule that the document does not have is a mistake in the question, and not a rule without findings. */
function requireRule(document: ZoneDocument, id: string | undefined): Result<void, InvalidInput> {
  if (id === undefined) return ok();
  const isThere = ruleKindNames.some((kind) => {
    const list = document[ruleKinds[kind].member];
    return isJsonObject(list) && isJsonObject(list['items']) && Object.hasOwn(list['items'], id);
  });
  return isThere ? ok() : err(invalidInput([violation('rule', 'rule.unknown', 'The zone has no such rule.')]));
}
