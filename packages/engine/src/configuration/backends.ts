import type { SettingValue } from '../settings/setting-table.ts';
import {
  flag,
  integer,
  type Location,
  list,
  oneOf,
  orNull,
  record,
  refuse,
  type Shape,
  text,
  type Valid,
  withDefault,
} from '../shapes.ts';

const id: Shape<string> = (value, location) => text(value, location)?.toLowerCase();

const originServer = record({
  id,
  protocol: oneOf('http', 'https'),
  address: text,
  port: integer(1, 65_535),
  /** Null: the host of the request, or the load balancer's. */
  requestHostname: orNull(text),
});
/** A server, or a name that resolves to several, from which the edge fetches content. */
export type OriginServer = Valid<typeof originServer>;

const loadBalancer = record({
  id,
  method: text,
  requestHostname: orNull(text),
  origins: list(
    record({ originServer: id, weight: withDefault(integer(1, 1000), 1), enabled: withDefault(flag, true) }),
  ),
});
/** Distributes requests across several origin servers. */
export type LoadBalancer = Valid<typeof loadBalancer>;

/** The backends of an organization by id; ids are compared ignoring case. */
export interface Backends {
  readonly originServers: ReadonlyMap<string, OriginServer>;
  readonly loadBalancers: ReadonlyMap<string, LoadBalancer>;
}

/** A usable backend. */
export interface Backend {
  readonly id: string;
  /** Undefined: a single origin server. */
  readonly balancer: LoadBalancer | undefined;
  /** The enabled servers, in order. */
  readonly servers: readonly { readonly server: OriginServer; readonly weight: number }[];
}

/** The backend that a setting refers to; undefined if there is none, it does not exist, or it has no enabled server. */
export function backendOf(
  { originServers, loadBalancers }: Backends,
  reference: SettingValue<'defaultBackend'>,
): Backend | undefined {
  if (reference === null) return undefined;
  const id = reference.id.toLowerCase();
  if (reference.type !== 'load_balancer') {
    const server = originServers.get(id);
    return server === undefined ? undefined : { id, balancer: undefined, servers: [{ server, weight: 1 }] };
  }
  const balancer = loadBalancers.get(id);
  const servers = balancer?.origins.flatMap(({ originServer, weight, enabled }) => {
    const server = originServers.get(originServer);
    return enabled && server !== undefined ? [{ server, weight }] : [];
  });
  return servers === undefined || servers.length === 0 ? undefined : { id, balancer, servers };
}

const lists = record({
  originServers: withDefault(list(originServer), []),
  loadBalancers: withDefault(list(loadBalancer), []),
});

/** Parses the backends of an organization: an object with lists `originServers` and `loadBalancers`. */
export const backends: Shape<Backends> = (value, location) => {
  const given = lists(value, location);
  if (given === undefined) return undefined;
  return {
    originServers: byId(given.originServers, location, 'originServers'),
    loadBalancers: byId(given.loadBalancers, location, 'loadBalancers'),
  };
};

function byId<T extends { readonly id: string }>(
  all: readonly T[],
  location: Location,
  member: string,
): Map<string, T> {
  const map = new Map(all.map((each) => [each.id, each]));
  if (map.size < all.length)
    refuse({ ...location, path: `${location.path}.${member}` }, 'list.duplicate', 'An id repeats.');
  return map;
}
