import type { AddressPart } from '../texts/address-words.ts';
import { type Automaton, holdsText } from '../texts/automaton.ts';
import type { Spending } from '../texts/budget.ts';
import { shortestAddress } from '../texts/part-literals.ts';
import { addressWords, asterisk, defaultParts, headerValues, type PartTexts } from '../texts/request-texts.ts';
import { shortestWord } from '../texts/word-search.ts';
import { type AnalysisCache, type CachedValue, fixedName } from './analysis-cache.ts';
import type { Clause, Clauses } from './clauses.ts';
import { clientSatisfying } from './client-addresses.ts';
import { defaultWord, isPlain } from './model.ts';
import { candidates, type ListedFact } from './plain-facts.ts';
import { isAddress, type Variable, type VariableValue } from './predicates.ts';

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

/** Number of tests of a value that take about as long as creating a state. */
const testsAsOne = 64;

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
    if (!this.#spending.isInTime) return 'undecided';
    if (!isPlain(variable)) return this.#text(question);
    return variable === 'ip' ? this.#client(clauses) : this.#listed(variable, clauses, form);
  }

  /** Caches a search; it is charged once per analysis. */
  #once(name: string, search: () => ValueAnswer): ValueAnswer {
    const entry = this.#cache.values.get(name);
    if (entry !== undefined) {
      this.#searches.push(entry);
      return this.#spending.pay(entry) ? entry.result : 'undecided';
    }
    const before = this.#spending.left;
    const result = search();
    if (result === 'undecided') return result;
    const made: CachedValue = { result, states: before - this.#spending.left };
    this.#cache.values.set(name, made);
    this.#cache.grow(made.states);
    this.#spending.havePaid(made);
    this.#searches.push(made);
    return result;
  }

  /**
   * Starts with few clauses and adds those that the text found so far violates (lazily): a shortest text for some
   * clauses that satisfies all is a shortest one for all, and if some are unsatisfiable, so are all.
   */
  #text(question: ValueQuestion): ValueAnswer {
    const looked: Clause[] = [];
    let answer: ValueAnswer = this.#textOf({ ...question, clauses: looked });
    while (typeof answer !== 'string') {
      const { value }: { readonly value: VariableValue } = answer;
      const unmet = this.#unmet(question.clauses, value);
      if (unmet === undefined || unmet === 'undecided') return unmet ?? answer;
      looked.push(unmet);
      answer = this.#textOf({ ...question, clauses: looked });
    }
    return answer;
  }

  /** A clause that the value violates. Testing a long text may be slow. */
  #unmet(clauses: Clauses, value: VariableValue): Clause | 'undecided' | undefined {
    for (const clause of clauses) {
      if (!this.#spending.isInTime) return 'undecided';
      if (!isMet(clause, value)) return clause;
    }
    return undefined;
  }

  #textOf({ variable, clauses, form, fixed }: ValueQuestion): ValueAnswer {
    if (variable === 'address') return this.#address(clauses, form === 'asterisk' ? { ...fixed, ...asterisk } : fixed);
    if (isAddress(variable)) return this.#address(clauses, {});
    return clauses.every((clause) => isMet(clause, null)) ? { value: null } : this.#word('', headers, clauses);
  }

  #listed(fact: ListedFact, clauses: Clauses, form: Form): ValueAnswer {
    const name = `${fact} ${form} ${this.#cache.nameOf(clauses, {})}`;
    return this.#once(name, () => {
      const mentioned = clauses.flatMap((clause) => clause.flatMap(({ predicate: { mentions } }) => mentions ?? []));
      if (!this.#spending.take(Math.ceil((mentioned.length * clauses.length) / testsAsOne))) return 'undecided';
      const values = fact === 'method' && form === 'asterisk' ? ['OPTIONS'] : candidates(fact, mentioned);
      for (const value of values) {
        if (!this.#spending.isInTime) return 'undecided';
        if (clauses.every((clause) => isMet(clause, value))) return { value };
      }
      return 'none';
    });
  }

  #client(clauses: Clauses): ValueAnswer {
    return this.#once(`ip ${this.#cache.nameOf(clauses, {})}`, () => clientSatisfying(clauses, this.#spending));
  }

  #address(clauses: Clauses, fixed: PartTexts): ValueAnswer {
    const looked = new Set<AddressPart>(clauses.flat().flatMap(({ predicate }) => predicate.parts ?? []));
    const name = fixedName(fixed);
    if (clauses.length === 0 && name === '') return { value: defaultWord };
    const parts = { ...defaultParts(looked), ...fixed };
    const domainName = `${name} ${[...looked].toSorted().join()}`;
    const domain = this.#cache.domains.get(domainName) ?? addressWords(parts);
    this.#cache.domains.set(domainName, domain);
    return this.#word(domainName, domain, clauses, () => this.#literalAddress(clauses, parts, domain));
  }

  /** The answer if literals alone decide it; undefined: they do not. */
  #literalAddress(clauses: Clauses, parts: PartTexts, domain: Automaton): ValueAnswer | undefined {
    const literals = clauses.flatMap(([first, ...others]) =>
      others.length === 0 && first?.positive === true ? (first.predicate.literal ?? []) : [],
    );
    const shortest = shortestAddress(literals, parts);
    if (shortest === undefined) return undefined;
    const { word, isOnly } = shortest;
    if (!this.#spending.take(1)) return 'undecided';
    if (holdsText(domain, word) && clauses.every((clause) => isMet(clause, word))) return { value: word };
    return isOnly ? 'none' : undefined;
  }

  #word(domainName: string, domain: Automaton, clauses: Clauses, literal?: () => ValueAnswer | undefined): ValueAnswer {
    return this.#once(`${domainName} ${this.#cache.nameOfSet(clauses)}`, () => {
      const decided = literal?.();
      if (decided !== undefined) return decided;
      const sets = clauses.map((clause) =>
        clause.flatMap(({ predicate: { set }, positive }) => (set === undefined ? [] : [{ set: set(), positive }])),
      );
      const answer = shortestWord({ domain, clauses: sets }, this.#spending);
      return typeof answer === 'string' ? answer : { value: answer.word };
    });
  }
}

const isMet = (clause: Clause, value: VariableValue): boolean =>
  clause.some(({ predicate, positive }) => predicate.fits(value) === positive);
