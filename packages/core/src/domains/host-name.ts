import { z } from 'zod';
import { firstBroken, issueAt, repetitions } from '../shared/constraints.ts';
import { usageLimits } from '../usage-limits/usage-limits.ts';
import { type DomainName, inALabels, maxNameLength, nameConstraints, withAncestors } from './domain-name.ts';

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
