import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { OrganizationName } from './organization.ts';
import type { Role } from './role.ts';

/** Organizations and who belongs to them. */
export interface Organizations {
  /** Founds an organization with one member, its owner. */
  found(organization: { readonly name: OrganizationName; readonly owner: UserId }): ResultAsync<OrganizationId, never>;
  /** The user's role now; it cannot change before the unit ends. Undefined: no member, or no such organization. */
  lockRole(organization: OrganizationId, user: UserId): ResultAsync<Role | undefined, never>;
  /** Makes other units that add zones to the organization wait; resolves to the number of its zones. */
  lockZoneCount(organization: OrganizationId): ResultAsync<number, never>;
}
