import type { Spending } from '../budget.ts';
import type { AddressPart } from '../texts/address-words.ts';
import type { Automaton } from '../texts/automaton.ts';
import { addressWords, asterisk, headerValues, type PartTexts, usualParts } from '../texts/request-texts.ts';
import { shortestWord } from '../texts/word-search.ts';
import type { Clause, Clauses } from './clauses.ts';
import { isPlain, usualWord } from './model.ts';
import { candidates, type PlainFact } from './plain-facts.ts';
import { isAddress, type Literal, type Variable, type VariableValue } from './predicates.ts';

/** How the target of a request is written; the absolute-form means the same as the origin-form. */
export type Form = 'origin' | 'asterisk';

/** A value that fits; or there is none, which is proven; or the budget ended. */
export type Found = { readonly value: VariableValue } | 'none' | 'undecided';

/** What values are asked for. */
export interface ValueQuestion {
  readonly variable: Variable;
  /** Their literals are all about the variable. */
  readonly clauses: Clauses;
  readonly form: Form;
  /** Parts of the address that may not be chosen. */
  readonly fixed: PartTexts;
}

/** Finds values of single variables. Each question is answered once. */
export class VariableValues {
  readonly #spending: Spending;
  readonly #known = new Map<string, Found>();
  readonly #domains = new Map<string, Automaton>();
  readonly #headers = headerValues();

  constructor(spending: Spending) {
    this.#spending = spending;
  }

  /** The usual value or a shortest one for which all clauses hold. */
  find(question: ValueQuestion): Found {
    return this.#once(question, () => this.#found(question), 'whole ');
  }

  #once(question: ValueQuestion, answer: (question: ValueQuestion) => Found, kind = ''): Found {
    const name = kind + nameOf(question);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = answer(question);
    if (found !== 'undecided') this.#known.set(name, found);
    return found;
  }

  #found(question: ValueQuestion): Found {
    const { variable, clauses, form } = question;
    return isPlain(variable) ? this.#plain(variable, clauses, form) : this.#text(question);
  }

  /**
   * Looks at few clauses first, and at another one when the text that was found does not meet it: a shortest text for
   * some clauses that meets all of them is a shortest one for all, and what some make impossible stays impossible.
   */
  #text(question: ValueQuestion): Found {
    const looked: Clause[] = [];
    let found: Found = this.#textOf({ ...question, clauses: looked });
    while (typeof found !== 'string') {
      const { value }: { readonly value: VariableValue } = found;
      const unmet = question.clauses.find((clause) => !holdsOf([clause], value));
      if (unmet === undefined) return found;
      looked.push(unmet);
      found = this.#once({ ...question, clauses: looked }, (some) => this.#textOf(some));
    }
    return found;
  }

  #textOf({ variable, clauses, form, fixed }: ValueQuestion): Found {
    if (variable === 'address') return this.#address(clauses, form === 'asterisk' ? { ...fixed, ...asterisk } : fixed);
    if (isAddress(variable)) return this.#address(clauses, {});
    return holdsOf(clauses, null) ? { value: null } : this.#word(this.#headers, clauses);
  }

  #plain(fact: PlainFact, clauses: Clauses, form: Form): Found {
    const mentioned = clauses.flat().flatMap(({ predicate }) => predicate.mentions ?? []);
    const values = fact === 'method' && form === 'asterisk' ? ['OPTIONS'] : candidates(fact, mentioned);
    if (!this.#spending.take(Math.ceil((values.length * clauses.length) / 64))) return 'undecided';
    const value = values.find((each) => holdsOf(clauses, each));
    return value === undefined ? 'none' : { value };
  }

  #address(clauses: Clauses, fixed: PartTexts): Found {
    const looked = new Set<AddressPart>(clauses.flat().flatMap(({ predicate }) => predicate.parts ?? []));
    if (clauses.length === 0 && Object.keys(fixed).length === 0) return { value: usualWord };
    const parts = { ...usualParts(looked), ...fixed };
    const name = JSON.stringify(parts);
    const domain = this.#domains.get(name) ?? addressWords(parts);
    this.#domains.set(name, domain);
    return this.#word(domain, clauses);
  }

  #word(domain: Automaton, clauses: Clauses): Found {
    const sets = clauses.map((clause) =>
      clause.flatMap(({ predicate: { set }, positive }) => (set === undefined ? [] : [{ set, positive }])),
    );
    const answer = shortestWord({ domain, clauses: sets }, this.#spending);
    return typeof answer === 'string' ? answer : { value: answer.word };
  }
}

const holdsOf = (clauses: Clauses, value: VariableValue): boolean =>
  clauses.every((clause) => clause.some(({ predicate, positive }) => predicate.fits(value) === positive));

/** Literals of the same name are the same. */
export const literalName = ({ predicate, positive }: Literal): string => `${positive ? '+' : '-'}${predicate.name}`;

/** Clauses of the same name are the same. */
const clauseName = (clause: Clause): string => clause.map(literalName).toSorted().join(' ');

const nameOf = ({ variable, clauses, form, fixed }: ValueQuestion): string =>
  [form, variable, JSON.stringify(fixed), ...[...new Set(clauses.map(clauseName))].toSorted()].join('\n');
