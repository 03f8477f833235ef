import { okAsync, type ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import { type InvalidInput, invalidInput, requireNone, type Violation, violation } from '../shared/violation.ts';
import { addressKey } from './address.ts';
import { breaksUsers } from './backend-write.ts';
import type { OriginServer, WrittenOriginServer } from './origin-server.ts';
import type { OriginServerClash } from './ports.ts';

/** Rejects an origin server that clashes with another one in the organization. */
export const requireFreeOriginServer = (
  { originServers }: Repositories,
  server: WrittenOriginServer,
): ResultAsync<void, InvalidInput> =>
  originServers.clashes(server).andThen((clashes) => requireNone(clashes.map(clashViolation)));

/** Rejects a change of a locked origin server that clashes with another one or breaks what uses it. */
export const requireValidOriginServerChange = (
  repositories: Repositories,
  current: OriginServer,
  changed: WrittenOriginServer,
): ResultAsync<void, InvalidInput> =>
  repositories.originServers
    .clashes(changed)
    .andThen((clashes) =>
      loopViolations(repositories, current, changed).map((loops) => [...clashes.map(clashViolation), ...loops]),
    )
    .andThen(requireNone);

/** A violation for a clash that only storage detected. */
export const originServerClashed = (clash: OriginServerClash): InvalidInput => invalidInput([clashViolation(clash)]);

function clashViolation(clash: OriginServerClash): Violation {
  switch (clash.type) {
    case 'BackendNameTaken':
      return violation(
        'name',
        'originServer.name.duplicate',
        'Another origin server in the organization already has this name.',
      );
    case 'OriginAddressTaken':
      return violation(
        'address',
        'originServer.address.duplicate',
        'Another origin server in the organization already has this address and port.',
      );
  }
}

/** Violations for zones that would send requests to themselves, directly or through a load balancer. */
const loopViolations = (
  { backends }: Repositories,
  current: OriginServer,
  { id, address }: WrittenOriginServer,
): ResultAsync<readonly Violation[], never> => {
  const key = addressKey(address);
  if (key === addressKey(current.address)) return okAsync([]);
  // Locked, so that a unit that starts using one of them meanwhile sees the new address.
  return backends
    .lockLoadBalancersWith(id)
    .andThen((balancers) => backends.users([id, ...balancers], { hosts: [key] }))
    .map((users) => breaksUsers('address', 'With this address, requests that the zone answers would loop.', users));
};
