import type { Witness } from '@zonewright/core';
import { parseFacts, type RequestFacts } from '@zonewright/engine';
import { addressWord, defaultAddress, partsOfWord } from '../texts/address-words.ts';
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

/** The request that a model describes. */
export function witnessOf(model: Model, withStatus = false): Witness {
  const { scheme, host, path, query } = partsOfWord(valueIn(model, 'address') ?? '');
  const asn = valueIn(model, 'asn');
  const headers = [...model].flatMap(([variable, value]) =>
    variable.startsWith('header:') && value !== null ? [{ name: variable.slice('header:'.length), value }] : [],
  );
  return {
    scheme,
    authority: host,
    target: query === '' ? path : `${path}?${query}`,
    method: valueIn(model, 'method') ?? '',
    ...(headers.length === 0 ? {} : { headers }),
    ip: valueIn(model, 'ip') ?? '',
    country: valueIn(model, 'country') ?? '',
    asn: asn === null ? null : Number(asn),
    ...(withStatus ? { status: Number(valueIn(model, 'status')) } : {}),
  };
}

/** The facts of a witness; undefined if it is not a valid request. */
export function factsOf(witness: Witness): RequestFacts | undefined {
  const facts = parseFacts(witness);
  return facts.ok ? facts.value : undefined;
}
