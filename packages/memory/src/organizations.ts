import { OrganizationId, type Organizations } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Unit } from './tables.ts';

export const memoryOrganizations = ({ tables: { organizations, zones } }: Unit): Organizations => ({
  found: ({ name, owner }) => {
    const id = OrganizationId.parse(organizations.size + 1);
    organizations.set(id, { name, members: new Map([[owner, 'owner']]), backends: [] });
    return okAsync(id);
  },
  lockRole: (organization, user) => okAsync(organizations.get(organization)?.members.get(user)),
  lockZoneCount: (organization) =>
    okAsync([...zones.values()].filter((zone) => zone.organizationId === organization).length),
});
