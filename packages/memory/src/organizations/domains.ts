import {
  contested,
  coveringNames,
  type Domain,
  type DomainChecks,
  type DomainId,
  type Domains,
  domainInUse,
  domainNameTaken,
  domainNotFound,
  type HostName,
  type HostNameFacts,
  type HostNameHolder,
  type OrganizationId,
  type Zone,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from '../pages.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { DomainRow } from '../tables/domain-rows.ts';
import type { Tables, Unit } from '../tables/tables.ts';

export const memoryDomains = ({ tables, now }: Unit): Domains => {
  const { domains } = tables;
  const find = (organization: OrganizationId, id: DomainId): Domain | undefined => {
    const domain = domains.get(id)?.domain;
    return domain?.organizationId === organization ? domain : undefined;
  };
  return {
    add: ({ firstCheckSeconds, ...domain }) => {
      if (domainsOf(tables, domain.organizationId).some(({ name }) => name === domain.name)) {
        return errAsync(domainNameTaken());
      }
      const added: Domain = {
        ...domain,
        state: 'pending',
        createdAt: now(),
        updatedAt: now(),
        checkedAt: undefined,
        nextCheckAt: secondsAfter(now(), firstCheckSeconds),
        verifiedAt: undefined,
        problem: undefined,
        revision: 1,
      };
      domains.set(domain.id, { domain: added, stateSince: now(), misses: 0, missingSince: undefined });
      return okAsync(added);
    },
    list: (organization, page) =>
      okAsync(
        pageOf(
          sortedBy(domainsOf(tables, organization), ({ name, id }) => [name, id]),
          page,
        ),
      ),
    byId: (organization, id) => {
      const domain = find(organization, id);
      return domain === undefined ? errAsync(domainNotFound()) : okAsync(domain);
    },
    count: (organization) => okAsync(domainsOf(tables, organization).length),
    named: (organization, names) => okAsync(domainsOf(tables, organization).filter(({ name }) => names.includes(name))),
    remove: (organization, id) => {
      const domain = find(organization, id);
      if (domain === undefined) return errAsync(domainNotFound());
      if (coversSome(tables, domain)) return errAsync(domainInUse());
      domains.delete(id);
      return okAsync();
    },
  };
};

const domainsOf = ({ domains }: Tables, organization: OrganizationId): readonly Domain[] =>
  [...domains.values()].flatMap(({ domain }) => (domain.organizationId === organization ? [domain] : []));

const coversSome = ({ zones }: Tables, { organizationId, name }: Domain): boolean =>
  [...zones.values()].some(
    (zone) =>
      zone.organizationId === organizationId && zone.hostnames.some((each) => coveringNames(each).includes(name)),
  );

export const memoryDomainChecks = ({ tables: { domains }, now }: Unit): DomainChecks => ({
  claim: (leaseSeconds) => {
    const due = sortedBy(
      [...domains.values()].filter(({ domain: { nextCheckAt } }) => nextCheckAt !== undefined && nextCheckAt <= now()),
      ({ domain }) => [domain.nextCheckAt ?? now(), domain.id],
    );
    const [row] = due;
    if (row === undefined) return okAsync(undefined);
    const domain = { ...row.domain, nextCheckAt: secondsAfter(now(), leaseSeconds) };
    domains.set(domain.id, { ...row, domain });
    return okAsync(domain);
  },
  lock: (id) => {
    const row = domains.get(id);
    if (row === undefined) return errAsync(domainNotFound());
    const since = (date: Date) => (now().getTime() - date.getTime()) / 1000;
    return okAsync({
      domain: row.domain,
      ageSeconds: since(row.domain.createdAt),
      stateSeconds: since(row.stateSince),
      misses: row.misses,
      missingSeconds: row.missingSince === undefined ? 0 : since(row.missingSince),
    });
  },
  record: (id, after) => {
    const row = rowAfter(domains.get(id), after, now());
    domains.set(id, row);
    return okAsync(row.domain);
  },
});

function rowAfter(
  row: DomainRow | undefined,
  { state, problem, misses, nextCheckSeconds }: Parameters<DomainChecks['record']>[1],
  at: Date,
): DomainRow {
  if (row === undefined) throw new Error('A check of a domain was recorded without locking it.');
  const isNew = row.domain.state !== state;
  return {
    stateSince: isNew ? at : row.stateSince,
    misses,
    missingSince: misses === 0 ? undefined : (row.missingSince ?? at),
    domain: {
      ...row.domain,
      state,
      problem,
      checkedAt: at,
      nextCheckAt: secondsAfter(at, nextCheckSeconds),
      updatedAt: isNew ? at : row.domain.updatedAt,
      verifiedAt: isNew && state === 'verified' ? at : row.domain.verifiedAt,
      revision: row.domain.revision + 1,
    },
  };
}

/** What decides whether a zone can have the host names. */
export function hostNameFacts(
  unit: Unit,
  { id, organizationId }: Pick<Zone, 'id' | 'organizationId'>,
  names: readonly HostName[],
): HostNameFacts {
  const { tables, hostNameRules: rules } = unit;
  const holders = names.flatMap((name) => {
    const holder = holderOf(tables, name);
    return holder === undefined || holder.zone === id ? [] : [[name, holder] as const];
  });
  const domains = names.length === 0 ? [] : domainsOf(tables, organizationId);
  const facts = { rules, domains, holders: new Map(holders) };
  checkSoon(unit, organizationId, facts);
  return facts;
}

/** The zone that has a host name. */
export function holderOf(tables: Tables, hostname: HostName): HostNameHolder | undefined {
  for (const { id, organizationId, name, tag, hostnames } of tables.zones.values()) {
    if (hostnames.includes(hostname)) {
      return { zone: id, organizationId, name, tag, proof: proofOf(tables, organizationId, hostname) };
    }
  }
  return undefined;
}

/** How an organization proves a host name. */
function proofOf(tables: Tables, organization: OrganizationId, name: HostName): HostNameHolder['proof'] {
  const covering = new Set<string>(coveringNames(name));
  const states = new Set(
    domainsOf(tables, organization).flatMap((each) => (covering.has(each.name) ? each.state : [])),
  );
  return (['verified', 'lapsing'] as const).find((state) => states.has(state));
}

/** Makes the domains due by which others still have one of the names, if the organization has verified one that covers it. */
const checkSoon = (unit: Unit, organization: OrganizationId, facts: HostNameFacts): void => {
  const { tables, now } = unit;
  for (const [name, holder] of contested(organization, facts)) {
    const covering = new Set<string>(coveringNames(name));
    for (const { id, state, name: domain, checkedAt } of domainsOf(tables, holder.organizationId)) {
      const row = tables.domains.get(id);
      const isDue = state === 'lapsing' && covering.has(domain) && isLongAgo(checkedAt, now());
      if (isDue && row !== undefined) tables.domains.set(id, { ...row, domain: { ...row.domain, nextCheckAt: now() } });
    }
  }
};

const isLongAgo = (checkedAt: Date | undefined, at: Date): boolean =>
  checkedAt === undefined || secondsAfter(checkedAt, 60) <= at;
