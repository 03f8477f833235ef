import type { AddressPart } from '../texts/address-words.ts';
import type { Automaton } from '../texts/automaton.ts';
import type { Spending } from '../texts/budget.ts';
import { addressWords, asterisk, defaultParts, headerValues, type PartTexts } from '../texts/request-texts.ts';
import { shortestWord } from '../texts/word-search.ts';
import { type AnalysisCache, type CachedValue, fixedName } from './analysis-cache.ts';
import type { Clause, Clauses } from './clauses.ts';
import { defaultWord, isPlain } from './model.ts';
import { candidates, type PlainFact } from './plain-facts.ts';
import { isAddress, type Literal, type Variable, type VariableValue } from './predicates.ts';

/** The form of the request target; the absolute-form is equivalent to the origin-form. */
export type Form = 'origin' | 'asterisk';

/** A matching value; `none`: proven not to exist; `undecided`: out of budget. */
export type ValueAnswer = { readonly value: VariableValue } | 'none' | 'undecided';

/** A question about a single variable. */
export interface ValueQuestion {
  readonly variable: Variable;
  /** All literals are about the variable. */
  readonly clauses: Clauses;
  readonly form: Form;
  /** Fixed parts of the address. */
  readonly fixed: PartTexts;
}

const headers = headerValues();

/** Finds values of single variables. */
export class VariableValues {
  readonly #spending: Spending;
  readonly #cache: AnalysisCache;
  #searches: CachedValue[] = [];

  constructor(spending: Spending, cache: AnalysisCache) {
    this.#spending = spending;
    this.#cache = cache;
  }

  /** Starts a question and returns the searches of the previous one. */
  begin(): readonly CachedValue[] {
    const before = this.#searches;
    this.#searches = [];
    return before;
  }

  /** The default value if it satisfies all clauses, else a shortest one that does. */
  find(question: ValueQuestion): ValueAnswer {
    const { variable, clauses, form } = question;
    return isPlain(variable) ? this.#plain(variable, clauses, form) : this.#text(question);
  }

  /** Caches a search; it is charged once per analysis. */
  #once(name: string, search: () => ValueAnswer): ValueAnswer {
    const known = this.#cache.values.get(name);
    if (known !== undefined) {
      this.#searches.push(known);
      return this.#spending.pay(known) ? known.found : 'undecided';
    }
    const before = this.#spending.left;
    const found = search();
    if (found === 'undecided') return found;
    const made: CachedValue = { found, states: before - this.#spending.left };
    this.#cache.values.set(name, made);
    this.#cache.grow(made.states);
    this.#spending.havePaid(made);
    this.#searches.push(made);
    return found;
  }

  /**
   * Starts with few clauses and adds those that the text found so far violates (lazily): a shortest text for some
   * clauses that satisfies all is a shortest one for all, and if some are unsatisfiable, so are all.
   */
  #text(question: ValueQuestion): ValueAnswer {
    const looked: Clause[] = [];
    let found: ValueAnswer = this.#textOf({ ...question, clauses: looked });
    while (typeof found !== 'string') {
      const { value }: { readonly value: VariableValue } = found;
      const unmet = question.clauses.find((clause) => !isMet(clause, value));
      if (unmet === undefined) return found;
      looked.push(unmet);
      found = this.#textOf({ ...question, clauses: looked });
    }
    return found;
  }

  #textOf({ variable, clauses, form, fixed }: ValueQuestion): ValueAnswer {
    if (variable === 'address') return this.#address(clauses, form === 'asterisk' ? { ...fixed, ...asterisk } : fixed);
    if (isAddress(variable)) return this.#address(clauses, {});
    return clauses.every((clause) => isMet(clause, null)) ? { value: null } : this.#word('', headers, clauses);
  }

  #plain(fact: PlainFact, clauses: Clauses, form: Form): ValueAnswer {
    const name = `${fact} ${form} ${this.#cache.nameOf(clauses, {})}`;
    return this.#once(name, () => {
      const mentioned = clauses
        .flat()
        .flatMap(({ predicate: { mentions } }) => (mentions === undefined ? [] : [mentions]));
      const values = fact === 'method' && form === 'asterisk' ? ['OPTIONS'] : candidates(fact, mentioned);
      if (!this.#spending.take(Math.ceil((values.length * clauses.length) / 64))) return 'undecided';
      const value = values.find((each) => clauses.every((clause) => isMet(clause, each)));
      return value === undefined ? 'none' : { value };
    });
  }

  #address(clauses: Clauses, fixed: PartTexts): ValueAnswer {
    const looked = new Set<AddressPart>(clauses.flat().flatMap(({ predicate }) => predicate.parts ?? []));
    const name = fixedName(fixed);
    if (clauses.length === 0 && name === '') return { value: defaultWord };
    const parts = { ...defaultParts(looked), ...fixed };
    const domainName = `${name} ${[...looked].toSorted().join()}`;
    const domain = this.#cache.domains.get(domainName) ?? addressWords(parts);
    this.#cache.domains.set(domainName, domain);
    return this.#word(domainName, domain, clauses);
  }

  #word(domainName: string, domain: Automaton, clauses: Clauses): ValueAnswer {
    return this.#once(`${domainName} ${this.#cache.nameOfSet(clauses)}`, () => {
      const sets = clauses.map((clause) =>
        clause.flatMap(({ predicate: { set }, positive }) => (set === undefined ? [] : [{ set, positive }])),
      );
      const answer = shortestWord({ domain, clauses: sets }, this.#spending);
      return typeof answer === 'string' ? answer : { value: answer.word };
    });
  }
}

const isMet = (clause: Clause, value: VariableValue): boolean =>
  clause.some(({ predicate, positive }) => predicate.fits(value) === positive);

/** Equal for literals with the same meaning. */
export const literalName = ({ predicate, positive }: Literal): string => `${positive ? '+' : '-'}${predicate.name}`;
