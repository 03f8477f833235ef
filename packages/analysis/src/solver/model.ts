import { addressWord, defaultAddress } from '../texts/address-words.ts';
import type { Clauses } from './clauses.ts';
import { defaultFacts, type PlainFact } from './plain-facts.ts';
import { isAddress, type Literal, type Variable, type VariableValue } from './predicates.ts';

/** Values of variables; missing ones have default values, missing headers are absent. */
export type Model = ReadonlyMap<Variable, VariableValue>;

/** The default address of a request, as a word. */
export const defaultWord = addressWord(defaultAddress);

/** Whether the variable is a plain fact. */
export const isPlain = (variable: Variable): variable is PlainFact => Object.hasOwn(defaultFacts, variable);

/** The value of a variable. */
export function valueIn(model: Model, variable: Variable): VariableValue {
  const value = model.get(variable);
  if (value !== undefined) return value;
  if (isAddress(variable)) return defaultWord;
  return isPlain(variable) ? defaultFacts[variable] : null;
}

/** Whether the literal holds. */
export const holdsIn = (model: Model, { predicate, positive }: Literal): boolean =>
  predicate.fits(valueIn(model, predicate.variable)) === positive;

/** Whether all clauses hold. */
export const satisfies = (model: Model, clauses: Clauses): boolean =>
  clauses.every((clause) => clause.some((literal) => holdsIn(model, literal)));
