import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import { mayReadBackends } from './backend-access.ts';
import type { LoadBalancer } from './load-balancer.ts';

/** The load balancers of an organization, ordered by name. */
export const listLoadBalancers =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    page: PageRequest,
  ): ResultAsync<Page<LoadBalancer>, OrganizationAccessError> =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, organization).andThen(() =>
        repositories.loadBalancers.list(organization, page),
      ),
    );
