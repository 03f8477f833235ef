import type { BehaviourChange, Witness } from '@zonewright/core';
import type { Configuration } from '@zonewright/engine';
import {
  clearRequests,
  everyRequest,
  mergedRequests,
  type RequestDomain,
  within,
} from '../findings/request-domains.ts';
import type { AnalysisCache } from '../solver/analysis-cache.ts';
import type { Clauses } from '../solver/clauses.ts';
import { factsOf, type Model, witnessOf } from '../solver/model.ts';
import { literalName, type Predicates } from '../solver/predicates.ts';
import { Solver } from '../solver/solver.ts';
import { type AnalysisBudget, Spending } from '../texts/budget.ts';
import { replacementOf } from '../texts/rewrite-replacement.ts';
import type { Branches, SideConditions } from './branches.ts';
import { type Difference, kindOf, maxChanges, sentence } from './change.ts';
import { differences } from './differences.ts';
import { beforeRewriting, type PathReadings, type Rewrite } from './rewriting.ts';
import { Side, type View } from './side.ts';

/** How a request is rewritten in both configurations. */
export interface Route {
  readonly clauses: () => Clauses;
  readonly before: Rewrite;
  readonly after: Rewrite;
  /** Both give every request the same address. */
  readonly isSame: boolean;
}

/** The views of both configurations on one request. */
export interface Views {
  readonly before: View;
  readonly after: View;
}

/** A search for a request that is treated differently in a certain way. */
export interface Question extends SideConditions {
  readonly routes: readonly Route[];
  /** Every request that it may show is treated differently in another way, which is sought as well. */
  readonly isCovered?: boolean;
  /** Whether the differences of a request, or those found so far, include what the search is for. */
  readonly isShown: (kinds: ReadonlySet<string>, differences: readonly Difference[]) => boolean;
  /** How to continue from a request that does not show it; undefined: unknown. */
  readonly branches: (views: Views, model: Model) => Branches | undefined;
}

/** A route without any knowledge. */
export const anyRoute: Route = { clauses: () => [], before: undefined, after: undefined, isSame: false };

type Answer = 'shown' | 'none' | 'undecided';

/** Maximum number of requests to try per route; fewer if the rewritten address is unknown. */
const maxLooks = { known: 300, unknown: 20 } as const;
/** Maximum number of branches per request to try: those without a request are quick, but there can be many. */
const partsPerLook = 2;
/** The cost of evaluating a request, in states. */
const statesPerLook = 50;

/** Searches for differences between two configurations and collects all that it comes across. */
export class Comparison {
  readonly predicates: Predicates;
  readonly before: Side;
  readonly after: Side;
  /** Whether both configurations read paths in the same way. */
  readonly isReadAlike: boolean;
  readonly #client: RequestDomain;
  readonly #rewritten: RequestDomain;
  readonly #spending: Spending;
  readonly #solver: Solver;
  readonly #found = new Map<string, BehaviourChange>();
  #isSure = true;

  constructor(before: Configuration, after: Configuration, budget: AnalysisBudget, cache: AnalysisCache) {
    this.predicates = cache.predicates;
    this.#spending = new Spending(budget);
    const { pathNormalization } = before.settings;
    this.isReadAlike = pathNormalization === after.settings.pathNormalization;
    const isStrict = this.isReadAlike && pathNormalization === 'strict';
    this.#client = isStrict ? clearRequests(this.predicates) : everyRequest;
    this.#rewritten = isStrict ? mergedRequests(this.predicates) : everyRequest;
    this.before = new Side(before, this.predicates, this.isReadAlike, () => this.isOver);
    this.after = new Side(after, this.predicates, this.isReadAlike, () => this.isOver);
    this.#solver = new Solver(this.#spending, cache);
  }

  /** How both configurations read paths. */
  get readings(): PathReadings {
    return { before: this.before.reading, after: this.after.reading };
  }

  /** The changes found so far. */
  get changes(): readonly BehaviourChange[] {
    return [...this.#found.values()];
  }

  /** Whether it is proven that there are no others. */
  get isComplete(): boolean {
    return this.#isSure && !this.isOver && this.#found.size <= maxChanges;
  }

  /** Whether a difference of this kind was found. */
  isListed(difference: Difference): boolean {
    return this.#found.has(kindOf(difference));
  }

  /** Whether more were found than a result may list. */
  get isFull(): boolean {
    return this.#found.size > maxChanges;
  }

  /** Whether the time for the answer is over: whatever has not been asked yet stays undecided. */
  get isOver(): boolean {
    return this.#spending.isOver;
  }

  /** Whether it is proven that no request satisfies the clauses. */
  isImpossible(clauses: Clauses): boolean {
    return this.#isImpossible(clauses, this.#client);
  }

  #isImpossible(clauses: Clauses, domain: RequestDomain): boolean {
    return isClash(clauses) || this.#solver.solve(within(domain, clauses)) === 'none';
  }

  /** Searches for a request; if neither found nor refuted, the result becomes incomplete. */
  seek(question: Question): void {
    if (this.isFull || this.isOver || question.isShown(new Set(this.#found.keys()), [])) return;
    const { routes, client = [], before = [], after = [] } = question;
    const isEverySame = routes.length > 1 && routes.every(({ isSame }) => isSame);
    const seen = [...onlyElsewhere(client), ...before, ...after];
    if (isEverySame && this.#isImpossible(seen, this.#rewritten)) return;
    let isOpen = false;
    for (const route of routes) {
      const answer = this.#onRoute(question, route);
      if (answer === 'shown') return;
      isOpen ||= answer === 'undecided';
    }
    if (isOpen && question.isCovered !== true) this.#isSure = false;
  }

  #onRoute(question: Question, route: Route): Answer {
    // Branches are made one at a time: together they can be large.
    const pending: Iterator<SideConditions>[] = [[{}].values()];
    const isKnown = (['before', 'after'] as const).every((at) => {
      const rule = route[at];
      return rule === undefined || replacementOf(rule.content, this[at].reading.normalization);
    });
    const most = isKnown ? maxLooks.known : maxLooks.unknown;
    let answer: Answer = 'none';
    let [looks, parts] = [0, 0];
    for (;;) {
      const part = nextOf(pending);
      if (part === undefined) return answer;
      if (looks >= most || parts >= partsPerLook * most || this.isOver) return 'undecided';
      parts += 1;
      const views = this.#checkDomain(this.#clauses(question, route, part));
      if (views === 'none') continue;
      looks += 1;
      if (views === 'undecided') {
        answer = views;
        continue;
      }
      const changes = differences(views.before, views.after);
      if (question.isShown(new Set(changes.map(kindOf)), changes)) return 'shown';
      const branches = question.branches(views, views.model);
      if (branches === undefined) answer = 'undecided';
      else pending.push(split(part, branches));
    }
  }

  #clauses(question: Question, route: Route, part: SideConditions): Clauses {
    const { client = [], before = [], after = [] } = joined(question, part);
    return [
      ...route.clauses(),
      ...client,
      ...beforeRewriting(before, route.before, this.before.reading, this.predicates),
      ...beforeRewriting(after, route.after, this.after.reading, this.predicates),
    ];
  }

  /** Evaluates a request that satisfies the clauses and collects its differences. */
  #checkDomain(clauses: Clauses): (Views & { readonly model: Model }) | 'none' | 'undecided' {
    if (isClash(clauses)) return 'none';
    const model = this.#solver.solve(within(this.#client, clauses));
    if (typeof model === 'string') return model;
    if (!this.#spending.take(statesPerLook)) return 'undecided';
    const witness = witnessOf(model, true);
    const facts = factsOf(witness);
    if (facts === undefined) return 'undecided';
    const views = { before: this.before.view(facts), after: this.after.view(facts), model };
    const isRejected = ({ evaluation }: View): boolean => evaluation.disposition === 'rejected';
    if (isRejected(views.before) && isRejected(views.after)) return 'undecided';
    for (const difference of differences(views.before, views.after)) this.#keep(difference, witness);
    return views;
  }

  #keep(difference: Difference, { status, ...witness }: Witness): void {
    const kind = kindOf(difference);
    if (this.#found.has(kind)) return;
    const shown = difference.key === 'scenarios' && status !== undefined ? { ...witness, status } : witness;
    const names = { before: this.before.rules, after: this.after.rules };
    this.#found.set(kind, { ...difference, message: sentence(difference, shown, names), witness: shown });
  }
}

/** Splits conditions into the given branches, each excluding the earlier ones, so that no request is searched twice. */
function* split(part: SideConditions, branches: Branches): Generator<SideConditions> {
  let rest = part;
  for (const { at, clauses, otherwise } of branches) {
    yield joined(rest, { [at]: clauses });
    rest = joined(rest, { [at]: otherwise });
  }
}

/** The next part of the last list that has one; drops the lists that have ended. */
function nextOf(pending: Iterator<SideConditions>[]): SideConditions | undefined {
  for (let last = pending.at(-1); last !== undefined; last = pending.at(-1)) {
    const { done, value } = last.next();
    if (done !== true) return value;
    pending.pop();
  }
  return undefined;
}

const joined = (one: SideConditions, other: SideConditions): SideConditions => ({
  client: [...(one.client ?? []), ...(other.client ?? [])],
  before: [...(one.before ?? []), ...(other.before ?? [])],
  after: [...(one.after ?? []), ...(other.after ?? [])],
});

/** Drops clauses about the client's address, which do not apply to a rewritten one. */
const onlyElsewhere = (clauses: Clauses): Clauses =>
  clauses.filter((clause) => clause.every(({ predicate }) => predicate.variable !== 'address'));

/** Whether a single clause contradicts another. */
function isClash(clauses: Clauses): boolean {
  const single = new Set<number>();
  for (const [literal, ...others] of clauses) {
    if (literal === undefined) return true;
    if (others.length > 0) continue;
    const name = literalName(literal);
    if (single.has(-name)) return true;
    single.add(name);
  }
  return false;
}
