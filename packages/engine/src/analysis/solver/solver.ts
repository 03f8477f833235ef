import { canonicalHost } from '../../request/authority.ts';
import type { Spending } from '../budget.ts';
import { AnalysisMemory, type KnownAnswer } from '../memory.ts';
import { partsOfWord } from '../texts/address-words.ts';
import type { PartTexts } from '../texts/request-texts.ts';
import type { Clause, Clauses } from './clauses.ts';
import { holdsIn, type Model } from './model.ts';
import type { Variable, VariableValue } from './predicates.ts';
import { type Form, VariableValues } from './variable-values.ts';

/** A request that fits; or there is none, which is proven; or the budget ended. */
export type Answer = Model | 'none' | 'undecided';

/** What is asked of the whole question. */
interface Frame {
  readonly form: Form;
  readonly fixed: PartTexts;
}

/** What has been decided for each variable, with a value that fits it. */
interface Chosen {
  readonly clauses: ReadonlyMap<Variable, Clauses>;
  readonly model: Model;
}

/**
 * Finds requests that fit clauses. Variables are independent of each other, so a conjunction can be met exactly when it
 * can be met for each variable by itself; a clause over several variables is a choice between them.
 */
export class Solver {
  readonly #spending: Spending;
  readonly #memory: AnalysisMemory;
  readonly #values: VariableValues;
  #choices = 0;
  /** The answers of the work that is being done; undefined: there is none, or it cannot be kept. */
  #log: KnownAnswer[] | undefined;

  /** Literals come from the predicates of the memory. */
  constructor(spending: Spending, memory = new AnalysisMemory()) {
    this.#spending = spending;
    this.#memory = memory;
    this.#values = new VariableValues(spending, memory);
  }

  /** A request for which all clauses hold; parts of its address may be fixed. */
  solve(clauses: Clauses, fixed: PartTexts = {}): Answer {
    this.#spending.begin();
    const name = this.#memory.nameOf(clauses, fixed);
    const known = this.#memory.answers.get(name);
    if (known !== undefined && this.#isPaid(known)) {
      this.#log?.push(known);
      return known.answer;
    }
    this.#values.begin();
    this.#choices = 0;
    const answer = this.#solved(clauses, fixed);
    if (answer === 'undecided' || this.#spending.isCutShort) {
      this.#log = undefined;
      return answer;
    }
    const made: KnownAnswer = { answer, searches: this.#values.begin(), states: this.#choices };
    this.#memory.answers.set(name, made);
    this.#log?.push(made);
    return answer;
  }

  /**
   * The result of work that asks questions and depends on nothing but its name. It is done once, and paid for in every
   * answer; where that is more than one question may cost, it is done anew, because a part of it may be undecided then.
   */
  once<T>(name: string, work: () => T): T {
    this.#spending.begin();
    const known = this.#memory.works.get(name);
    // What is known by a name was the result of the work of that name.
    if (known !== undefined && this.#isPaid(known)) return known.result as T;
    this.#log = [];
    const result = work();
    const log = this.#log;
    this.#log = undefined;
    if (log !== undefined) {
      const states = log.reduce((sum, each) => sum + each.states, 0);
      this.#memory.works.set(name, { result, searches: [...new Set(log.flatMap(({ searches }) => searches))], states });
    }
    return result;
  }

  /** Pays for what is known; false where not all of it can be paid for: then it has to be found out how far that gets. */
  #isPaid({ searches, states }: Pick<KnownAnswer, 'searches' | 'states'>): boolean {
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
      if (others.length > 0) wide.push(clause);
      else single.set(variable, [...(single.get(variable) ?? []), clause]);
    }
    const model = new Map<Variable, VariableValue>();
    for (const [variable, own] of single) {
      const found = this.#values.find({ variable, clauses: own, ...frame });
      if (typeof found === 'string') return found;
      model.set(variable, found.value);
    }
    return this.#choose({ clauses: single, model }, wide, frame);
  }

  /** Meets the clauses that are left, the one with the fewest ways first. */
  #choose(chosen: Chosen, left: Clauses, frame: Frame): Answer {
    const unmet = left.filter((clause) => !clause.some((literal) => holdsIn(chosen.model, literal)));
    if (unmet.length === 0) return isPossible(chosen.model) ? chosen.model : 'undecided';
    this.#choices += 1;
    if (!this.#spending.take(1)) return 'undecided';
    const { clause, ways } = this.#fewestWays(chosen, unmet, frame);
    const rest = left.filter((each) => each !== clause);
    let answer: Answer = 'none';
    for (const way of ways) {
      const found = way === 'undecided' ? way : this.#choose(way, rest, frame);
      if (typeof found !== 'string') return found;
      if (found === 'undecided') answer = found;
    }
    return answer;
  }

  #fewestWays(chosen: Chosen, clauses: Clauses, frame: Frame) {
    let best: { readonly clause: Clause; readonly ways: readonly (Chosen | 'undecided')[] } | undefined;
    for (const clause of clauses) {
      const ways = variablesOf(clause).flatMap((variable) => {
        const part = clause.filter(({ predicate }) => predicate.variable === variable);
        const found = this.#withClause(chosen, variable, part, frame);
        return found === 'none' ? [] : [found];
      });
      if (best === undefined || ways.length < best.ways.length) best = { clause, ways };
      if (ways.length <= 1) break;
    }
    return best ?? { clause: undefined, ways: [] };
  }

  /** With one more clause for a variable, and a value that fits it. */
  #withClause(chosen: Chosen, variable: Variable, clause: Clause, frame: Frame): Chosen | 'none' | 'undecided' {
    const clauses = [...(chosen.clauses.get(variable) ?? []), clause];
    const found = this.#values.find({ variable, clauses, ...frame });
    if (typeof found === 'string') return found;
    return {
      clauses: new Map([...chosen.clauses, [variable, clauses]]),
      model: new Map([...chosen.model, [variable, found.value]]),
    };
  }
}

/** The variables that a clause is about. */
const variablesOf = (clause: Clause): readonly Variable[] => {
  const [first] = clause;
  if (first === undefined) return [];
  const isOne = clause.every(({ predicate }) => predicate.variable === first.predicate.variable);
  return isOne ? [first.predicate.variable] : [...new Set(clause.map(({ predicate }) => predicate.variable))];
};

/** The length of hosts and their labels is looked at here only. */
function isPossible(model: Model): boolean {
  const word = model.get('address');
  return typeof word !== 'string' || canonicalHost(partsOfWord(word).host) !== undefined;
}
