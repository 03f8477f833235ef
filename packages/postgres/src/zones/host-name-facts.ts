import {
  contested,
  coveringNames,
  type DomainId,
  type DomainName,
  type DomainState,
  type EnvironmentTag,
  type HostName,
  type HostNameClaim,
  type HostNameFacts,
  type HostNameHolder,
  type HostNameRules,
  type OrganizationId,
  type Zone,
  type ZoneId,
  type ZoneName,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { many, run } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface DomainRow {
  readonly kind: 'domain';
  readonly id: DomainId;
  readonly name: DomainName;
  readonly state: DomainState;
}

interface HolderRow {
  readonly kind: 'zone';
  readonly id: ZoneId;
  readonly name: HostName;
  readonly organizationId: OrganizationId;
  readonly zoneName: ZoneName;
  readonly tag: EnvironmentTag;
  readonly proof: 'verified' | 'lapsing' | null;
}

/** A contested domain is looked at at once, but no more often. */
const secondsBetweenChecks = 60;

/** What decides whether a zone can have the host names, as of now. */
export function hostNameFacts(
  on: Connection,
  rules: HostNameRules,
  { id: zone, organizationId: organization }: Pick<Zone, 'id' | 'organizationId'>,
  hostnames: readonly HostName[],
): ResultAsync<HostNameFacts, never> {
  if (hostnames.length === 0) return okAsync({ rules, domains: [], holders: new Map() });
  const domains = [...new Set(hostnames.flatMap(coveringNames))];
  return many<DomainRow | HolderRow>(on, sql.zoneChanges.hostNames, { organization, zone, hostnames, domains })
    .map((rows) => ({
      rules,
      domains: rows.filter((row) => row.kind === 'domain'),
      holders: new Map(rows.flatMap((row) => (row.kind === 'domain' ? [] : [[row.name, holderIn(row)]]))),
    }))
    .andThrough((facts) => {
      const names = contested(organization, facts).map(([name]) => name);
      return names.length === 0
        ? okAsync()
        : run(on, sql.zoneChanges.checkSoon, { names, seconds: secondsBetweenChecks });
    });
}

const holderIn = ({ id: zone, organizationId, zoneName: name, tag, proof }: HolderRow): HostNameHolder => ({
  zone,
  organizationId,
  name,
  tag,
  proof: proof ?? undefined,
});

/** The values for the statements that claim host names. */
export const claimValues = (claims: readonly HostNameClaim[]) => ({
  claimedNames: claims.map(({ name }) => name),
  coveringDomains: claims.map(({ domain }) => domain ?? null),
});
