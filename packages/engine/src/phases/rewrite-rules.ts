import { CompiledConditions, type ConditionSpace } from '../conditions/compiled-conditions.ts';
import type { RequestSubjects } from '../conditions/request-subjects.ts';
import { or, type Tri, triOf } from '../conditions/tri.ts';
import type { RedirectStatus, RewriteRule } from '../configuration/configuration.ts';
import type { Mutable } from '../mutable.ts';
import { readPattern } from '../patterns/compile-pattern.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import type { PathNormalization } from '../request/request-target.ts';
import { unsoundness } from '../rewrites/soundness.ts';
import { compileSource, type Source, type SourceMatch } from '../rewrites/source.ts';
import { type Address, addressAt, locationAt, parseTarget, resultWork, type Target } from '../rewrites/target.ts';
import type { Work } from '../work.ts';
import type { Names } from './names.ts';
import { applies, type ListedRule, listed, outcomeOf, type Step, skippedOutcome } from './steps.ts';

/** A redirect as sent to the client. */
export interface Redirect {
  readonly status: RedirectStatus;
  readonly location: string;
}

/** A step of the phase. */
export interface RewriteStep extends Step {
  /** Whether the source matches the path; absent if the rule was not evaluated. */
  readonly source?: 'true' | 'false';
  /** Absent unless the rule applies or may. */
  readonly effect?: Address | Redirect;
}

/** The phase in an evaluation. */
export interface RewritePhase {
  readonly phase: 'rewriteRules';
  readonly ends: Tri;
  readonly steps: readonly RewriteStep[];
  /** Whether path or query differ from the client's; absent if the phase ended the request. */
  readonly changed?: Tri;
  /** Absent if unknown, or if the phase ended the request. */
  readonly path?: string;
  readonly query?: string;
}

type CompiledRule = ListedRule<RewriteRule, ReturnType<typeof preparedRewrite>>;

interface Progress {
  readonly request: CanonicalRequest;
  readonly normalization: PathNormalization;
  readonly subjects: RequestSubjects;
  readonly work: Work;
  ended: Tri;
  ends: Tri;
  readonly redirects: Redirect[];
  address: Address | undefined;
}

/** The rewrite rules of a configuration. The first one that applies ends the list. */
export class RewriteRules {
  readonly #rules: readonly CompiledRule[];
  readonly #normalization: PathNormalization;
  readonly #work: Work;

  constructor(rules: readonly RewriteRule[], normalization: PathNormalization, space: ConditionSpace, names: Names) {
    this.#normalization = normalization;
    this.#work = space.work;
    this.#rules = listed(rules, 'rewriteRules', names, (rule) => preparedRewrite(rule, space));
  }

  /**
   * Evaluates the list; every rule sees the request as the client sent it. Results in the phase, the possible redirects
   * in rule order, and path and query from here on (undefined: unknown).
   */
  run(request: CanonicalRequest, subjects: RequestSubjects) {
    const { path, query } = request;
    const progress: Progress = {
      request,
      normalization: this.#normalization,
      subjects,
      work: this.#work,
      ended: 'false',
      ends: 'false',
      redirects: [],
      address: { path, query },
    };
    const steps = this.#rules.map((rule) => stepOf(rule, progress));
    const { ends, address, redirects } = progress;
    const phase: RewritePhase = { phase: 'rewriteRules', ends, steps, ...afterwards(progress) };
    return { phase, redirects, address };
  }
}

function preparedRewrite(rule: RewriteRule, space: ConditionSpace) {
  const target = parseTarget(rule.target);
  let source: Source | null | undefined;
  return {
    /** Made when it is first needed; null if the rule is not applied. */
    source: () => (source === undefined ? (source = sourceOf(rule, target, space)) : source),
    target,
    conditions: rule.conditions === null ? undefined : new CompiledConditions(rule.conditions, space),
  };
}

/** Unsound rules, which are rejected today, may still be stored; they are not applied. */
function sourceOf(rule: RewriteRule, target: Target, space: ConditionSpace): Source | null {
  if (!rule.enabled) return null;
  const pattern = rule.operator.startsWith('regex') ? readPattern(rule.sourcePattern, space.work) : undefined;
  return unsoundness(rule, pattern) === undefined ? compileSource(rule, pattern, target.groups, space) : null;
}

function stepOf({ content, prepared, rule, name, order }: CompiledRule, to: Progress): RewriteStep {
  const source = prepared.source();
  const outcome = skippedOutcome({ enabled: source !== null }, to.ended);
  if (source === null || outcome !== undefined) return { rule, name, order, outcome: outcome ?? 'disabled' };
  // The asterisk-form has no path.
  const match = to.request.form === 'asterisk' ? undefined : source(to.request.path);
  const step = { rule, name, order };
  return match === undefined
    ? { ...step, outcome: outcomeOf(applies(to.ended, 'false')), source: 'false' }
    : matchedStep({ content, prepared }, step, match, to);
}

/** The step of a rule whose source matches the path. */
function matchedStep(
  { content, prepared: { conditions, target } }: Pick<CompiledRule, 'content' | 'prepared'>,
  rule: Pick<Step, 'rule' | 'name' | 'order'>,
  match: SourceMatch,
  to: Progress,
): RewriteStep {
  const asked = conditions?.of(to.subjects);
  const applied = applies(to.ended, asked?.result ?? 'true');
  const step: Mutable<RewriteStep> = { ...rule, outcome: outcomeOf(applied), source: 'true' };
  if (asked !== undefined) step.leaves = asked.leaves;
  if (applied !== 'false') step.effect = effectOf(content, target, match, applied, to);
  return step;
}

function effectOf(
  { type, statusCode, preserveQueryString }: RewriteRule,
  target: Target,
  { groups, rest }: SourceMatch,
  applied: 'true' | 'unknown',
  to: Progress,
): Address | Redirect {
  const taken = { groups, rest, query: preserveQueryString ? to.request.query : '' };
  to.work.spend(resultWork(target, taken));
  if (type === 'redirect') {
    const redirect = {
      status: statusCode,
      location: locationAt(target, { ...taken, host: to.request.host }, to.normalization),
    };
    to.redirects.push(redirect);
    to.ends = or(to.ends, applied);
    // If this rule may have ended the list, later rules are evaluated for the case that it did not.
    if (applied === 'true') to.ended = applied;
    return redirect;
  }
  const address = addressAt(target, taken, to.normalization);
  to.address = applied === 'true' ? address : undefined;
  to.ended = or(to.ended, applied);
  return address;
}

function afterwards({ ends, address, request }: Progress): Pick<RewritePhase, 'changed' | 'path' | 'query'> {
  if (ends === 'true') return {};
  if (address === undefined) return { changed: 'unknown' };
  const { path, query } = address;
  return { changed: triOf(path !== request.path || query !== request.query), path, query };
}
