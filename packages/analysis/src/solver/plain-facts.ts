import { countryCodes } from '@zonewright/engine';
import { isToken } from '@zonewright/engine/internals';
import type { Variable, VariableValue } from './predicates.ts';

/** A variable other than an address or a header. */
export type PlainFact = Exclude<Variable, 'address' | `rewritten:${string}` | `header:${string}`>;

/** The default values of plain facts. */
export const defaultFacts: Readonly<Record<PlainFact, string>> = {
  method: 'GET',
  ip: '192.0.2.1',
  country: 'DE',
  asn: '64500',
  status: '200',
};

/** A fact whose values are names or numbers, compared as a whole. */
export type ListedFact = Exclude<PlainFact, 'ip'>;

/**
 * Representative values of a fact, the default first: every value is indistinguishable from one of them for the
 * predicates that mention these values.
 */
export const candidates = (fact: ListedFact, mentioned: readonly string[]): readonly VariableValue[] => [
  ...new Set([defaultFacts[fact], ...others[fact](mentioned)]),
];

const maxAsn = 4_294_967_295;
const longestMethod = 32;

const commonMethods = ['POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS'];

const isMethod = (value: string): boolean => isToken(value) && value.length <= longestMethod && value !== 'CONNECT';
const isAsn = (value: string): boolean => /^[1-9][0-9]*$/.test(value) && Number(value) <= maxAsn;
const isStatus = (value: string): boolean => /^[1-5][0-9][0-9]$/.test(value);

/** The first number from here on that is not mentioned; it exists because lists are bounded. */
function firstFree(from: number, mentioned: readonly string[]): string {
  const taken = new Set(mentioned);
  let number = from;
  while (taken.has(String(number))) number += 1;
  return String(number);
}

function freeMethod(mentioned: readonly string[]): string {
  const taken = new Set(mentioned);
  let method = 'X';
  while (taken.has(method)) method += 'X';
  return method;
}

const others: Readonly<Record<ListedFact, (mentioned: readonly string[]) => readonly VariableValue[]>> = {
  method: (mentioned) => [...commonMethods, ...mentioned.filter(isMethod), freeMethod(mentioned)],
  country: () => [...countryCodes],
  asn: (mentioned) => [...mentioned.filter(isAsn), firstFree(64_501, mentioned), null],
  status: (mentioned) => [...mentioned.filter(isStatus), ...allStatuses],
};

const allStatuses = Array.from({ length: 500 }, (_, at) => String(at + 100));
