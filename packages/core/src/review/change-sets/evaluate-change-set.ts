import type { RequestFacts } from '@zonewright/engine';
import type { ResultAsync } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { engineBackends, readBackends } from '../../zones/evaluation/backends.ts';
import { engineOf, evaluated } from '../../zones/evaluation/engine-of.ts';
import type { EvaluateRequest, ZoneEvaluation } from '../../zones/evaluation/evaluate-request.ts';
import type { EvaluationTooLong } from '../../zones/evaluation/evaluation-budget.ts';
import { bareIds, engineNames, type NamesOfZone } from '../../zones/evaluation/names.ts';
import type { RevisionNotFound } from '../../zones/history/revision.ts';
import { type PreviewError, previewChangeSet } from './preview-change-set.ts';
import type { ChangeSetRepositories } from './repositories.ts';

export interface EvaluateChangeSetDependencies {
  readonly unitOfWork: UnitOfWork<ChangeSetRepositories>;
  readonly sha256: Sha256;
  readonly evaluateRequest: EvaluateRequest;
  readonly namesOf?: NamesOfZone | undefined;
}

export type EvaluateChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
  facts: RequestFacts,
) => ResultAsync<ZoneEvaluation, PreviewError | RevisionNotFound | EvaluationTooLong>;

/**
 * Evaluates a request against a zone with a change set applied; for an applied one, as of when it was applied.
 * Read-only.
 */
export const evaluateChangeSet =
  ({ unitOfWork, sha256, evaluateRequest, namesOf = bareIds }: EvaluateChangeSetDependencies): EvaluateChangeSet =>
  (caller, zoneId, id, facts) =>
    unitOfWork.view((repositories) =>
      previewChangeSet(repositories, caller, zoneId, id).andThen((found): ReturnType<EvaluateChangeSet> => {
        if (found.kind === 'applied') {
          return evaluateRequest(caller, zoneId, { facts, revision: found.revision, patch: undefined });
        }
        const { zone } = found.state;
        return readBackends(repositories, zone.organizationId)
          .map(engineBackends)
          .andThen((backends) =>
            evaluated(engineOf(found.document, engineNames(namesOf(zone)), sha256).withBackends(backends), facts),
          )
          .map((evaluation) => ({ zoneId, revision: zone.revision, isDraft: true, evaluation }));
      }),
    );
