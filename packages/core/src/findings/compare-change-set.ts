import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { PreviewError } from '../change-sets/preview-change-set.ts';
import type { RevisionNotFound } from '../history/revision.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import { analysedChangeSet } from './analysed-change-set.ts';
import type { ZoneBehaviour } from './compare-behaviour.ts';
import type { AnalysisBusy } from './errors.ts';
import type { Analyses } from './ports.ts';

/**
 * Reports which requests a zone would treat differently with a change set applied; for an applied one, which it started
 * to treat differently. Read-only.
 */
export const compareChangeSet =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork; readonly analyses: Analyses }) =>
  (
    caller: Caller,
    zoneId: ZoneId,
    changeSet: ChangeSetId,
  ): ResultAsync<ZoneBehaviour, PreviewError | RevisionNotFound | AnalysisBusy> =>
    unitOfWork
      .view((repositories) => analysedChangeSet(repositories, caller, zoneId, changeSet))
      .andThen(({ zone, current, now, after, applied }) =>
        analyses.behaviour({ before: applied?.before ?? now, after }).map((diff) => ({
          zone,
          from: applied?.earlier ?? current,
          to: applied?.revision,
          changeSet,
          backends: 'now' as const,
          diff,
        })),
      );
