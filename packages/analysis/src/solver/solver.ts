import { canonicalHost } from '@zonewright/engine/internals';
import { partsOfWord } from '../texts/address-words.ts';
import type { Spending } from '../texts/budget.ts';
import type { PartTexts } from '../texts/request-texts.ts';
import { AnalysisCache, type CachedAnswer } from './analysis-cache.ts';
import type { Clause, Clauses } from './clauses.ts';
import { holdsIn, type Model } from './model.ts';
import type { Variable, VariableValue } from './predicates.ts';
import { type ValueQuestion, VariableValues } from './variable-values.ts';

/** A request that satisfies the clauses; `none`: proven not to exist; `undecided`: out of budget. */
export type Answer = Model | 'none' | 'undecided';

/** What stays fixed during a question. */
type Frame = Pick<ValueQuestion, 'form' | 'fixed'>;

/** The clauses chosen for each variable, with a value that satisfies them. */
interface Assignment {
  readonly clauses: ReadonlyMap<Variable, Clauses>;
  readonly model: Model;
}

/**
 * Finds requests that satisfy clauses. Variables are independent, so a conjunction is satisfiable if and only if it is
 * for each variable separately; a clause over several variables is a choice between them.
 */
export class Solver {
  readonly #spending: Spending;
  readonly #cache: AnalysisCache;
  readonly #values: VariableValues;
  #choices = 0;
  /** The answers used by the computation in progress; undefined: there is none, or it cannot be cached. */
  #log: CachedAnswer[] | undefined;

  /** Literals must come from the predicates of the cache. */
  constructor(spending: Spending, cache = new AnalysisCache()) {
    this.#spending = spending;
    this.#cache = cache;
    this.#values = new VariableValues(spending, cache);
  }

  /** A request that satisfies all clauses; parts of its address may be fixed. */
  solve(clauses: Clauses, fixed: PartTexts = {}): Answer {
    this.#spending.begin();
    if (this.#spending.isCutShort) {
      this.#log = undefined;
      return 'undecided';
    }
    const name = this.#cache.nameOf(clauses, fixed);
    const entry = this.#cache.answers.get(name);
    if (entry !== undefined && this.#isPaid(entry)) {
      this.#log?.push(entry);
      return entry.answer;
    }
    this.#values.begin();
    this.#choices = 0;
    const answer = this.#solved(clauses, fixed);
    if (answer === 'undecided' || this.#spending.isCutShort) {
      this.#log = undefined;
      return answer;
    }
    const made: CachedAnswer = { answer, searches: this.#values.begin(), states: this.#choices };
    this.#cache.answers.set(name, made);
    this.#log?.push(made);
    return answer;
  }

  /**
   * The result of a computation that depends only on its name. It runs once, and is charged once per analysis. If its
   * total cost exceeds what a question may spend, it runs again, because parts of it may then be undecided.
   */
  once<T>(name: string, work: () => T): T {
    this.#spending.begin();
    const entry = this.#cache.works.get(name);
    // A name always denotes the same computation, so the type fits.
    if (entry !== undefined && this.#isPaid(entry)) return entry.result as T;
    this.#log = [];
    const result = work();
    const log = this.#log;
    this.#log = undefined;
    if (log !== undefined) {
      const states = log.reduce((sum, each) => sum + each.states, 0);
      this.#cache.works.set(name, { result, searches: [...new Set(log.flatMap(({ searches }) => searches))], states });
    }
    return result;
  }

  /**
   * Charges a cached result; returns false if the budget does not cover it, and the work must be repeated to see how
   * far it gets.
   */
  #isPaid({ searches, states }: Pick<CachedAnswer, 'searches' | 'states'>): boolean {
    if (this.#spending.priceOf(searches) + states > this.#spending.left) return false;
    for (const search of searches) this.#spending.pay(search);
    return this.#spending.take(states);
  }

  #solved(clauses: Clauses, fixed: PartTexts): Answer {
    const inOrigin = this.#inForm(clauses, { form: 'origin', fixed });
    const looksAtPath = clauses.some((clause) => clause.some(({ predicate }) => predicate.parts !== undefined));
    if (inOrigin !== 'none' || !looksAtPath || fixed.path !== undefined) return inOrigin;
    return this.#inForm(clauses, { form: 'asterisk', fixed });
  }

  #inForm(clauses: Clauses, frame: Frame): Answer {
    const single = new Map<Variable, Clause[]>(
      frame.form === 'asterisk'
        ? [
            ['address', []],
            ['method', []],
          ]
        : [],
    );
    const wide: Clause[] = [];
    for (const clause of clauses) {
      const [variable, ...others] = variablesOf(clause);
      if (variable === undefined) return 'none';
      const own = others.length > 0 ? wide : (single.get(variable) ?? []);
      own.push(clause);
      if (others.length === 0) single.set(variable, own);
    }
    const model = new Map<Variable, VariableValue>();
    for (const [variable, own] of single) {
      const choice = this.#values.find({ variable, clauses: own, ...frame });
      if (typeof choice === 'string') return choice;
      model.set(variable, choice.value);
    }
    return this.#choose({ clauses: single, model }, wide, frame);
  }

  /** Satisfies the remaining clauses, starting with the one that has the fewest alternatives. */
  #choose(chosen: Assignment, left: Clauses, frame: Frame): Answer {
    const unmet = this.#unmet(left, chosen.model);
    if (unmet === undefined) return 'undecided';
    if (unmet.length === 0) return isPossible(chosen.model) ? chosen.model : 'undecided';
    this.#choices += 1;
    if (!this.#spending.take(1)) return 'undecided';
    const { clause, ways } = this.#fewestWays(chosen, unmet, frame);
    const rest = left.filter((each) => each !== clause);
    let answer: Answer = 'none';
    for (const way of ways) {
      const outcome = way === 'undecided' ? way : this.#choose(way, rest, frame);
      if (typeof outcome !== 'string') return outcome;
      if (outcome === 'undecided') answer = outcome;
    }
    return answer;
  }

  /** The clauses that a model violates; undefined: out of time. */
  #unmet(clauses: Clauses, model: Model): Clauses | undefined {
    const unmet: Clause[] = [];
    for (const clause of clauses) {
      if (!this.#spending.isInTime) return undefined;
      if (!clause.some((literal) => holdsIn(model, literal))) unmet.push(clause);
    }
    return unmet;
  }

  #fewestWays(chosen: Assignment, clauses: Clauses, frame: Frame) {
    let best: { readonly clause: Clause; readonly ways: readonly (Assignment | 'undecided')[] } | undefined;
    for (const clause of clauses) {
      if (best !== undefined && !this.#spending.isInTime) break;
      const ways = variablesOf(clause).flatMap((variable) => {
        const part = clause.filter(({ predicate }) => predicate.variable === variable);
        const way = this.#withClause(chosen, variable, part, frame);
        return way === 'none' ? [] : [way];
      });
      if (best === undefined || ways.length < best.ways.length) best = { clause, ways };
      if (ways.length <= 1) break;
    }
    return best ?? { clause: undefined, ways: [] };
  }

  /** Adds a clause for a variable, with a value that satisfies all its clauses. */
  #withClause(chosen: Assignment, variable: Variable, clause: Clause, frame: Frame): Assignment | 'none' | 'undecided' {
    const clauses = [...(chosen.clauses.get(variable) ?? []), clause];
    const choice = this.#values.find({ variable, clauses, ...frame });
    if (typeof choice === 'string') return choice;
    return {
      clauses: new Map([...chosen.clauses, [variable, clauses]]),
      model: new Map([...chosen.model, [variable, choice.value]]),
    };
  }
}

const variablesOf = (clause: Clause): readonly Variable[] => {
  const [first] = clause;
  if (first === undefined) return [];
  const isOne = clause.every(({ predicate }) => predicate.variable === first.predicate.variable);
  return isOne ? [first.predicate.variable] : [...new Set(clause.map(({ predicate }) => predicate.variable))];
};

/** Checks the length of the host and its labels, which the automata ignore. */
function isPossible(model: Model): boolean {
  const word = model.get('address');
  return typeof word !== 'string' || canonicalHost(partsOfWord(word).host) !== undefined;
}
