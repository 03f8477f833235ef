import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type InvalidInput, invalidInput, requireNone, type Violation, violation } from '../shared/violation.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { BackendId } from './backend-reference.ts';
import { breaksUsers } from './backend-write.ts';
import type { BackendNameTaken } from './errors.ts';
import {
  type LoadBalancerDraft,
  type LoadBalancerOrigin,
  unknownOrigin,
  type WrittenLoadBalancer,
} from './load-balancer.ts';
import type { PresentBackends } from './ports.ts';

/** Origin servers that the unit has locked, by id. */
type LockedOriginServers = PresentBackends['origin_server'];

/** Locks the origin servers that exist in the organization until the unit ends. */
export const lockOriginServers = (
  { backends }: Repositories,
  organization: OrganizationId,
  ids: readonly BackendId[],
): ResultAsync<LockedOriginServers, never> =>
  backends
    .lockPresent(
      organization,
      ids.map((id) => ({ type: 'origin_server', id })),
    )
    .map(({ origin_server }) => origin_server);

/** Rejects a new load balancer whose name is taken or whose origins do not exist in the organization. */
export const requireValidLoadBalancer = (
  { loadBalancers }: Repositories,
  balancer: WrittenLoadBalancer,
  locked: LockedOriginServers,
): ResultAsync<void, InvalidInput> =>
  loadBalancers
    .clashes(balancer)
    .andThen((clashes) => requireNone([...clashes.map(clashViolation), ...unknownOrigins(balancer.origins, locked)]));

/** Rejects a change of a locked load balancer that takes a used name, adds unknown origins or breaks what uses it. */
export const requireValidLoadBalancerChange = (
  repositories: Repositories,
  changed: WrittenLoadBalancer,
  { originsChange, locked }: { readonly originsChange: boolean; readonly locked: LockedOriginServers },
): ResultAsync<void, InvalidInput> =>
  safeTry(async function* () {
    const clashes = yield* repositories.loadBalancers.clashes(changed);
    const unknown = originsChange ? unknownOrigins(changed.origins, locked) : [];
    const breaking = originsChange ? yield* breakingOrigins(repositories, changed, locked) : [];
    return requireNone([...clashes.map(clashViolation), ...unknown, ...breaking]);
  });

/**
 * Rejects more origins than a load balancer may have. One that is already above the limit may keep its number of
 * origins.
 */
export const requireRoomForOrigins = (
  { origins: limit }: UsageLimits,
  wanted: Pick<LoadBalancerDraft, 'origins'>,
  held = 0,
): Result<void, InvalidInput> =>
  wanted.origins.length > Math.max(limit, held)
    ? err(invalidInput([violation('origins', 'list.tooLong', `This value should have at most ${limit} entries.`)]))
    : ok();

/** A violation for a clash that only storage detected. */
export const loadBalancerClashed = (clash: BackendNameTaken): InvalidInput => invalidInput([clashViolation(clash)]);

const clashViolation = (_: BackendNameTaken): Violation =>
  violation('name', 'loadBalancer.name.duplicate', 'Another load balancer in the organization already has this name.');

const unknownOrigins = (origins: readonly LoadBalancerOrigin[], locked: LockedOriginServers): readonly Violation[] =>
  origins.flatMap(({ originServer }, index) =>
    locked.has(originServer)
      ? []
      : [violation(`origins[${index}].originServer`, unknownOrigin.code, unknownOrigin.message)],
  );

/** The conflicts that these origins cause for zones and rules using the load balancer. */
const breakingOrigins = (
  { backends }: Repositories,
  { id, origins }: WrittenLoadBalancer,
  locked: LockedOriginServers,
): ResultAsync<readonly Violation[], never> =>
  safeTry(async function* () {
    const isIdle = origins.every(({ enabled }) => !enabled);
    const without = isIdle ? yield* backends.users([id]) : [];
    const looping = yield* backends.users([id], {
      hosts: [...locked.values()].flat().map(({ addressKey }) => addressKey),
    });
    return ok([
      ...breaksUsers('origins', 'A load balancer in use needs an enabled origin.', without),
      ...breaksUsers('origins', 'With this origin, requests that the zone answers would loop.', looping),
    ]);
  });
