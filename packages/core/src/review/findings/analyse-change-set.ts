import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { readBackends } from '../../zones/evaluation/backends.ts';
import type { NamedZone } from '../../zones/evaluation/names.ts';
import { type RevisionNotFound, revisionNumber } from '../../zones/history/revision.ts';
import { stateAt } from '../../zones/history/state-at.ts';
import { documentOf, type ZoneDocument } from '../../zones/history/zone-document.ts';
import { type PreviewError, previewChangeSet } from '../change-sets/preview-change-set.ts';
import type { ChangeSetRepositories } from '../change-sets/repositories.ts';
import { type AnalysedConfiguration, analysedBackends } from './analysed-configuration.ts';
import type { ZoneBehaviour } from './compare-behaviour.ts';
import type { AnalysisBusy } from './errors.ts';
import { type FindingsSelection, pageOfFindings, requireRule } from './findings-selection.ts';
import type { Analyses } from './ports.ts';
import type { ZoneFindings } from './read-findings.ts';

/** A change set to be analysed, always with the current backends. */
interface AnalysedChangeSet {
  readonly zone: NamedZone;
  /** The current revision of the zone. */
  readonly current: number;
  readonly now: AnalysedConfiguration;
  /** The zone with the change set applied; for an applied set, right after it was applied. */
  readonly after: AnalysedConfiguration;
  /** For an applied set: the revision it created and the one before, which are equal if there was nothing to change. */
  readonly applied:
    | { readonly revision: number; readonly earlier: number; readonly before: AnalysedConfiguration }
    | undefined;
}

/** Reads a change set and its zone if the caller may read the zone. */
const analysedChangeSet = (
  repositories: ChangeSetRepositories,
  caller: Caller,
  id: ZoneId,
  set: ChangeSetId,
): ResultAsync<AnalysedChangeSet, PreviewError | RevisionNotFound> =>
  safeTry(async function* () {
    const preview = yield* previewChangeSet(repositories, caller, id, set);
    const state = preview.kind === 'draft' ? preview.state : yield* repositories.zones.state(id);
    const { organizationId, revision: current } = state.zone;
    const backends = analysedBackends(yield* readBackends(repositories, organizationId));
    const analysed = (document: ZoneDocument): AnalysedConfiguration => ({ document, backends });
    const at = (number: number) =>
      revisionNumber(number)
        .asyncAndThen((revision) => stateAt(repositories, id, revision))
        .map(analysed);
    const whole = documentOf(state, state.users);
    const common = { zone: { id, organizationId }, current, now: analysed(whole) };
    if (preview.kind === 'draft') {
      return ok({ ...common, after: analysed({ ...whole, ...preview.document }), applied: undefined });
    }
    const { revision } = preview;
    const { objects } = yield* repositories.history.byNumber(id, revision);
    const earlier = objects['changeSet'] === set ? revision - 1 : revision;
    const [before, after] = [yield* at(earlier), yield* at(revision)];
    return ok({ ...common, after, applied: { revision, earlier, before } });
  });

/**
 * Reports which requests a zone would treat differently with a change set applied; for an applied one, which it started
 * to treat differently. Read-only.
 */
export const compareChangeSet =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork<ChangeSetRepositories>; readonly analyses: Analyses }) =>
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

/**
 * Reports the findings of a zone with a change set applied, and which of them the zone does not have now. For an
 * applied set, the zone is taken as it was right after. Read-only.
 */
export const readChangeSetFindings =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork<ChangeSetRepositories>; readonly analyses: Analyses }) =>
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
