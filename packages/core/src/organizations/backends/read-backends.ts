import type { ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import { type OrganizationAccessError, permittedOrganization } from '../organizations/organization-access.ts';
import type { BackendId } from './backend-reference.ts';
import type { BackendRepositories } from './repositories.ts';

/** Reads something of the backends of an organization, for those who may. */
const reading =
  <Asked, Read, E>(
    read: (repositories: BackendRepositories, organization: OrganizationId, asked: Asked) => ResultAsync<Read, E>,
  ) =>
  ({ unitOfWork }: { unitOfWork: UnitOfWork<BackendRepositories> }) =>
  (caller: Caller, organization: OrganizationId, asked: Asked): ResultAsync<Read, OrganizationAccessError | E> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, organization, 'backends.read').andThen(() =>
        read(repositories, organization, asked),
      ),
    );

/** The origin servers of an organization, ordered by name. */
export const listOriginServers = reading(({ originServers }, organization, page: PageRequest) =>
  originServers.list(organization, page),
);

/** The load balancers of an organization, ordered by name. */
export const listLoadBalancers = reading(({ loadBalancers }, organization, page: PageRequest) =>
  loadBalancers.list(organization, page),
);

/** One origin server of an organization. */
export const readOriginServer = reading(({ originServers }, organization, id: BackendId) =>
  originServers.byId(organization, id),
);

/** One load balancer of an organization. */
export const readLoadBalancer = reading(({ loadBalancers }, organization, id: BackendId) =>
  loadBalancers.byId(organization, id),
);
