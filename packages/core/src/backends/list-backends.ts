import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import { mayReadBackends } from './backend-access.ts';
import type { LoadBalancer } from './load-balancer.ts';
import type { OriginServer } from './origin-server.ts';

/** Backends of one kind. */
interface Listed<Backend> {
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<Backend>, never>;
}

const listing =
  <Backend>(backendsIn: (repositories: Repositories) => Listed<Backend>) =>
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    page: PageRequest,
  ): ResultAsync<Page<Backend>, OrganizationAccessError> =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, organization).andThen(() =>
        backendsIn(repositories).list(organization, page),
      ),
    );

/** The origin servers of an organization, ordered by name. */
export const listOriginServers = listing<OriginServer>(({ originServers }) => originServers);

/** The load balancers of an organization, ordered by name. */
export const listLoadBalancers = listing<LoadBalancer>(({ loadBalancers }) => loadBalancers);
