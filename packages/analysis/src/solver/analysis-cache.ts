import { type Automaton, forgetRows } from '../texts/automaton.ts';
import type { SearchCost } from '../texts/budget.ts';
import type { PartTexts } from '../texts/request-texts.ts';
import type { Clause, Clauses } from './clauses.ts';
import type { Model } from './model.ts';
import { Predicates, type VariableValue } from './predicates.ts';

/** The result of a search for a value, with its cost. */
export interface CachedValue extends SearchCost {
  readonly result: { readonly value: VariableValue } | 'none';
}

/** The answer to a question, the searches it needed, and the states it took besides. */
export interface CachedAnswer {
  readonly answer: Model | 'none';
  readonly searches: readonly CachedValue[];
  readonly states: number;
}

/** The result of a computation that asked several questions, none of which was undecided. */
export interface CachedWork extends Omit<CachedAnswer, 'answer'> {
  readonly result: unknown;
}

/** Above any of these sizes, everything is dropped before the next analysis. */
const limits = { predicates: 5000, automata: 500_000, values: 50_000, answers: 20_000, works: 20_000 } as const;

/**
 * A cache across analyses on the same thread, keyed by content: automata of conditions, results of searches and answers
 * to questions. It makes analyses faster without changing their results. Not for concurrent analyses.
 */
export class AnalysisCache {
  #predicates = new Predicates();
  readonly values = new Map<string, CachedValue>();
  readonly answers = new Map<string, CachedAnswer>();
  readonly works = new Map<string, CachedWork>();
  readonly domains = new Map<string, Automaton>();
  readonly #numbers = new Map<string, number>();
  #known = new WeakMap<Clause, number>();
  #spent = 0;

  constructor() {
    forgetRows();
  }

  /** Creates predicates; equal ones are identical until the cache is dropped. */
  get predicates(): Predicates {
    return this.#predicates;
  }

  /** Starts an analysis, dropping everything if the cache has grown too large. */
  begin(): this {
    const isTooMuch =
      this.#predicates.size > limits.predicates ||
      this.values.size > limits.values ||
      this.answers.size > limits.answers ||
      this.works.size > limits.works ||
      this.#spent > limits.automata;
    if (isTooMuch) this.#forget();
    return this;
  }

  /** Records states that automata may have gained. */
  grow(states: number): void {
    this.#spent += states;
  }

  /** A cache key for clauses in order, with the same fixed parts. */
  nameOf(clauses: Clauses, fixed: PartTexts): string {
    return `${clauses.map((clause) => this.#numberOf(clause)).join()} ${fixedName(fixed)}`;
  }

  /** A cache key for clauses in any order. */
  nameOfSet(clauses: Clauses): string {
    return [...new Set(clauses.map((clause) => this.#numberOf(clause)))].toSorted((one, other) => one - other).join();
  }

  #numberOf(clause: Clause): number {
    const existing = this.#known.get(clause);
    if (existing !== undefined) return existing;
    const name = clause.map(({ predicate, positive }) => (positive ? predicate.number : -predicate.number)).join();
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    this.#known.set(clause, number);
    return number;
  }

  #forget(): void {
    this.#predicates = new Predicates();
    this.#known = new WeakMap();
    this.#spent = 0;
    forgetRows();
    for (const map of [this.values, this.answers, this.works, this.domains, this.#numbers]) map.clear();
  }
}

/** A cache key for fixed parts. */
export const fixedName = (fixed: PartTexts): string => (Object.keys(fixed).length === 0 ? '' : JSON.stringify(fixed));
