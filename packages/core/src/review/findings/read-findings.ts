import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { Page } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { LoadBalancers, OriginServers } from '../../organizations/backends/ports.ts';
import { readBackends } from '../../zones/evaluation/backends.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import type { RevisionNotFound } from '../../zones/history/revision.ts';
import { revisionNumber } from '../../zones/history/revision.ts';
import { stateAt } from '../../zones/history/state-at.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import { analysedBackends } from './analysed-configuration.ts';
import type { AnalysisBusy } from './errors.ts';
import type { Finding } from './finding.ts';
import { type FindingsSelection, pageOfFindings, requireRule } from './findings-selection.ts';
import type { Analyses } from './ports.ts';

interface Repositories {
  readonly history: ZoneHistory;
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
  readonly zones: Zones;
}

/** The findings of a zone to read. */
export interface FindingsQuestion extends FindingsSelection {
  /** Undefined: the current one. */
  readonly revision: number | undefined;
}

/** A finding; for change sets, whether it is new: the current zone has no finding with its id. */
export interface ReportedFinding extends Finding {
  readonly isNew?: boolean;
}

/** The findings of a zone's configuration. */
export interface ZoneFindings extends Page<ReportedFinding> {
  readonly zoneId: ZoneId;
  /** The analysed revision; for a draft, the current one, on which it is based. */
  readonly revision: number;
  readonly isDraft: boolean;
  /** Whether the absence of a finding proves that it does not apply, for the codes that are decided for all rules. */
  readonly complete: boolean;
}

/** Analyses a stored configuration: the zone's document at the revision, with the current backends. Read-only. */
export const readFindings =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork<Repositories>; readonly analyses: Analyses }) =>
  (
    caller: Caller,
    zoneId: ZoneId,
    { revision, ...selection }: FindingsQuestion,
  ): ResultAsync<ZoneFindings, ZoneAccessError | RevisionNotFound | InvalidInput | AnalysisBusy> =>
    unitOfWork
      .view((repositories) =>
        safeTry(async function* () {
          const head = yield* mayReadZone(repositories, caller, zoneId);
          const number = yield* revisionNumber(revision ?? head.revision);
          const document = yield* stateAt(repositories, zoneId, number);
          yield* requireRule(document, selection.filter.rule);
          const backends = yield* readBackends(repositories, head.organizationId);
          return ok({ number, configuration: { document, backends: analysedBackends(backends) } });
        }),
      )
      // All storage reads are done: no transaction or lock is held during the analysis.
      .andThen(({ number, configuration }) =>
        analyses.findings(configuration).map(({ complete, findings }) => ({
          zoneId,
          revision: number,
          isDraft: false,
          complete,
          ...pageOfFindings(findings, selection),
        })),
      );
