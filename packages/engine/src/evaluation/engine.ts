import { cacheDecision, type PassedRequest, passesAuthorization } from '../cache/cache-decision.ts';
import type { Sha256 } from '../cache/cache-key.ts';
import { cacheWork } from '../cache/cache-work.ts';
import { SubjectTable } from '../conditions/request-subjects.ts';
import type { Backends } from '../configuration/backends.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { defaultPatternMemory, PatternMemory } from '../patterns/pattern-memory.ts';
import { AccessRules } from '../phases/access-rules.ts';
import { basicAuthPhase } from '../phases/basic-auth.ts';
import { ConfigurationRules } from '../phases/configuration-rules.ts';
import { type Disposition, dispositionStatuses } from '../phases/dispositions.ts';
import { maintenancePhase } from '../phases/maintenance.ts';
import { bareIds, type Names } from '../phases/names.ts';
import { Origin } from '../phases/origin.ts';
import { responseAnswer } from '../phases/response.ts';
import { type Redirect, RewriteRules } from '../phases/rewrite-rules.ts';
import { Security } from '../phases/security.ts';
import { type CanonicalRequest, canonicalRequest, isHeaderUnknown } from '../request/canonical-request.ts';
import type { RequestFacts } from '../request/facts.ts';
import type { PathNormalization } from '../request/request-target.ts';
import { requestWork } from '../request/request-work.ts';
import { cacheConstantsVersion } from '../settings/cache-constants.ts';
import { zoneLayer } from '../settings/effective-settings.ts';
import { Work } from '../work.ts';
import type { Evaluation, Phase, RequestAnswer, UnknownFact } from './evaluation.ts';

/** A compiled configuration. Requests leave no state behind. */
export interface Engine {
  /** What the configuration does to a request. Deterministic. */
  readonly evaluate: (facts: RequestFacts) => Evaluation;
  /** The same within a limit on work, in units of about 10 ns (`workPerMillisecond`). */
  readonly evaluateWithin: (maxWork: number, facts: RequestFacts) => LimitedEvaluation;
  /** The same configuration with other backends, without recompiling it. */
  readonly withBackends: (backends: Backends) => Engine;
}

/** An evaluation, and the work it took. */
export interface LimitedEvaluation {
  /** Undefined: it would have taken more work than it may, or a condition cannot be read (`ParseOptions.isValidated`). */
  readonly evaluation: Evaluation | undefined;
  /** At most the limit. What a configuration needs for its first requests counts. */
  readonly work: number;
}

/** Options for compiling a configuration. */
export interface CompileOptions {
  /** How results name rules and backends; by default with their ids. */
  readonly names?: Names;
  /** Maximum memory for cached pattern states, in bytes; default: 16 MiB. */
  readonly patternMemory?: number;
  /** Names cache keys in results; without it, they have only parts. */
  readonly sha256?: Sha256;
}

/** Compiles a configuration. */
export function compile(
  configuration: Configuration,
  { names = bareIds, patternMemory = defaultPatternMemory, sha256 }: CompileOptions = {},
): Engine {
  const work = new Work();
  const subjects = new SubjectTable(work);
  const space = { subjects, memory: new PatternMemory(patternMemory), work };
  const zone = zoneLayer(configuration.settings);
  const { pathNormalization } = configuration.settings;
  return engineOf(
    {
      subjects,
      work,
      sha256,
      rules: ruleCount(configuration),
      pathNormalization,
      accessRules: new AccessRules(configuration.accessRules, space, names),
      rewriteRules: new RewriteRules(configuration.rewriteRules, pathNormalization, space, names),
      configurationRules: new ConfigurationRules(configuration.configurationRules, zone, space, names),
      security: new Security(configuration.securityScenarios, space, names),
      origin: new Origin(configuration.backends, names),
    },
    names,
  );
}

const engineOf = (phases: CompiledPhases, names: Names): Engine => ({
  evaluate: (facts) => evaluated(phases, facts),
  evaluateWithin(maxWork, facts) {
    const { answer: evaluation, work } = phases.work.within(maxWork, () => evaluated(phases, facts));
    return { evaluation, work };
  },
  withBackends: (backends) => engineOf({ ...phases, origin: new Origin(backends, names) }, names),
});

/** Work for each rule of a configuration, whether or not it is reached. */
const workForRule = 5;

const ruleCount = ({ accessRules, rewriteRules, configurationRules, securityScenarios }: Configuration): number =>
  accessRules.length + rewriteRules.length + configurationRules.length + securityScenarios.length;

interface CompiledPhases {
  /** How many there are. */
  readonly rules: number;
  readonly work: Work;
  readonly sha256: Sha256 | undefined;
  readonly pathNormalization: PathNormalization;
  readonly subjects: SubjectTable;
  readonly accessRules: AccessRules;
  readonly rewriteRules: RewriteRules;
  readonly configurationRules: ConfigurationRules;
  readonly security: Security;
  readonly origin: Origin;
}

function evaluated(phases: CompiledPhases, facts: RequestFacts): Evaluation {
  phases.work.spend(workForRule * phases.rules + requestWork(facts));
  const canonical = canonicalRequest(facts, phases.pathNormalization);
  if (canonical.ok) return evaluateRequest(phases, canonical.value);
  const { reason, status } = canonical.error;
  const disposition = 'rejected';
  return { constantsVersion: cacheConstantsVersion, disposition, dispositions: [disposition], status, reason };
}

/** The result so far. */
interface Progress {
  readonly request: CanonicalRequest;
  readonly dispositions: Disposition[];
  readonly redirects: Redirect[];
  readonly phases: Phase[];
}

type Delivery = Pick<Evaluation, 'settings' | 'cache' | 'origin' | 'response'>;

function evaluateRequest(compiled: CompiledPhases, request: CanonicalRequest): Evaluation {
  const progress: Progress = { request, dispositions: [], redirects: [], phases: [] };
  const rest = throughRules(compiled, progress);
  const { phases } = progress;
  const dispositions = [...new Set(progress.dispositions)];
  const [only = 'serve'] = dispositions;
  const disposition = dispositions.length === 1 ? only : 'unknown';
  return {
    constantsVersion: cacheConstantsVersion,
    request: requestAnswer(request),
    disposition,
    dispositions,
    ...finalAnswer(disposition, progress.redirects),
    phases,
    ...rest,
  };
}

/** Adds a phase with the dispositions it may end in; true: the request ends here. */
function ends({ phases, dispositions }: Progress, phase: Phase, possible: readonly Disposition[]): boolean {
  phases.push(phase);
  if (phase.ends !== 'false') dispositions.push(...possible);
  return phase.ends === 'true';
}

/** The phases from the client's request up to the effective settings. */
function throughRules(compiled: CompiledPhases, progress: Progress): Delivery {
  const { request } = progress;
  const { path, query } = request;
  const client = compiled.subjects.of({ request, address: { path, query } });
  const access = compiled.accessRules.run(client);
  if (ends(progress, access.phase, access.dispositions)) return {};
  const { phase, redirects, address } = compiled.rewriteRules.run(request, client);
  progress.redirects.push(...redirects);
  if (ends(progress, phase, ['redirect'])) return {};
  const isSame = address?.path === path && address.query === query;
  const rewritten = isSame ? client : compiled.subjects.of({ request, address });
  const configured = compiled.configurationRules.run(rewritten);
  const { settings } = configured;
  ends(progress, configured.phase, []);
  const answer = { settings: settings.answer() };
  if (ends(progress, compiled.security.run(client, settings, access.skips), ['challenge'])) return answer;
  const basicAuth = basicAuthPhase(request, settings);
  if (ends(progress, basicAuth, ['unauthorized'])) return answer;
  if (ends(progress, maintenancePhase(settings), ['maintenance'])) return answer;
  const question = { request, address, settings, basicAuthRequired: basicAuth.required };
  return throughDelivery(compiled, question, progress.dispositions);
}

/** Cache, origin and response. */
function throughDelivery(
  { origin, sha256, work }: CompiledPhases,
  question: PassedRequest,
  dispositions: Disposition[],
): Delivery {
  work.spend(cacheWork(question));
  const settings = question.settings.answer();
  const cache = cacheDecision(question, sha256);
  const isMissing = origin.isMissing(question.settings);
  if (isMissing !== 'false') dispositions.push('noBackend');
  if (isMissing === 'true') return { settings, cache };
  dispositions.push('serve');
  const response = responseAnswer(question.settings, passesAuthorization(question));
  return { settings, cache, origin: origin.answer(question), response };
}

/** Status and location if there is only one possible answer. */
function finalAnswer(
  disposition: Evaluation['disposition'],
  redirects: readonly Redirect[],
): Pick<Evaluation, 'status' | 'location'> {
  switch (disposition) {
    case 'rejected':
    case 'serve':
    case 'unknown':
      return {};
    case 'redirect': {
      const [first, ...others] = redirects;
      const isOne = others.every(({ status, location }) => status === first?.status && location === first.location);
      return first !== undefined && isOne ? first : {};
    }
    case 'block':
    case 'challenge':
    case 'unauthorized':
    case 'maintenance':
    case 'noBackend':
      return { status: dispositionStatuses[disposition] };
  }
}

function requestAnswer(request: CanonicalRequest): RequestAnswer {
  const { facts, method, scheme, host, path, query, form } = request;
  const { ip, country, asn, status } = facts;
  const unknown: Readonly<Record<UnknownFact, boolean>> = {
    ip: ip === undefined,
    country: country === undefined,
    asn: asn === undefined,
    cookies: isHeaderUnknown(request, 'cookie'),
    headers: facts.headersUnknown,
  };
  return {
    method,
    scheme,
    host,
    path,
    query,
    form,
    ...(ip === undefined ? {} : { ip: ip.text }),
    ...(typeof country === 'string' ? { country } : {}),
    ...(asn === undefined ? {} : { asn }),
    ...(status === undefined ? {} : { status }),
    // `Object.keys` loses the key type.
    unknown: (Object.keys(unknown) as UnknownFact[]).filter((fact) => unknown[fact]),
  };
}
