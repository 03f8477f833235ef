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

/** What happened to an origin server or a load balancer, newest first; also to one that was deleted, while it is kept. */
export const listBackendRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListBackendRevisions =>
  (caller, backend, page) =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, backend.organizationId)
        .andThen(() => repositories.backendHistory.list(backend, page))
        .andThen((found) => {
          // A backend that is there has a revision.
          if (found.totalItems > 0) return ok(found);
          return err(backend.kind === 'origin_server' ? originServerNotFound() : loadBalancerNotFound());
        }),
    );
