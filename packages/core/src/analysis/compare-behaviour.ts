import type { BehaviourDiff } from '@zonewright/engine';
import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import { type BackendId, BackendReference } from '../backends/backend-reference.ts';
import { readBackends } from '../evaluation/backends.ts';
import type { NamedZone } from '../evaluation/names.ts';
import type { ZoneMoment } from '../history/backend-revision.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import type { RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import { isJsonObject } from '../shared/merge-patch.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { type AnalysedConfiguration, analysedBackends } from './analysed-configuration.ts';
import type { AnalysisBusy } from './errors.ts';
import type { Analyses } from './ports.ts';

/** The backends of a comparison: `then` has those of the time of each revision, `now` those of now for both. */
export const comparedBackends = ['then', 'now'] as const;
export type ComparedBackends = (typeof comparedBackends)[number];

/** Which revisions of a zone are compared. */
export interface BehaviourQuestion {
  /** With backends as they were when it was made, unless those of now are asked for. */
  readonly from: RevisionNumber;
  /** With backends as they were last while it was the current revision, unless those of now are asked for. */
  readonly to: RevisionNumber;
  readonly backends: ComparedBackends;
}

/** What two configurations of a zone do differently. */
export interface ZoneBehaviour {
  readonly zone: NamedZone;
  /** The revision before. */
  readonly from: number;
  /** The revision after; undefined where a draft is compared. */
  readonly to: number | undefined;
  /** What is compared, or made the revision after. */
  readonly changeSet?: ChangeSetId;
  readonly backends: ComparedBackends;
  readonly diff: BehaviourDiff;
}

export type CompareBehaviour = (
  caller: Caller,
  zone: ZoneId,
  question: BehaviourQuestion,
) => ResultAsync<ZoneBehaviour, ZoneAccessError | RevisionNotFound | AnalysisBusy>;

/** Says which requests two revisions of a zone treat differently. Nothing is recorded. */
export const compareBehaviour =
  ({ unitOfWork, analyses }: { readonly unitOfWork: UnitOfWork; readonly analyses: Analyses }): CompareBehaviour =>
  (caller, id, question) =>
    unitOfWork
      .view((repositories) =>
        safeTry(async function* () {
          const { organizationId } = yield* repositories.zones.head(id);
          yield* mayIn(caller, organizationId, 'zones.read');
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

/** The document of a revision, and the backends at a moment; without one, as they are now. */
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

/** The backends that the settings and rules of a document of any time name. */
function backendsNamedIn({ zone_settings, configurationRules }: ZoneDocument): readonly BackendId[] {
  const items = isJsonObject(configurationRules) ? configurationRules['items'] : undefined;
  const rules = isJsonObject(items) ? Object.values(items) : [];
  const overrides = rules.map((rule) => (isJsonObject(rule) ? rule['settingsOverrides'] : undefined));
  const found = [zone_settings, ...overrides].flatMap((settings) => {
    const reference = BackendReference.safeParse(isJsonObject(settings) ? settings['defaultBackend'] : undefined);
    return reference.success ? [reference.data.id] : [];
  });
  return [...new Set(found)];
}
