import type { Engine, Evaluation, Names, RequestFacts } from '@zonewright/engine';
import { okAsync, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { PresentBackends } from '../backends/ports.ts';
import { draftBase, draftDocument, nameIn } from '../drafts/draft-document.ts';
import { contentsDocument, contentsViolations, draftContents, itemsIn } from '../drafts/zone-contents.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import { type RevisionNumber, revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { RoomForRules } from '../rules/rule-write.ts';
import { BasicAuthUserId, RuleId, type ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { LatestUsed } from '../shared/latest-used.ts';
import { isJsonObject, type JsonObject } from '../shared/merge-patch.ts';
import { type InvalidInput, requireNone, under } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { engineBackends, presentBackends, readBackends } from './backends.ts';
import { engineOf, evaluated } from './engine-of.ts';
import { bareIds, engineNames, type NamedZone, type NamesOfZone } from './names.ts';

/** What is asked. */
export interface EvaluationQuestion {
  readonly facts: RequestFacts;
  /** Undefined: as it is now. */
  readonly revision: number | undefined;
  /** Merge patch (RFC 7396) on the document of the revision; undefined: the configuration as it was stored. */
  readonly patch: JsonObject | undefined;
}

/** What a configuration of a zone does to a request. */
export interface ZoneEvaluation {
  readonly zoneId: ZoneId;
  /** The one evaluated, or the base of the draft. */
  readonly revision: number;
  readonly isDraft: boolean;
  readonly evaluation: Evaluation;
}

export type EvaluateRequest = (
  caller: Caller,
  zone: ZoneId,
  question: EvaluationQuestion,
) => ResultAsync<ZoneEvaluation, ZoneAccessError | RevisionNotFound | InvalidInput>;

/** Characters of documents as JSON text; each counts as a large one at least, for its patterns take memory as well. */
const keptSize = 32 * 2 ** 20;
const leastSize = 2 ** 20;

/**
 * Says what a stored configuration, or a draft on top of one, does to a request. The answer follows from the zone's
 * document, the backends as they are now and the facts alone. Nothing is recorded.
 */
export const evaluateRequest = ({
  unitOfWork,
  namesOf = bareIds,
}: {
  readonly unitOfWork: UnitOfWork;
  readonly namesOf?: NamesOfZone | undefined;
}): EvaluateRequest => {
  const kept: KeptConfigurations = new LatestUsed(keptSize);
  return (caller, zoneId, { facts, revision, patch }) =>
    unitOfWork.view((repositories) =>
      safeTry(async function* () {
        const head = yield* repositories.zones.head(zoneId);
        yield* mayIn(caller, head.organizationId, 'zones.read');
        const number = yield* revisionNumber(revision ?? head.revision);
        const zone = { id: zoneId, organizationId: head.organizationId };
        const names = engineNames(namesOf(zone));
        const stored = yield* configurationAt(repositories, kept, { zone, number, names });
        const backends = yield* readBackends(repositories, head.organizationId);
        const engine =
          patch === undefined
            ? stored.engine
            : yield* drafted(stored.document, patch, presentBackends(backends), head.limits)
                .map((document) => engineOf(document, names))
                .mapErr(under('patch'));
        return evaluated(engine.withBackends(engineBackends(backends)), facts).map((evaluation) => ({
          zoneId,
          revision: number,
          isDraft: patch !== undefined,
          evaluation,
        }));
      }),
    );
};

/** A document changed by a merge patch and checked like a write: by itself, and against what is there. */
function drafted(
  document: ZoneDocument,
  patch: JsonObject,
  backends: PresentBackends,
  limits: UsageLimits,
): Result<ZoneDocument, InvalidInput> {
  const base = draftBase(document);
  const zone = { name: nameIn(document), limits, rules: rulesIn(base) };
  return draftDocument(base, patch)
    .andThen((draft) => draftContents(draft, base))
    .andThrough((contents) => requireNone(contentsViolations(contents, zone, { backends, users: usersIn(document) })))
    .map(contentsDocument);
}

/** The rules of a document, in no particular order. */
const rulesIn = (document: JsonObject): RoomForRules['rules'] => {
  const of = (kind: RuleKind): readonly WrittenRule[] =>
    Object.entries(itemsIn(document[ruleKinds[kind].member])).map(([id, content]) => ({
      id: RuleId.parse(id),
      // It was checked when it was stored.
      content: jsonDocument(content as unknown as WrittenRule['content']['value']),
    }));
  return {
    configurationRule: of('configurationRule'),
    rewriteRule: of('rewriteRule'),
    accessRule: of('accessRule'),
    securityScenario: of('securityScenario'),
  };
};

/** The configuration of a zone at a revision, ready for requests. */
interface KeptConfiguration {
  readonly document: ZoneDocument;
  readonly engine: Engine;
}

/** By zone and revision. */
type KeptConfigurations = LatestUsed<KeptConfiguration>;

interface WantedConfiguration {
  readonly zone: NamedZone;
  readonly number: RevisionNumber;
  readonly names: Names;
}

/** The configuration of a zone at a revision; it never changes, so it is prepared once. */
function configurationAt(
  repositories: Repositories,
  kept: KeptConfigurations,
  { zone, number, names }: WantedConfiguration,
): ResultAsync<KeptConfiguration, RevisionNotFound> {
  const name = `${zone.id} ${number}`;
  const known = kept.get(name);
  if (known !== undefined) return okAsync(known);
  return stateAt(repositories, zone.id, number).map((document) => {
    const configuration = { document, engine: engineOf(document, names) };
    kept.set(name, configuration, Math.max(leastSize, JSON.stringify(document).length));
    return configuration;
  });
}

/** The basic-auth users that the zone had. */
const usersIn = ({ basicAuthUsers }: ZoneDocument): ReadonlySet<BasicAuthUserId> =>
  new Set(isJsonObject(basicAuthUsers) ? Object.keys(basicAuthUsers).map((id) => BasicAuthUserId.parse(id)) : []);
