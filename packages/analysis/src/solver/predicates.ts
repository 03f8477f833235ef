import {
  type BaseOperator,
  baseOf,
  canonicalTarget,
  canonicalValue,
  type FieldName,
  fieldOf,
  isNegated,
  type Leaf,
  operatorOf,
  parseIpAddress,
  type RewriteRule,
} from '@zonewright/engine';
import {
  readingLowerCase,
  withExtension,
  withHost,
  withParameter,
  withPart,
  withScheme,
  withUrl,
} from '../texts/address-automata.ts';
import type { AddressPart } from '../texts/address-words.ts';
import { type Automaton, holdsText } from '../texts/automaton.ts';
import { withCookie, withMediaType } from '../texts/header-automata.ts';
import { noText } from '../texts/literals.ts';
import { textSet } from '../texts/operator-texts.ts';
import { describesWord, literalSet, type PartLiteral } from '../texts/part-literals.ts';
import { ambiguousPaths, beforeMerging, withSlashRuns } from '../texts/path-readings.ts';
import { sourceLiteral, sourcePaths } from '../texts/source-paths.ts';
import { type AddressLines, addressesIn, hasAddress } from './address-lines.ts';

/**
 * A part of a request that can be chosen independently of all others: its address as one word, a header as text (null:
 * not sent), the plain facts, and the address after a rewrite rule if little is known about it.
 */
export type Variable =
  | 'address'
  | `rewritten:${string}`
  | 'method'
  | 'ip'
  | 'country'
  | 'asn'
  | 'status'
  | `header:${string}`;

/** Whether the variable is an address. */
export const isAddress = (variable: Variable): variable is 'address' | `rewritten:${string}` =>
  variable === 'address' || variable.startsWith('rewritten:');

/** The value of a variable as text; null: absent. */
export type VariableValue = string | null;

/** A condition on one variable, without negation. */
export interface Predicate {
  /** Unique. */
  readonly number: number;
  /** Equal for predicates with textually equal conditions. */
  readonly name: string;
  readonly variable: Variable;
  readonly fits: (value: VariableValue) => boolean;
  /** For texts: those that satisfy it. Made when first asked for. */
  readonly set?: () => Automaton;
  /** The parts of the address that it depends on. */
  readonly parts?: readonly AddressPart[];
  /** If it compares one part of the address with a text, and nothing else. */
  readonly literal?: PartLiteral;
  /** For plain facts: values that it distinguishes from others. */
  readonly mentions?: readonly string[];
  /** For client addresses: those that satisfy it. */
  readonly addresses?: () => AddressLines;
}

type PredicateDefinition = Omit<Predicate, 'number'>;

/** A predicate or its negation. */
export interface Literal {
  readonly predicate: Predicate;
  readonly positive: boolean;
}

/** The negated literal. */
export const opposite = ({ predicate, positive }: Literal): Literal => ({ predicate, positive: !positive });

/** Equal for literals that are the same predicate, or the same negated one. */
export const literalName = ({ predicate, positive }: Literal): number =>
  positive ? predicate.number : -predicate.number;

/** The predicates of rules. */
export type RulePredicates = Pick<Predicates, 'ofLeaf' | 'ofSource'>;

/** Whether the literal depends on the path of the request's own address. */
export const looksAtPath = ({ predicate: { variable, parts } }: Literal): boolean =>
  variable === 'address' && parts?.includes('path') === true;

/** Creates the predicates of one analysis; equal ones are identical. */
export class Predicates {
  static #last = 0;
  readonly #made = new Map<string, Predicate>();

  /** The number of predicates. */
  get size(): number {
    return this.#made.size;
  }

  /** The literal of a condition. */
  ofLeaf({ field: spelling, operator: written, target, value }: Leaf): Literal {
    const field = fieldOf(spelling);
    const operator = operatorOf(written);
    const base = baseOf(operator);
    const { texts } = canonicalValue(field, operator, value);
    const canonical = canonicalTarget(field, target);
    const name = JSON.stringify([field, canonical, base, ...texts]);
    const predicate = this.#cached(name, () => definitions[field]({ name, target: canonical, base, texts }));
    return { predicate, positive: !isNegated(operator) };
  }

  /** The source of a rewrite rule as a condition on the path; no source matches the asterisk-form. */
  ofSource({ operator, sourcePattern }: Pick<RewriteRule, 'operator' | 'sourcePattern'>): Literal {
    const name = JSON.stringify(['source', operator, sourcePattern]);
    const literal = sourceLiteral(operator, sourcePattern);
    const made = () =>
      literal === undefined
        ? address(name, ['path'], () => withPart('path', sourcePaths(operator, sourcePattern)))
        : inPart(name, literal);
    return { predicate: this.#cached(name, made), positive: true };
  }

  /** Applies another predicate to a separate address. */
  ofRewritten(name: string, { predicate, positive }: Literal): Literal {
    const elsewhere = `${name} ${predicate.name}`;
    const made = (): PredicateDefinition => ({ ...predicate, name: elsewhere, variable: `rewritten:${name}` });
    return { predicate: this.#cached(elsewhere, made), positive };
  }

  /** A part of the address is a canonical text, or begins with it. */
  ofPart(literal: PartLiteral): Literal {
    const name = JSON.stringify(['part', literal.part, literal.text, literal.isWhole]);
    return { predicate: this.#cached(name, () => inPart(name, literal)), positive: true };
  }

  /** The path could be read as another one. */
  ofAmbiguousPath(): Literal {
    return this.ofAddress('ambiguous path', ['path'], () => withPart('path', ambiguousPaths()));
  }

  /** The path has several slashes in a row. */
  ofSlashRuns(): Literal {
    return this.ofAddress('slash runs', ['path'], () => withPart('path', withSlashRuns()));
  }

  /** The same condition on the address with the slashes of its path merged. */
  ofMerged(literal: Literal): Literal {
    if (!looksAtPath(literal)) return literal;
    const { predicate, positive } = literal;
    const set = () => beforeMerging(predicate.set?.() ?? noText);
    const merged = this.ofAddress(`merged ${predicate.name}`, predicate.parts ?? [], set);
    return positive ? merged : opposite(merged);
  }

  /** Any other condition on the address. */
  ofAddress(name: string, parts: readonly AddressPart[], set: () => Automaton): Literal {
    return { predicate: this.#cached(name, () => address(name, parts, set)), positive: true };
  }

  /** A plain fact has one of these values. */
  ofFact(variable: Variable, values: readonly string[]): Literal {
    const name = JSON.stringify([variable, ...values]);
    return { predicate: this.#cached(name, () => oneOfValues(name, variable, values)), positive: true };
  }

  #cached(name: string, make: () => PredicateDefinition): Predicate {
    const existing = this.#made.get(name);
    if (existing !== undefined) return existing;
    Predicates.#last += 1;
    const made = { ...make(), number: Predicates.#last };
    this.#made.set(name, made);
    return made;
  }
}

/** The function's result, computed on the first call. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const ofText = (name: string, variable: Variable, make: () => Automaton): PredicateDefinition => {
  const set = once(make);
  return { name, variable, set, fits: cachedMembership(set) };
};

const address = (name: string, parts: readonly AddressPart[], make: () => Automaton): PredicateDefinition => ({
  ...ofText(name, 'address', make),
  parts,
});

const inPart = (name: string, literal: PartLiteral): PredicateDefinition => ({
  ...address(name, [literal.part], () => literalSet(literal)),
  literal,
  fits: (value) => value !== null && describesWord(literal, value),
});

const maxCached = 2000;

/** Membership with a cache: the same few texts are tested repeatedly. */
function cachedMembership(set: () => Automaton): (value: VariableValue) => boolean {
  const answers = new Map<VariableValue, boolean>();
  return (value) => {
    const before = answers.get(value);
    if (before !== undefined) return before;
    if (answers.size >= maxCached) answers.clear();
    const fits = value !== null && holdsText(set(), value);
    answers.set(value, fits);
    return fits;
  };
}

const oneOfValues = (name: string, variable: Variable, values: readonly string[]): PredicateDefinition => {
  const all = once(() => new Set(values));
  return { name, variable, mentions: values, fits: (value) => value !== null && all().has(value) };
};

/** A condition in canonical form, without negation, and its name. */
interface Condition {
  readonly name: string;
  readonly target: string;
  readonly base: BaseOperator;
  readonly texts: readonly string[];
}

type Definition = (condition: Condition) => PredicateDefinition;

/** A condition on parts of the address; `within` makes the set of addresses from that of the condition's texts. */
const inAddress =
  (parts: readonly AddressPart[], within: (set: Automaton, target: string) => Automaton): Definition =>
  ({ name, target, base, texts }) =>
    address(name, parts, () => within(textSet(base, texts), target));

/** A condition on the text of one part of the address. */
const onPart =
  (part: PartLiteral['part'], within: (set: Automaton) => Automaton): Definition =>
  (condition) => {
    const { name, base, texts } = condition;
    const [text, ...others] = texts;
    const isWhole = base === 'equals' || base === 'in';
    return text !== undefined && others.length === 0 && (isWhole || base === 'starts_with')
      ? inPart(name, { part, text, isWhole })
      : inAddress([part], within)(condition);
  };

/** A condition on a header; `within` as above. */
const inHeader =
  (header: string, within: (set: Automaton, target: string) => Automaton = (set) => set): Definition =>
  ({ name, target, base, texts }) =>
    ofText(name, `header:${header}`, () => within(textSet(base, texts), target));

const inFact =
  (variable: Variable): Definition =>
  ({ name, base, texts }) =>
    base === 'exists'
      ? { name, variable, mentions: [], fits: (value) => value !== null }
      : oneOfValues(name, variable, texts);

const definitions: Readonly<Record<FieldName, Definition>> = {
  uri: onPart('path', (set) => withPart('path', set)),
  query: onPart('query', (set) => withPart('query', set)),
  url: inAddress(['scheme', 'host', 'path', 'query'], withUrl),
  queryParam: inAddress(['query'], (set, target) => withPart('query', withParameter(target, set))),
  extension: inAddress(['path'], (set) => withPart('path', withExtension(set))),
  host: onPart('host', withHost),
  scheme: ({ name, texts }) => address(name, ['scheme'], () => withScheme(texts)),
  header: (condition) => inHeader(condition.target)(condition),
  userAgent: inHeader('user-agent'),
  referer: inHeader('referer'),
  acceptLanguage: inHeader('accept-language'),
  cookie: inHeader('cookie', (set, target) => withCookie(target, set)),
  contentType: inHeader('content-type', (set) => withMediaType(readingLowerCase(set))),
  ip: ipPredicate,
  method: inFact('method'),
  country: inFact('country'),
  asn: inFact('asn'),
  status: inFact('status'),
};

/** Addresses are compared by the sets they form: lists have thousands. */
function ipPredicate({ name, texts }: Condition): PredicateDefinition {
  const addresses = () => addressesIn(texts);
  const fits = (value: VariableValue): boolean => {
    const parsed = value === null ? undefined : parseIpAddress(value);
    return parsed?.ok === true && hasAddress(addresses(), parsed.value);
  };
  return { name, variable: 'ip', addresses, fits };
}
