import type { Paid } from './budget.ts';
import type { Clause, Clauses } from './solver/clauses.ts';
import type { Model } from './solver/model.ts';
import { Predicates, type VariableValue } from './solver/predicates.ts';
import type { Automaton } from './texts/automaton.ts';
import type { PartTexts } from './texts/request-texts.ts';

/** What a search for a value has found, and what it cost. */
export interface KnownValue extends Paid {
  readonly found: { readonly value: VariableValue } | 'none';
}

/** What a question was answered with, the searches it took, and the states it took besides. */
export interface KnownAnswer {
  readonly answer: Model | 'none';
  readonly searches: readonly KnownValue[];
  readonly states: number;
}

/** A piece of work that asks several questions, of which none was undecided. */
export interface KnownWork {
  readonly result: unknown;
  readonly searches: readonly KnownValue[];
  readonly states: number;
}

/** Beyond these numbers everything is forgotten before the next analysis. */
const limits = { predicates: 5000, automata: 500_000, values: 50_000, answers: 20_000, works: 20_000 } as const;

/**
 * What analyses keep for the next ones of the same thread: automata of conditions, results of searches and answers of
 * questions, by content. It makes them quicker; answers are the same whatever it holds. Not for several at a time.
 */
export class AnalysisMemory {
  #predicates = new Predicates();
  readonly values = new Map<string, KnownValue>();
  readonly answers = new Map<string, KnownAnswer>();
  readonly works = new Map<string, KnownWork>();
  readonly domains = new Map<string, Automaton>();
  readonly #numbers = new Map<string, number>();
  #known = new WeakMap<Clause, number>();
  #spent = 0;

  /** Makes predicates; what says the same is the same one until everything is forgotten. */
  get predicates(): Predicates {
    return this.#predicates;
  }

  /** Begins an analysis: forgets everything where it has become too much. */
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

  /** Notes states that automata may have got. */
  grow(states: number): void {
    this.#spent += states;
  }

  /** The same for the same clauses in the same order with the same parts fixed. */
  nameOf(clauses: Clauses, fixed: PartTexts): string {
    return `${clauses.map((clause) => this.#numberOf(clause)).join()} ${fixedName(fixed)}`;
  }

  /** The same for the same clauses in any order. */
  nameOfSet(clauses: Clauses): string {
    return [...new Set(clauses.map((clause) => this.#numberOf(clause)))].toSorted((one, other) => one - other).join();
  }

  #numberOf(clause: Clause): number {
    const known = this.#known.get(clause);
    if (known !== undefined) return known;
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
    for (const map of [this.values, this.answers, this.works, this.domains, this.#numbers]) map.clear();
  }
}

/** The same for the same parts. */
export const fixedName = (fixed: PartTexts): string => (Object.keys(fixed).length === 0 ? '' : JSON.stringify(fixed));
