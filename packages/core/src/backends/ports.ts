import type { ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../shared/ids.ts';
import type { BackendReference } from '../zones/backend-reference.ts';

/** Origin servers and load balancers of organizations. */
export interface Backends {
  /** Whether the organization has the backend; it cannot be deleted before the unit ends. */
  lockIfPresent(organization: OrganizationId, backend: BackendReference): ResultAsync<boolean, never>;
}
