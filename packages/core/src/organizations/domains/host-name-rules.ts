import { namesAnswering } from '@zonewright/engine';
import type { DomainId, OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import { coveringNames, type DomainName, type HostName } from './dns-names.ts';
import type { Domain, DomainState } from './domain.ts';

/** The installation's rules for host names. */
export interface HostNameRules {
  /** The host of the service itself, which no zone can have. */
  readonly own: string | undefined;
  /** `off`: every name counts as covered by a domain. */
  readonly verification: 'dns' | 'off';
}

/** The rules of storage that was not given any. */
export const strictHostNameRules: HostNameRules = { own: undefined, verification: 'dns' };

/** Whether the name would answer requests for the service itself. */
export const isOwn = ({ own }: HostNameRules, name: HostName | DomainName): boolean =>
  own !== undefined && namesAnswering(own).includes(name);

/** The zone that has a host name. */
export interface HostNameHolder {
  readonly zone: ZoneId;
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly tag: string;
  /** How its organization proves the name; undefined: it no longer does. */
  readonly proof: 'verified' | 'lapsing' | undefined;
}

/** What decides whether an organization can give host names to a zone. */
export interface HostNameFacts {
  readonly rules: HostNameRules;
  /** The domains of the organization that may cover the names. */
  readonly domains: readonly Pick<Domain, 'id' | 'name' | 'state'>[];
  /** Which other zones have the names. */
  readonly holders: ReadonlyMap<HostName, HostNameHolder>;
  /** Whether the caller may read a zone; by default no zone is named. */
  readonly mayRead?: (holder: HostNameHolder) => boolean;
}

/** A host name that a zone is to get, and the domain that covers it, if names have to be covered. */
export interface HostNameClaim {
  readonly name: HostName;
  readonly domain: DomainId | undefined;
  /** The zone that loses the name, because its organization no longer proves it. */
  readonly from?: ZoneId;
}

/** The host names that a zone is to have, and those of them that it does not have yet. */
export interface WantedHostNames {
  readonly names: readonly HostName[];
  readonly claims: readonly HostNameClaim[];
}

/** Why a zone cannot have a host name; undefined: it can. */
function hostNameRefusal(
  name: HostName,
  { rules, domains, holders, mayRead }: HostNameFacts,
): Pick<Violation, 'code' | 'message'> | undefined {
  if (isOwn(rules, name)) return ownName;
  const holder = holders.get(name);
  if (holder !== undefined && !isLosing(holder, name, { rules, domains }))
    return takenName(mayRead?.(holder) === true ? holder : undefined);
  return rules.verification === 'off' || coveringDomain(name, domains) !== undefined ? undefined : notCovered;
}

/** Whether the zone that has the name loses it to an organization that has just proven it, which a lapsing domain does not. */
const isLosing = (
  { proof }: HostNameHolder,
  name: HostName,
  { rules, domains }: Pick<HostNameFacts, 'rules' | 'domains'>,
): boolean =>
  proof === undefined && rules.verification === 'dns' && coveringDomain(name, domains)?.state === 'verified';

/** The names that others have by a domain that is lapsing, although the organization has proven them. */
export const contested = (
  organization: OrganizationId,
  { domains, holders }: Pick<HostNameFacts, 'domains' | 'holders'>,
): readonly (readonly [HostName, HostNameHolder])[] =>
  [...holders].filter(
    ([name, { organizationId, proof }]) =>
      organizationId !== organization && proof === 'lapsing' && coveringDomain(name, domains)?.state === 'verified',
  );

/** The violation at each name that the zone cannot have, by its place in the list. */
export const hostNameViolations = (
  names: readonly HostName[],
  refusalOf: (name: HostName) => Pick<Violation, 'code' | 'message'> | undefined,
): readonly Violation[] =>
  names.flatMap((name, index) => {
    const refusal = refusalOf(name);
    return refusal === undefined ? [] : [violation(`hostnames[${index}]`, refusal.code, refusal.message)];
  });

/** The violation of a list that is longer than the limit; one that does not grow may stay. */
export const tooManyHostNames = (
  names: readonly HostName[],
  before: readonly HostName[],
  { hostnames }: UsageLimits,
): readonly Violation[] =>
  names.length > hostnames && names.length > before.length
    ? [violation('hostnames', 'list.tooLong', fullMessage('A zone', hostnames, 'host names'))]
    : [];

/** The claim of each name, with the closest domain that covers it. */
const claimsOf = (names: readonly HostName[], { rules, domains, holders }: HostNameFacts): readonly HostNameClaim[] =>
  names.map((name) => {
    const from = holders.get(name)?.zone;
    const domain = rules.verification === 'off' ? undefined : coveringDomain(name, domains)?.id;
    return { name, domain, ...(from === undefined ? {} : { from }) };
  });

/** Those of the names that the zone does not have yet. */
export function newNames(names: readonly HostName[], before: readonly HostName[]): readonly HostName[] {
  const present = new Set(before);
  return names.filter((name) => !present.has(name));
}

/** The states in which a domain covers host names. */
const coveringStates: readonly DomainState[] = ['verified', 'lapsing'];

/** The closest verified or lapsing domain that is the name or above it. */
export function coveringDomain<D extends Pick<Domain, 'name' | 'state'>>(
  name: HostName,
  domains: readonly D[],
): D | undefined {
  const covering = new Map(
    domains.flatMap((domain) => (coveringStates.includes(domain.state) ? [[domain.name, domain]] : [])),
  );
  return coveringNames(name)
    .map((each) => covering.get(each))
    .find((domain) => domain !== undefined);
}

const ownName = { code: 'hostname.own', message: 'This is the name of the service itself.' };

const notCovered = {
  code: 'hostname.notCovered',
  message: 'The organization has not proven that it controls this name or one above it: add a domain and verify it.',
};

/** The violation code and message for a name that another zone has, named only to those who may read it. */
export const takenName = (holder: Pick<HostNameHolder, 'name' | 'tag'> | undefined) => ({
  code: 'hostname.taken',
  message:
    holder === undefined
      ? 'Another zone has this host name.'
      : `The zone "${holder.name}" (${holder.tag}) has this host name.`,
});

/** What host names are decided on. */
export interface HostNameBasis {
  /** Those that the zone has. */
  readonly held: readonly HostName[];
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
export function decidedHostNames(names: readonly HostName[], { held, limits, facts }: HostNameBasis): DecidedHostNames {
  const fresh = new Set(newNames(names, held));
  const refusalOf = (name: HostName) =>
    facts === undefined || !fresh.has(name) ? undefined : hostNameRefusal(name, facts);
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
