import type { Engine, Evaluation, Names, RequestFacts } from '@zonewright/engine';
import { okAsync, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { PresentBackends } from '../backends/ports.ts';
import { draftBase, draftDocument, nameIn } from '../drafts/draft-document.ts';
import { contentsDocument, contentsViolations, draftContents } from '../drafts/zone-contents.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import { type RevisionNumber, revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import { listIn, type ZoneDocument } from '../history/zone-document.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { RuleCapacity } from '../rules/rule-limits.ts';
import { BasicAuthUserId, RuleId, type ZoneId } from '../shared/ids.ts';
import { storedDocument } from '../shared/json-document.ts';
import { LruCache } from '../shared/lru-cache.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { type InvalidInput, requireNone, under } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { engineBackends, presentBackends, readBackends } from './backends.ts';
import { engineOf, evaluated } from './engine-of.ts';
import { bareIds, engineNames, type NamedZone, type NamesOfZone } from './names.ts';

/** A request to evaluate, and the configuration to use. */
export interface EvaluationQuestion {
  readonly facts: RequestFacts;
  /** Undefined: the current one. */
  readonly revision: number | undefined;
  /** Merge patch (RFC 7396) on the revision's document; undefined: the stored configuration. */
  readonly patch: JsonObject | undefined;
}

/** What a zone's configuration does to a request. */
export interface ZoneEvaluation {
  readonly zoneId: ZoneId;
  /** The evaluated revision, or the base of the draft. */
  readonly revision: number;
  readonly isDraft: boolean;
  readonly evaluation: Evaluation;
}

export type EvaluateRequest = (
  caller: Caller,
  zone: ZoneId,
  question: EvaluationQuestion,
) => ResultAsync<ZoneEvaluation, ZoneAccessError | RevisionNotFound | InvalidInput>;

/**
 * Size of the cache, in characters of JSON. A document counts as at least `minSize`, because its compiled patterns
 * take memory, too.
 */
const keptSize = 32 * 2 ** 20;
const minSize = 2 ** 20;

/**
 * Evaluates a request against a stored configuration, or a draft based on one. The result depends only on the zone's
 * document, the current backends and the request. Read-only.
 */
export const evaluateRequest = ({
  unitOfWork,
  namesOf = bareIds,
}: {
  readonly unitOfWork: UnitOfWork;
  readonly namesOf?: NamesOfZone | undefined;
}): EvaluateRequest => {
  const kept: KeptConfigurations = new LruCache(keptSize);
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

/** A document with a merge patch applied, validated like a write. */
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

/** The rules of a document, unordered. */
const rulesIn = (document: ZoneDocument): RuleCapacity['rules'] => {
  const of = (kind: RuleKind): readonly WrittenRule[] =>
    Object.entries(listIn(document, kind).items).map(([id, content]) => ({
      id: RuleId.parse(id),
      // It was validated when it was stored.
      content: storedDocument(JSON.stringify(content)),
    }));
  return {
    configurationRule: of('configurationRule'),
    rewriteRule: of('rewriteRule'),
    accessRule: of('accessRule'),
    securityScenario: of('securityScenario'),
  };
};

/** The compiled configuration of a zone at a revision. */
interface KeptConfiguration {
  readonly document: ZoneDocument;
  readonly engine: Engine;
}

/** Keyed by zone and revision. */
type KeptConfigurations = LruCache<KeptConfiguration>;

interface WantedConfiguration {
  readonly zone: NamedZone;
  readonly number: RevisionNumber;
  readonly names: Names;
}

/** The configuration of a zone at a revision; revisions never change, so it is compiled once. */
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
    kept.set(name, configuration, Math.max(minSize, JSON.stringify(document).length));
    return configuration;
  });
}

/** The basic-auth users that the zone had at that revision. */
const usersIn = ({ basicAuthUsers = {} }: ZoneDocument): ReadonlySet<BasicAuthUserId> =>
  new Set(Object.keys(basicAuthUsers).map((id) => BasicAuthUserId.parse(id)));
