import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Dependencies } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { BackendId } from './backend-reference.ts';
import { lockForNewBackend } from './backend-write.ts';
import type { LoadBalancer, LoadBalancerDraft } from './load-balancer.ts';
import {
  loadBalancerClashed,
  lockOriginServers,
  requireRoomForOrigins,
  requireValidLoadBalancer,
} from './load-balancer-write.ts';

/** Adds a load balancer over origin servers of the same organization. */
export const createLoadBalancer =
  ({ unitOfWork, randomness }: Pick<Dependencies, 'unitOfWork' | 'randomness'>) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    draft: LoadBalancerDraft,
  ): ResultAsync<LoadBalancer, OrganizationAccessError | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { limits } = yield* lockForNewBackend(repositories, caller, organizationId);
        yield* requireRoomForOrigins(limits, draft);
        const written = { id: BackendId.parse(randomness.uuid()), organizationId, ...draft };
        const named = draft.origins.map(({ originServer }) => originServer);
        const locked = yield* lockOriginServers(repositories, organizationId, named);
        yield* requireValidLoadBalancer(repositories, written, locked);
        const stamp = yield* repositories.loadBalancers.add(written, caller.userId).mapErr(loadBalancerClashed);
        const objects = { loadBalancer: written.id };
        yield* record(repositories, caller, 'loadBalancer.created', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );
