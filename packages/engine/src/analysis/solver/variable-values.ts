import type { Spending } from '../budget.ts';
import type { AddressPart } from '../texts/address-words.ts';
import type { Automaton } from '../texts/automaton.ts';
import { addressWords, asterisk, headerValues, type PartTexts, usualParts } from '../texts/request-texts.ts';
import { shortestWord } from '../texts/word-search.ts';
import type { Clause, Clauses } from './clauses.ts';
import { isPlain, usualWord } from './model.ts';
import { candidates, type PlainFact } from './plain-facts.ts';
import type { Literal, Variable, VariableValue } from './predicates.ts';

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
    const name = nameOf(question);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = this.#found(question);
    if (found !== 'undecided') this.#known.set(name, found);
    return found;
  }

  #found({ variable, clauses, form, fixed }: ValueQuestion): Found {
    if (isPlain(variable)) return this.#plain(variable, clauses, form);
    if (variable === 'address') return this.#address(clauses, form === 'asterisk' ? { ...fixed, ...asterisk } : fixed);
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
    if (Object.keys(fixed).length === 0 && holdsOf(clauses, usualWord)) return { value: usualWord };
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

const literalName = ({ predicate, positive }: Literal): string => `${positive ? '+' : '-'}${predicate.name}`;

/** Clauses of the same name are the same. */
export const clauseName = (clause: Clause): string => clause.map(literalName).toSorted().join(' ');

const nameOf = ({ variable, clauses, form, fixed }: ValueQuestion): string =>
  [form, variable, JSON.stringify(fixed), ...[...new Set(clauses.map(clauseName))].toSorted()].join('\n');
