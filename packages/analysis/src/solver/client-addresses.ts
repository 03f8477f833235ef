import { formatIpAddress, type IpAddress, parseIpAddress } from '@zonewright/engine';
import type { Spending } from '../texts/budget.ts';
import {
  type AddressLines,
  allAddresses,
  anyAddresses,
  boundsOf,
  commonAddresses,
  firstAddresses,
  hasAddress,
  noAddresses,
  otherAddresses,
} from './address-lines.ts';
import type { Clause, Clauses } from './clauses.ts';
import { defaultFacts } from './plain-facts.ts';
import type { Literal } from './predicates.ts';

/** Typical addresses of clients, most typical first. */
const typicalAddresses: readonly IpAddress[] = [defaultFacts.ip, '198.51.100.1', '2001:db8::1'].flatMap((text) => {
  const address = parseIpAddress(text);
  return address.ok ? [address.value] : [];
});

/** Number of bounds whose comparison takes about as long as creating a state. */
const boundsAsOne = 16;
/** Number of membership tests that do. */
const testsAsOne = 4;
/** Maximum number of intervals whose first address is tried before the sets are intersected. */
const maxTried = 8;

/**
 * A client address that satisfies all clauses; `none`: proven not to exist; `undecided`: out of budget. Typical addresses
 * are tried first, then the beginnings of the shortest list: most lists have little in common, so one of them nearly
 * always fits, and lists are long.
 */
export function clientSatisfying(clauses: Clauses, spending: Spending): IpAddressAnswer {
  const tried = [...typicalAddresses, ...firstAddresses(shortest(clauses), maxTried)];
  const literals = clauses.reduce((sum, { length }) => sum + length, 0);
  if (!spending.take(Math.ceil((tried.length * literals) / testsAsOne))) return 'undecided';
  for (const address of tried) {
    const fits = fitsAll(address, clauses, spending);
    if (fits === 'undecided') return fits;
    if (fits) return { value: formatIpAddress(address) };
  }
  return intersected(clauses, spending);
}

/** As of a single variable. */
type IpAddressAnswer = { readonly value: string } | 'none' | 'undecided';

const setOf = ({ predicate: { addresses } }: Literal): AddressLines => addresses?.() ?? noAddresses;

/** The shortest list that one of the addresses must be in. */
function shortest(clauses: Clauses): AddressLines {
  const lists = clauses.flatMap(([literal, ...others]) =>
    literal?.positive === true && others.length === 0 ? [setOf(literal)] : [],
  );
  return lists.reduce((best, each) => (boundsOf(each) < boundsOf(best) ? each : best), lists[0] ?? noAddresses);
}

function fitsAll(address: IpAddress, clauses: Clauses, spending: Spending): boolean | 'undecided' {
  for (const clause of clauses) {
    if (!spending.isInTime) return 'undecided';
    if (!clause.some((literal) => hasAddress(setOf(literal), address) === literal.positive)) return false;
  }
  return true;
}

function intersected(clauses: Clauses, spending: Spending): IpAddressAnswer {
  const bounds = clauses.reduce((sum, clause) => sum + clause.reduce((own, each) => own + boundsOf(setOf(each)), 0), 0);
  if (!spending.take(Math.ceil(bounds / boundsAsOne))) return 'undecided';
  const sets: AddressLines[] = [];
  for (const clause of clauses) {
    const set = combined(clause.map(signedSet), anyAddresses, noAddresses, spending);
    if (set === undefined) return 'undecided';
    sets.push(set);
  }
  const common = combined(sets, commonAddresses, allAddresses, spending);
  if (common === undefined) return 'undecided';
  const [first] = firstAddresses(common, 1);
  return first === undefined ? 'none' : { value: formatIpAddress(first) };
}

const signedSet = (literal: Clause[number]): AddressLines =>
  literal.positive ? setOf(literal) : otherAddresses(setOf(literal));

/** Joins sets in pairs, then the results, and so on; undefined: out of time. */
function combined(
  sets: readonly AddressLines[],
  join: (one: AddressLines, other: AddressLines) => AddressLines,
  none: AddressLines,
  spending: Spending,
): AddressLines | undefined {
  let left = sets;
  while (left.length > 1) {
    const joined: AddressLines[] = [];
    for (let at = 0; at < left.length; at += 2) {
      if (!spending.isInTime) return undefined;
      const [one = none, other] = left.slice(at, at + 2);
      joined.push(other === undefined ? one : join(one, other));
    }
    left = joined;
  }
  return left[0] ?? none;
}
