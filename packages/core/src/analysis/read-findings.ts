import type { Finding } from '@zonewright/engine';
import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import { readBackends } from '../evaluation/backends.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import { revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { Page } from '../shared/page.ts';
import type { InvalidInput } from '../shared/violation.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { analysedBackends } from './analysed-configuration.ts';
import type { AnalysisBusy } from './errors.ts';
import { type FindingsSelection, pageOfFindings, requireRule } from './findings-selection.ts';
import type { Analyses } from './ports.ts';

/** Which findings of a zone are asked for. */
export interface FindingsQuestion extends FindingsSelection {
  /** Undefined: as it is now. */
  readonly revision: number | undefined;
}

/** A finding; of a change set, whether the zone as it is now has none with its id. */
export interface SeenFinding extends Finding {
  readonly isNew?: boolean;
}

/** What a configuration of a zone does for all requests. */
export interface ZoneFindings extends Page<SeenFinding> {
  readonly zoneId: ZoneId;
  /** The one analysed, or the current one, which a draft is based on. */
  readonly revision: number;
  readonly isDraft: boolean;
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
  (caller, zoneId, { revision, ...selection }) =>
    unitOfWork
      .view((repositories) =>
        safeTry(async function* () {
          const head = yield* repositories.zones.head(zoneId);
          yield* mayIn(caller, head.organizationId, 'zones.read');
          const number = yield* revisionNumber(revision ?? head.revision);
          const document = yield* stateAt(repositories, zoneId, number);
          yield* requireRule(document, selection.filter.rule);
          const backends = yield* readBackends(repositories, head.organizationId);
          return ok({ number, configuration: { document, backends: analysedBackends(backends) } });
        }),
      )
      // Storage has been read by now: nothing of it is held while the answer is computed.
      .andThen(({ number, configuration }) =>
        analyses.findings(configuration).map(({ complete, findings }) => ({
          zoneId,
          revision: number,
          isDraft: false,
          complete,
          ...pageOfFindings(findings, selection),
        })),
      );
