import {
  nameKey,
  type Organization,
  OrganizationId,
  type OrganizationNotFound,
  type Organizations,
  organizationNotFound,
} from '@zonewright/core';
import { err, ok, okAsync, type Result } from 'neverthrow';
import { codePointKey, pageOf, sortedBy } from '../pages.ts';
import { removeDeletedZones } from '../tables/cascades.ts';
import type { OrganizationRow } from '../tables/organization-rows.ts';
import { type Tables, type Unit } from '../tables/tables.ts';
import { userLimit } from './limit-overrides.ts';
import { organizationsOf, storedOrganization } from './memberships.ts';

export const memoryOrganizations = ({ tables, now, limits, limitsWith }: Unit): Organizations => {
  const { organizations } = tables;
  const shown = organizationIn(limitsWith);
  const byId = (id: OrganizationId): Result<Organization, OrganizationNotFound> => {
    const row = organizations.get(id);
    return row === undefined ? err(organizationNotFound()) : ok(shown(id, row));
  };
  return {
    create: ({ name, owner }) => {
      const id = nextId(tables);
      const stamp = { createdAt: now(), updatedAt: now(), revision: 1 };
      const members = new Map([[owner, { role: 'owner' as const, joinedAt: now() }]]);
      const row = { name, enforceTwoFactor: false, ...stamp, members, retention: {} };
      organizations.set(id, row);
      return okAsync(shown(id, row));
    },
    lockOwned: (user) => {
      const owned = organizationsOf(tables, user).filter(([, { members }]) => members.get(user)?.role === 'owner');
      return okAsync({ used: owned.length, limit: userLimit({ tables, limits }, user, 'organizations') });
    },
    list: (ids, page) => {
      const present = [...organizations].filter(([id]) => ids.includes(id)).map(([id, row]) => shown(id, row));
      const byName = sortedBy(present, ({ name, id }) => [codePointKey(nameKey(name)), id]);
      return okAsync(pageOf(byName, page));
    },
    byId: (id) => byId(id).asyncAndThen((organization) => okAsync(organization)),
    lock: (id) => byId(id).asyncAndThen((organization) => okAsync(organization)),
    save: (id, settings) => {
      const { requiredProvider: _, ...row } = storedOrganization(tables, id);
      const saved = { ...row, ...settings, updatedAt: now(), revision: row.revision + 1 };
      organizations.set(id, saved);
      return okAsync(shown(id, saved));
    },
    remove: (id) => {
      if (zoneCount(tables, id) > 0) throw new Error('An organization with zones cannot be removed.');
      removeOrganization(tables, id);
      return okAsync();
    },
  };
};

/** Removes an organization without zones, with everything in it. */
export function removeOrganization(tables: Tables, id: OrganizationId): void {
  removeOf(id, tables.invitations);
  removeOf(id, tables.loadBalancers);
  removeOf(id, tables.originServers);
  for (const [domain, row] of tables.domains) if (row.domain.organizationId === id) tables.domains.delete(domain);
  removeDeletedZones(tables, id);
  for (const [backend, [first]] of tables.backendRevisions)
    if (first?.backend.organizationId === id) tables.backendRevisions.delete(backend);
  tables.organizations.delete(id);
}

/** The organization of a row, with the limits in force. */
export const organizationIn =
  (limitsWith: Unit['limitsWith']) =>
  (id: OrganizationId, { members: _, limits: own, retention: __, ...row }: OrganizationRow): Organization => ({
    id,
    ...row,
    limits: limitsWith(own),
  });

/** Removes the rows that belong to the organization. */
function removeOf<K>(organization: OrganizationId, rows: Map<K, { readonly organizationId: OrganizationId }>): void {
  for (const [id, { organizationId }] of rows) if (organizationId === organization) rows.delete(id);
}

function nextId({ organizations, lastIds }: Tables): OrganizationId {
  const id = OrganizationId.parse(Math.max(lastIds.get('organization') ?? 0, ...organizations.keys()) + 1);
  lastIds.set('organization', id);
  return id;
}

/** The number of zones of an organization. */
export const zoneCount = ({ zones }: Tables, organization: OrganizationId): number =>
  [...zones.values()].filter(({ organizationId }) => organizationId === organization).length;
