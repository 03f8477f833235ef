import type { Witness } from '@zonewright/core';
import {
  type Configuration,
  compile,
  type Engine,
  type Evaluation,
  type RuleListName,
  type StepOutcome,
} from '@zonewright/engine';
import type { AnalysisCache } from '../solver/analysis-cache.ts';
import type { Clauses } from '../solver/clauses.ts';
import { factsOf, type Model, satisfies, witnessOf } from '../solver/model.ts';
import type { Predicates } from '../solver/predicates.ts';
import { type Answer, Solver } from '../solver/solver.ts';
import { type AnalysisBudget, Spending } from '../texts/budget.ts';
import type { PartTexts } from '../texts/request-texts.ts';
import { sha256 } from '../texts/sha256.ts';
import {
  type AnalysedRule,
  type AnalysedRules,
  analysedRules,
  failsOf,
  isTerminal,
  reachedIn,
} from './analysed-rules.ts';
import { domainsOf, type RequestDomain, within, type ZoneDomains } from './request-domains.ts';

/** Maximum number of models to keep; they are tried in the order in which they were found. */
const maxModels = 400;
/** Maximum number of ways past the access rules to try for a witness. */
const maxWays = 6;

/** Cache keys of different requests are compared by their hashes. */
const compiled = (configuration: Configuration): Engine => compile(configuration, { sha256 });

/** A configuration that can be queried. */
export class ZoneAnalysis {
  readonly configuration: Configuration;
  readonly predicates: Predicates;
  readonly rules: AnalysedRules;
  readonly #domains: ZoneDomains;
  readonly #spending: Spending;
  readonly #solver: Solver;
  #engine: Engine | undefined;
  readonly #cache: AnalysisCache;
  #models: Model[] = [];

  constructor(configuration: Configuration, budget: AnalysisBudget, cache: AnalysisCache) {
    this.configuration = configuration;
    this.predicates = cache.predicates;
    this.#cache = cache;
    this.#spending = new Spending(budget);
    this.rules = analysedRules(configuration, this.predicates, () => this.isOver);
    this.#domains = domainsOf(configuration, this.rules, this.predicates);
    this.#solver = new Solver(this.#spending, cache);
  }

  /** Whether the time for the answer is over: whatever has not been asked yet stays undecided. */
  get isOver(): boolean {
    return this.#spending.isOver;
  }

  /** Any request that satisfies the clauses, as the rules of a list see it. */
  some(clauses: Clauses, list: RuleListName): Answer {
    const wanted = within(this.#domainOf(list), clauses);
    const earlier = this.#models.find((model) => !this.isOver && satisfies(model, wanted));
    return earlier ?? this.#solved(wanted, {});
  }

  #domainOf(list: RuleListName): RequestDomain {
    return list === 'configurationRules' ? this.#domains.rewritten : this.#domains.client;
  }

  /** The cached result of a computation that depends only on its name. Models found earlier are hidden from it. */
  once<T>(name: string, work: () => T): T {
    const before = this.#models;
    this.#models = [];
    const { client, rewritten } = this.#domains;
    const result = this.#solver.once(`${client.name}${rewritten.name}${name}`, work);
    this.#models = before;
    return result;
  }

  /** A key for rules that have textually equal conditions and agree on whether they stop. */
  nameOf({ formula: { holds, literals }, stops }: AnalysedRule): string {
    return `${this.#cache.nameOf(holds, {})}${holds.length === literals.length ? '' : '|'}${stops ? '!' : ''}`;
  }

  /** A shortest and most typical request that satisfies the clauses, as the rules of a list see it. */
  shortest(clauses: Clauses, list: RuleListName): Answer {
    return this.#solved(within(this.#domainOf(list), clauses), {});
  }

  /** A shortest and most typical request of a client that satisfies the clauses; parts of its address may be fixed. */
  sent(clauses: Clauses, fixed: PartTexts = {}): Answer {
    return this.#solved(within(this.#domains.client, clauses), fixed);
  }

  #solved(clauses: Clauses, fixed: PartTexts): Answer {
    const answer = this.#solver.solve(clauses, fixed);
    if (typeof answer !== 'string' && this.#models.length < maxModels) this.#models.push(answer);
    return answer;
  }

  /** Whether it is proven that no request satisfies the clauses, as the rules of a list see it. */
  isImpossible(clauses: Clauses, list: RuleListName): boolean {
    return this.some(clauses, list) === 'none';
  }

  /** A request that satisfies the clauses and whose evaluation passes `shows`; undefined if none was found. */
  witness(
    clauses: Clauses,
    list: RuleListName,
    shows: (evaluation: Evaluation, witness: Witness, model: Model) => boolean,
  ): Witness | undefined {
    for (const way of this.#waysTo(list)) {
      const answer = this.sent([...clauses, ...way]);
      if (typeof answer === 'string') continue;
      const shown = witnessOf(answer, list === 'securityScenarios');
      const evaluation = this.evaluate(shown);
      if (evaluation !== undefined && shows(evaluation, shown, answer)) return shown;
    }
    return undefined;
  }

  /** Evaluates a witness, by default with the configuration's own engine. */
  evaluate(witness: Witness, engine = this.#ownEngine()): Evaluation | undefined {
    const facts = factsOf(witness);
    return facts === undefined ? undefined : engine.evaluate(facts);
  }

  #ownEngine(): Engine {
    this.#engine ??= compiled(this.configuration);
    return this.#engine;
  }

  /** An engine for the configuration without some rules of one list. */
  without(list: RuleListName, isLeftOut: (rule: { readonly id: string }) => boolean): Engine {
    const rules: readonly { readonly id: string }[] = this.configuration[list];
    // The members stay as they are, and so of the list's type.
    return compiled({
      ...this.configuration,
      [list]: rules.map((rule) => (isLeftOut(rule) ? { ...rule, enabled: false } : rule)),
    });
  }

  /** Additional clauses with which requests reach a list unchanged, most likely ones first. */
  #waysTo(list: RuleListName): readonly Clauses[] {
    if (list === 'accessRules') return [[]];
    const past = [...this.#pastAccess(), []];
    const unchanged = failsOf(this.rules.rewriteRules);
    return list === 'rewriteRules' || unchanged.length === 0
      ? past
      : [...past.map((way) => [...way, ...unchanged]), ...past];
  }

  #pastAccess(): readonly Clauses[] {
    const { accessRules } = this.rules;
    const terminalRules = accessRules.filter(isTerminal);
    if (terminalRules.length === 0) return [];
    const allowing = accessRules.filter((rule) => rule.stops && !terminalRules.includes(rule)).slice(0, maxWays);
    return [failsOf(terminalRules), ...allowing.map((rule) => reachedIn(terminalRules, rule))];
  }
}

const phases = {
  accessRules: 'accessRules',
  rewriteRules: 'rewriteRules',
  configurationRules: 'configurationRules',
  securityScenarios: 'security',
} as const;

/** The outcome of a rule; undefined if its phase was not reached. */
export function outcomeIn(evaluation: Evaluation, { list, place }: AnalysedRule): StepOutcome | undefined {
  const phase = evaluation.phases?.find((each) => each.phase === phases[list]);
  return phase !== undefined && 'steps' in phase ? phase.steps[place]?.outcome : undefined;
}

/** Whether a setting of an evaluation has its value from the rule. */
export function isFrom(evaluation: Evaluation, key: string, id: string): boolean {
  const setting = evaluation.settings?.[key];
  return setting !== undefined && 'from' in setting && setting.from === id;
}

/**
 * A smallest sufficient subset of the candidates if one or two suffice, otherwise one from which nothing can be
 * omitted.
 */
export function smallest<T>(candidates: readonly T[], isEnough: (some: readonly T[]) => boolean): readonly T[] {
  for (const one of candidates) if (isEnough([one])) return [one];
  if (candidates.length <= maxPaired) {
    for (const [at, one] of candidates.entries()) {
      for (const other of candidates.slice(at + 1)) if (isEnough([one, other])) return [one, other];
    }
  }
  let minimal = candidates;
  for (const one of candidates) {
    const rest = minimal.filter((each) => each !== one);
    if (isEnough(rest)) minimal = rest;
  }
  return minimal;
}

/** With more candidates, pairs are not tried. */
const maxPaired = 6;
