import type { Evaluation, RequestFacts } from '@zonewright/engine';
import { type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { BasicAuthUserId, RuleId, type ZoneId } from '../../kernel/shared/ids.ts';
import type { JsonObject } from '../../kernel/shared/json.ts';
import { storedDocument } from '../../kernel/shared/json.ts';
import { memoized } from '../../kernel/shared/memoized.ts';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import { type InvalidInput, requireNone, under } from '../../kernel/shared/violation.ts';
import type { UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { LoadBalancers, OriginServers, PresentBackends } from '../../organizations/backends/ports.ts';
import { draftBase, draftDocument, nameIn } from '../drafts/draft-document.ts';
import { contentsDocument, contentsViolations, draftContents } from '../drafts/zone-contents.ts';
import type { ZoneHistory } from '../history/ports.ts';
import { type RevisionNotFound, revisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import { documentOf, listIn, type ZoneDocument } from '../history/zone-document.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleCapacity } from '../rules/rule-validity.ts';
import type { Zones } from '../zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { engineBackends, presentBackends, readBackends } from './backends.ts';
import { engineOf, evaluatedWithin } from './engine-of.ts';
import { type EvaluationBudget, type EvaluationTooLong, requireShort } from './evaluation-budget.ts';
import { bareIds, engineNames, type NamedZone, type NamesOfZone } from './names.ts';

export interface EvaluateRequestRepositories {
  readonly history: ZoneHistory;
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
  readonly zones: Zones;
}

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

/** How a service evaluates requests. */
export interface EvaluationTerms {
  /** How evaluations name rules and backends; bare ids by default. */
  readonly namesOf?: NamesOfZone | undefined;
  /** What evaluations may take on this thread; by default as long as they need. */
  readonly evaluationBudget?: EvaluationBudget | undefined;
}

export type EvaluateRequest = (
  caller: Caller,
  zone: ZoneId,
  question: EvaluationQuestion,
) => ResultAsync<ZoneEvaluation, ZoneAccessError | RevisionNotFound | InvalidInput | EvaluationTooLong>;

/**
 * Evaluates a request against a stored configuration, or a draft based on one. The result depends only on the zone's
 * document, the current backends and the request. Read-only.
 *
 * With a budget, `EvaluationTooLong` if another thread should evaluate it; without one, it is never returned.
 */
export const evaluateRequest =
  ({
    unitOfWork,
    sha256,
    namesOf = bareIds,
    evaluationBudget: budget,
  }: Pick<Dependencies<EvaluateRequestRepositories>, 'unitOfWork' | 'sha256'> & EvaluationTerms): EvaluateRequest =>
  (caller, zoneId, question) =>
    unitOfWork.view((repositories) =>
      safeTry(async function* () {
        yield* mayReadZone(repositories, caller, zoneId);
        const { state, limits } = yield* repositories.zones.limitedState(zoneId);
        const { zone, users } = state;
        yield* requireShort(budget, question, state);
        const { facts, revision, patch } = question;
        const number = yield* revisionNumber(revision ?? zone.revision);
        const isCurrent = number === zone.revision;
        const document = isCurrent ? documentOf(state, users) : yield* stateAt(repositories, zoneId, number);
        const backends = yield* readBackends(repositories, zone.organizationId);
        const compiled = (content: ZoneDocument) => compile(content, zone, sha256, namesOf);
        const stored = () => (isCurrent ? currentEngine(sha256)(namesOf)(state) : compiled(document));
        const engine =
          patch === undefined
            ? stored()
            : yield* drafted(document, patch, presentBackends(backends), limits).map(compiled).mapErr(under('patch'));
        return evaluatedWithin(budget, engine.withBackends(engineBackends(backends)), facts).map((evaluation) => ({
          zoneId,
          revision: number,
          isDraft: patch !== undefined,
          evaluation,
        }));
      }),
    );

const compile = (document: ZoneDocument, zone: NamedZone, sha256: Sha256, namesOf: NamesOfZone) =>
  engineOf(document, engineNames(namesOf(zone)), sha256);

/** Compiles a current state once, for as long as storage remembers it. */
const currentEngine = memoized((sha256: Sha256) =>
  memoized((namesOf: NamesOfZone) =>
    memoized((state: ZoneState) => compile(documentOf(state, state.users), state.zone, sha256, namesOf)),
  ),
);

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

/** The basic-auth users that the zone had at that revision. */
const usersIn = ({ basicAuthUsers = {} }: ZoneDocument): ReadonlySet<BasicAuthUserId> =>
  new Set(Object.keys(basicAuthUsers).map((id) => BasicAuthUserId.parse(id)));
