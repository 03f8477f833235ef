import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { PreviewError } from '../change-sets/preview-change-set.ts';
import type { RevisionNotFound } from '../history/revision.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { analysedChangeSet } from './analysed-change-set.ts';
import type { AnalysisBusy } from './errors.ts';
import { type FindingsSelection, pageOfFindings, requireRule } from './findings-selection.ts';
import type { Analyses } from './ports.ts';
import type { ZoneFindings } from './read-findings.ts';

/**
 * Reports the findings of a zone with a change set applied, and which of them the zone does not have now. For an
 * applied set, the zone is taken as it was right after. Read-only.
 */
export const readChangeSetFindings =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork; readonly analyses: Analyses }) =>
  (
    caller: Caller,
    zoneId: ZoneId,
    id: ChangeSetId,
    selection: FindingsSelection,
  ): ResultAsync<ZoneFindings, PreviewError | RevisionNotFound | InvalidInput | AnalysisBusy> =>
    unitOfWork
      .view((repositories) => analysedChangeSet(repositories, caller, zoneId, id))
      .andThrough(({ after }) => requireRule(after.document, selection.filter.rule))
      .andThen(({ now, after, current, applied }) =>
        analyses.findings(now).andThen((known) => {
          const ids = new Set(known.findings.map((finding) => finding.id));
          return analyses.findings(after).map(({ complete, findings }) => ({
            zoneId,
            revision: applied?.revision ?? current,
            isDraft: applied === undefined,
            complete,
            ...pageOfFindings(
              findings.map((finding) => ({ ...finding, isNew: !ids.has(finding.id) })),
              selection,
            ),
          }));
        }),
      );
