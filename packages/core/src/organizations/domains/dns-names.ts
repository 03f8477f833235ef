import { getPublicSuffix } from 'tldts';
import { toASCII, toUnicode } from 'tr46';
import { z } from 'zod';
import { type Constraint, firstBroken, issueAt, repetitions } from '../../kernel/shared/constraints.ts';
import { usageLimits } from '../../kernel/usage-limits/usage-limits.ts';

/** The longest name in characters (RFC 1035 section 2.3.4, without the final dot). */
const maxNameLength = 253;

/** Longer texts are not converted: no name in Unicode is longer than its A-labels. */
const maxInputLength = 2 * maxNameLength;

/** UTS 46, non-transitional: straße.de and strasse.de are two names. */
const processing = { useSTD3ASCIIRules: true, checkBidi: true, checkJoiners: true, verifyDNSLength: true } as const;

/** The name in lower-case A-labels (RFC 5890 section 2.3.2.1), or as written if it has none. */
const inALabels = (name: string): string => (name.length > maxInputLength ? name : (toASCII(name, processing) ?? name));

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels (RFC 1123 section 2.1); the last one begins with a letter, unlike that of an IPv4 address. */
const name = new RegExp(`^(?:${label}\\.)+(?!\\d+$|0x)${label}$`);

/** A-labels have to be those of a name in Unicode. */
const isName = (value: string): boolean =>
  value.length <= maxNameLength &&
  name.test(value) &&
  (!value.includes('xn--') || toASCII(value, processing) === value);

/** What a name must fulfil, in the order in which it is reported. `nameIn` picks the name out of the value. */
const nameConstraints = (nameIn: (value: string) => string): readonly Constraint<string>[] => [
  {
    holds: (value) => isName(nameIn(value)),
    code: 'hostname.syntax',
    message: 'This value should be a DNS name of at least two labels, such as www.example.com.',
  },
  {
    holds: (value) => getPublicSuffix(nameIn(value), { allowPrivateDomains: true }) !== nameIn(value),
    code: 'hostname.publicSuffix',
    message: 'Anyone can register names below this one, so nobody can own it.',
  },
];

/** The name and the names above it, the longest first, down to two labels. */
function withAncestors(of: string): readonly string[] {
  const labels = of.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** A DNS name that someone can control: lower-case A-labels, at least two of them, and no public suffix. */
export const DomainName = z
  .string()
  .overwrite(inALabels)
  .check(firstBroken(...nameConstraints((value) => value)))
  .meta({ minLength: 1, maxLength: maxNameLength })
  .brand<'DomainName'>();
export type DomainName = z.infer<typeof DomainName>;

/** The name as people read it; undefined if it is the same. */
export function unicodeNameOf(name: DomainName): string | undefined {
  const unicode = toUnicode(name, processing).domain;
  return unicode === name ? undefined : unicode;
}

const wildcard = '*.';

/** The name without the wildcard before it. */
const withoutWildcard = (name: string): string => (name.startsWith(wildcard) ? name.slice(wildcard.length) : name);

const normalized = (name: string): string =>
  name.startsWith(wildcard) ? `${wildcard}${inALabels(withoutWildcard(name))}` : inALabels(name);

/** A name whose requests a zone answers, like that of a domain, or `*.` before one for exactly one label. */
export const HostName = z
  .string()
  .overwrite(normalized)
  .check(firstBroken(...nameConstraints(withoutWildcard)))
  .meta({ minLength: 1, maxLength: maxNameLength + wildcard.length })
  .brand<'HostName'>();
export type HostName = z.infer<typeof HostName>;

const repeated = { code: 'hostname.duplicate', message: 'This name is already in the list.' };

/** The host names of a zone, each once. How many a zone can have is one of the operator's limits. */
export const HostNames = z
  .array(HostName)
  .max(usageLimits.hostnames.ceiling)
  .check(({ value, issues }) => {
    for (const index of repetitions(value)) issues.push(issueAt([index], value[index], repeated));
  })
  .meta({ uniqueItems: true });

/** The names of the domains that cover a host name: the name itself and those above it. */
export const coveringNames = (name: HostName): readonly DomainName[] =>
  // Every name above a valid one, down to two labels, is one that a domain may have.
  withAncestors(withoutWildcard(name)) as readonly DomainName[];
