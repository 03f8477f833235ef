import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { backendVersion } from './backend.ts';
import { mayWriteBackends } from './backend-access.ts';
import type { BackendId } from './backend-reference.ts';
import { isSameDocument } from './backend-write.ts';
import type { LoadBalancerNotFound } from './errors.ts';
import { type LoadBalancer, LoadBalancerDraft, loadBalancerDocument, originsNamedIn } from './load-balancer.ts';
import {
  loadBalancerClashed,
  lockOriginServers,
  requireRoomForOrigins,
  requireValidLoadBalancerChange,
} from './load-balancer-write.ts';

export type UpdateLoadBalancerError = OrganizationAccessError | LoadBalancerNotFound | VersionMismatch | InvalidInput;

/**
 * Applies a merge patch (RFC 7396) to a load balancer; a list of origins replaces the previous one. A patch that
 * changes nothing leaves no trace.
 */
export const updateLoadBalancer =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    id: BackendId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<LoadBalancer, UpdateLoadBalancerError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { loadBalancers } = repositories;
        const { limits } = yield* mayWriteBackends(repositories, caller, organizationId);
        const locked = yield* lockOriginServers(repositories, organizationId, originsNamedIn(patch));
        const current = yield* loadBalancers.lock(organizationId, id);
        yield* requireVersion(expected, backendVersion(current));
        const before = loadBalancerDocument(current);
        const draft = yield* parseDocument(LoadBalancerDraft, mergePatch(before, patch));
        const after = loadBalancerDocument(draft);
        if (isSameDocument(before, after)) return ok(current);
        yield* requireRoomForOrigins(limits, draft, current.origins.length);
        const originsChange = !isSameDocument(before.origins, after.origins);
        const written = { id, organizationId, ...draft };
        yield* requireValidLoadBalancerChange(repositories, written, { originsChange, locked });
        // Unchanged origins are not written: that would lock origin servers after the load balancer, against the lock
        // order.
        const change = { author: caller.userId, originsChange };
        const stamp = yield* loadBalancers.save(written, change).mapErr(loadBalancerClashed);
        const objects = { loadBalancer: id };
        yield* record(repositories, caller, 'loadBalancer.changed', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );
