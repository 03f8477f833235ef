import { err, ok, type ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayReadBackends } from '../backends/backend-access.ts';
import {
  type LoadBalancerNotFound,
  loadBalancerNotFound,
  type OriginServerNotFound,
  originServerNotFound,
} from '../backends/errors.ts';
import type { BackendOfOrganization, BackendRevisionSummary } from '../history/backend-revision.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Page, PageRequest } from '../shared/page.ts';

export type ListBackendRevisions = (
  caller: Caller,
  backend: BackendOfOrganization,
  page: PageRequest,
) => ResultAsync<Page<BackendRevisionSummary>, OrganizationAccessError | OriginServerNotFound | LoadBalancerNotFound>;

/** The revisions of an origin server or load balancer, newest first; also of a deleted one, while they are kept. */
export const listBackendRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListBackendRevisions =>
  (caller, backend, page) =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, backend.organizationId)
        .andThen(() => repositories.backendHistory.list(backend, page))
        .andThen((found) => {
          // An existing backend always has a revision.
          if (found.totalItems > 0) return ok(found);
          return err(backend.kind === 'origin_server' ? originServerNotFound() : loadBalancerNotFound());
        }),
    );
