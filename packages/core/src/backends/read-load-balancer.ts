import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { mayReadBackends } from './backend-access.ts';
import type { BackendId } from './backend-reference.ts';
import type { LoadBalancerNotFound } from './errors.ts';
import type { LoadBalancer } from './load-balancer.ts';

/** One load balancer of an organization. */
export const readLoadBalancer =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: BackendId,
  ): ResultAsync<LoadBalancer, OrganizationAccessError | LoadBalancerNotFound> =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, organization).andThen(() =>
        repositories.loadBalancers.byId(organization, id),
      ),
    );
