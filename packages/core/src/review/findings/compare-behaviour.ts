import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import { objectIn } from '../../kernel/shared/json.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type BackendId, BackendReference } from '../../organizations/backends/backend-reference.ts';
import type { LoadBalancers, OriginServers } from '../../organizations/backends/ports.ts';
import { readBackends } from '../../zones/evaluation/backends.ts';
import type { NamedZone } from '../../zones/evaluation/names.ts';
import type { ZoneMoment } from '../../zones/history/backend-revision.ts';
import type { BackendHistory, ZoneHistory } from '../../zones/history/ports.ts';
import type { RevisionNotFound, RevisionNumber } from '../../zones/history/revision.ts';
import { stateAt } from '../../zones/history/state-at.ts';
import { listIn, type ZoneDocument } from '../../zones/history/zone-document.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import { type AnalysedConfiguration, analysedBackends } from './analysed-configuration.ts';
import type { BehaviourDiff } from './behaviour.ts';
import type { AnalysisBusy } from './errors.ts';
import type { Analyses } from './ports.ts';

interface Repositories {
  readonly backendHistory: BackendHistory;
  readonly history: ZoneHistory;
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
  readonly zones: Zones;
}

/** Backends to compare with: `then` takes those in use at each revision, `now` the current ones for both. */
export const comparedBackends = ['then', 'now'] as const;
export type ComparedBackends = (typeof comparedBackends)[number];

/** The revisions to compare. */
export interface BehaviourQuestion {
  /** With the backends at the time it was created, unless `backends` is `now`. */
  readonly from: RevisionNumber;
  /** With the last backends while it was the current revision, unless `backends` is `now`. */
  readonly to: RevisionNumber;
  readonly backends: ComparedBackends;
}

/** The differences in behaviour between two configurations of a zone. */
export interface ZoneBehaviour {
  readonly zone: NamedZone;
  /** The earlier revision. */
  readonly from: number;
  /** The later revision; undefined if a draft is compared. */
  readonly to: number | undefined;
  /** The change set that is compared, or that created the later revision. */
  readonly changeSet?: ChangeSetId;
  readonly backends: ComparedBackends;
  readonly diff: BehaviourDiff;
}

/** Reports which requests two revisions of a zone treat differently. Read-only. */
export const compareBehaviour =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork<Repositories>; readonly analyses: Analyses }) =>
  (
    caller: Caller,
    id: ZoneId,
    question: BehaviourQuestion,
  ): ResultAsync<ZoneBehaviour, ZoneAccessError | RevisionNotFound | AnalysisBusy> =>
    unitOfWork
      .view((repositories) =>
        safeTry(async function* () {
          const { organizationId } = yield* mayReadZone(repositories, caller, id);
          const zone = { id, organizationId };
          const { from, to, backends } = question;
          const at = (number: RevisionNumber, moment: ZoneMoment) =>
            configurationAt(repositories, zone, number, backends === 'now' ? undefined : moment);
          const before = yield* at(from, { whenMade: from });
          const after = yield* at(to, { lastDuring: to });
          return ok({ zone, about: { before, after } });
        }),
      )
      .andThen(({ zone, about }) => analyses.behaviour(about).map((diff) => ({ ...question, zone, diff })));

/** The document of a revision, and the backends as of a moment; now if none is given. */
const configurationAt = (
  repositories: Repositories,
  zone: NamedZone,
  number: RevisionNumber,
  moment: ZoneMoment | undefined,
): ResultAsync<AnalysedConfiguration, RevisionNotFound> =>
  stateAt(repositories, zone.id, number).andThen((document) =>
    (moment === undefined
      ? readBackends(repositories, zone.organizationId)
      : repositories.backendHistory.asOf(zone, moment, backendsNamedIn(document))
    ).map((backends) => ({ document, backends: analysedBackends(backends) })),
  );

/** The backends that the settings and rules of a document of any age refer to. */
function backendsNamedIn(document: ZoneDocument): readonly BackendId[] {
  const rules = Object.values(listIn(document, 'configurationRule').items);
  const overrides = rules.map(({ settingsOverrides }) => settingsOverrides);
  const ids = [document.zone_settings, ...overrides].flatMap((settings) => {
    const reference = BackendReference.safeParse(objectIn(settings)['defaultBackend']);
    return reference.success ? [reference.data.id] : [];
  });
  return [...new Set(ids)];
}
