import type { Configuration } from '../../configuration/configuration.ts';
import { type AnalysisBudget, Spending } from '../budget.ts';
import type { AnalysisMemory } from '../memory.ts';
import type { Clauses } from '../solver/clauses.ts';
import type { Model } from '../solver/model.ts';
import type { Predicates } from '../solver/predicates.ts';
import { Solver } from '../solver/solver.ts';
import { literalName } from '../solver/variable-values.ts';
import { factsOf, type Witness, witnessOf } from '../witness.ts';
import type { Part, Ways } from './branches.ts';
import { type BehaviourChange, type Difference, kindOf, mostChanges } from './change.ts';
import { differences } from './differences.ts';
import { sentence } from './messages.ts';
import { beforeRewriting, type Rewrite, replacementOf } from './rewriting.ts';
import { Side, type View } from './side.ts';

/** How the request is rewritten in both configurations. */
export interface Route {
  readonly clauses: Clauses;
  readonly before: Rewrite;
  readonly after: Rewrite;
  /** Both make the same address of every request. */
  readonly isSame: boolean;
}

/** Both configurations with one request. */
export interface Views {
  readonly before: View;
  readonly after: View;
}

/** A search for a request that is treated differently in a certain way. */
export interface Question extends Part {
  readonly routes: readonly Route[];
  /** Whether these differences, of one request or found before, are what is looked for. */
  readonly isShown: (kinds: ReadonlySet<string>, found: readonly Difference[]) => boolean;
  /** Ways on from a request that does not show it; undefined: they are not known. */
  readonly ways: (views: Views, model: Model) => Ways | undefined;
}

/** A way of which nothing is known. */
export const anyRoute: Route = { clauses: [], before: undefined, after: undefined, isSame: false };

type Answer = 'shown' | 'none' | 'undecided';

/** Requests that are looked at on one route; fewer where it is not known which address a rewrite rule gives. */
const mostSteps = { known: 300, unknown: 20 } as const;
/** What it costs, in states, to evaluate a request. */
const statesPerLook = 50;

/** Searches for differences between two configurations, and keeps those it comes across. */
export class Comparison {
  readonly predicates: Predicates;
  readonly before: Side;
  readonly after: Side;
  readonly #spending: Spending;
  readonly #solver: Solver;
  readonly #found = new Map<string, BehaviourChange>();
  #isSure = true;

  constructor(before: Configuration, after: Configuration, budget: AnalysisBudget, memory: AnalysisMemory) {
    this.predicates = memory.predicates;
    this.before = new Side(before, this.predicates);
    this.after = new Side(after, this.predicates);
    this.#spending = new Spending(budget);
    this.#solver = new Solver(this.#spending, memory);
  }

  /** What has been found so far. */
  get changes(): readonly BehaviourChange[] {
    return [...this.#found.values()];
  }

  /** Whether there is nothing else. */
  get isComplete(): boolean {
    return this.#isSure && this.#found.size <= mostChanges;
  }

  /** Whether more is found than is listed. */
  get isFull(): boolean {
    return this.#found.size > mostChanges;
  }

  /** Whether it is proven that the clauses hold for no request. */
  isImpossible(clauses: Clauses): boolean {
    return isClash(clauses) || this.#solver.solve(clauses) === 'none';
  }

  /** Looks for a request; that there is none is proven, or the result is not complete. */
  seek(question: Question): void {
    if (this.isFull || question.isShown(new Set(this.#found.keys()), [])) return;
    const { routes, client = [], before = [], after = [] } = question;
    const isEverySame = routes.length > 1 && routes.every(({ isSame }) => isSame);
    if (isEverySame && this.isImpossible([...onlyElsewhere(client), ...before, ...after])) return;
    let isOpen = false;
    for (const route of routes) {
      const answer = this.#onRoute(question, route);
      if (answer === 'shown') return;
      isOpen ||= answer === 'undecided';
    }
    if (isOpen) this.#isSure = false;
  }

  #onRoute(question: Question, route: Route): Answer {
    const pending: Part[] = [{}];
    const isKnown = [route.before, route.after].every((rule) => rule === undefined || replacementOf(rule.content));
    const most = isKnown ? mostSteps.known : mostSteps.unknown;
    let answer: Answer = 'none';
    for (let steps = 0; pending.length > 0; steps += 1) {
      const part = pending.pop() ?? {};
      if (steps >= most) return 'undecided';
      const views = this.#lookAt(this.#clauses(question, route, part));
      if (views === 'none') continue;
      if (views === 'undecided') {
        answer = views;
        continue;
      }
      const found = differences(views.before, views.after);
      if (question.isShown(new Set(found.map(kindOf)), found)) return 'shown';
      const ways = question.ways(views, views.model);
      if (ways === undefined) answer = 'undecided';
      else pending.push(...branches(part, ways).toReversed());
    }
    return answer;
  }

  #clauses(question: Question, route: Route, part: Part): Clauses {
    const { client = [], before = [], after = [] } = joined(question, part);
    return [
      ...route.clauses,
      ...client,
      ...beforeRewriting(before, route.before, this.predicates),
      ...beforeRewriting(after, route.after, this.predicates),
    ];
  }

  /** A request for which the clauses hold, evaluated; all in which it differs is kept. */
  #lookAt(clauses: Clauses): (Views & { readonly model: Model }) | 'none' | 'undecided' {
    if (isClash(clauses)) return 'none';
    const model = this.#solver.solve(clauses);
    if (typeof model === 'string') return model;
    if (!this.#spending.take(statesPerLook)) return 'undecided';
    const witness = witnessOf(model, true);
    const facts = factsOf(witness);
    if (facts === undefined) return 'undecided';
    const views = { before: this.before.view(facts), after: this.after.view(facts), model };
    if (views.before.evaluation.disposition === 'rejected') return 'undecided';
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

/** The part with each of the ways, without those before it: so no request is looked for twice. */
function branches(part: Part, ways: Ways): readonly Part[] {
  let rest = part;
  return ways.map(({ at, clauses, otherwise }) => {
    const branch = joined(rest, { [at]: clauses });
    rest = joined(rest, { [at]: otherwise });
    return branch;
  });
}

const joined = (one: Part, other: Part): Part => ({
  client: [...(one.client ?? []), ...(other.client ?? [])],
  before: [...(one.before ?? []), ...(other.before ?? [])],
  after: [...(one.after ?? []), ...(other.after ?? [])],
});

/** Clauses about the address as the client sent it do not hold for another one. */
const onlyElsewhere = (clauses: Clauses): Clauses =>
  clauses.filter((clause) => clause.every(({ predicate }) => predicate.variable !== 'address'));

/** Whether one clause alone is the opposite of another. */
function isClash(clauses: Clauses): boolean {
  const single = new Set<string>();
  for (const [literal, ...others] of clauses) {
    if (literal === undefined) return true;
    if (others.length > 0) continue;
    if (single.has(literalName({ ...literal, positive: !literal.positive }))) return true;
    single.add(literalName(literal));
  }
  return false;
}
