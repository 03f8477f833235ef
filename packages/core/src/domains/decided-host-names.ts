import type { OrganizationId } from '../shared/ids.ts';
import type { Violation } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { HostName } from './host-name.ts';
import {
  claimsOf,
  type HostNameFacts,
  hostNameRefusal,
  hostNameViolations,
  newNames,
  tooManyHostNames,
  type WantedHostNames,
} from './host-name-rules.ts';

/** What host names are decided on. */
export interface HostNameBasis {
  /** Those that the zone has. */
  readonly held: readonly HostName[];
  readonly organization: OrganizationId;
  readonly limits: UsageLimits;
  /** What was looked up about the new ones; needed if there are any. */
  readonly facts: HostNameFacts | undefined;
}

/** Host names as a zone can have them, with a violation at each one that it cannot have. */
export interface DecidedHostNames {
  readonly wanted: WantedHostNames;
  readonly violations: readonly Violation[];
  readonly refused: readonly HostName[];
}

/** Decides which host names a zone can have. Those it has may stay, whatever has become of their domains. */
export function decidedHostNames(
  names: readonly HostName[],
  { held, organization, limits, facts }: HostNameBasis,
): DecidedHostNames {
  const fresh = new Set(newNames(names, held));
  const refusalOf = (name: HostName) =>
    facts === undefined || !fresh.has(name) ? undefined : hostNameRefusal(name, facts, organization);
  const refused = names.filter((name) => refusalOf(name) !== undefined);
  return {
    wanted: { names, claims: facts === undefined ? [] : claimsOf([...fresh], facts) },
    violations: [...tooManyHostNames(names, held, limits), ...hostNameViolations(names, refusalOf)],
    refused,
  };
}

/** The same without the names that the zone cannot have. */
export function withoutRefused({ wanted: { names, claims }, refused }: DecidedHostNames): WantedHostNames {
  const left = new Set(refused);
  return {
    names: names.filter((name) => !left.has(name)),
    claims: claims.filter(({ name }) => !left.has(name)),
  };
}
