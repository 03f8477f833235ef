import { type Backends, backends } from '../configuration/backends.ts';
import { type JsonObject, type Location, list, memberOf, object, oneOf, record, type Shape } from '../shapes.ts';

const kindOf = record({ kind: oneOf('origin_server', 'load_balancer') });

/**
 * Backends as an edge document contains them: by id, each as the API reads it, with its `kind`. Load balancers refer to
 * origin servers by IRI, whose last segment is the id.
 */
export const deliveredBackends: Shape<Backends> = (value, location) => {
  const given = object(value, location);
  if (given === undefined) return undefined;
  const originServers: JsonObject[] = [];
  const loadBalancers: JsonObject[] = [];
  for (const [id, each] of Object.entries(given)) {
    const at = memberOf(location, id);
    const kind = kindOf(each, at)?.kind;
    const members = object(each, at) ?? {};
    if (kind === 'origin_server') originServers.push({ ...members, id });
    if (kind === 'load_balancer') loadBalancers.push({ ...members, id, origins: originsOf(members, at) });
  }
  return backends({ originServers, loadBalancers }, location);
};

const originsOf = (balancer: JsonObject, location: Location): readonly JsonObject[] | undefined =>
  list(object)(balancer['origins'], memberOf(location, 'origins'))?.map((origin) => {
    const { originServer: address } = origin;
    return typeof address === 'string' ? { ...origin, originServer: address.split('/').at(-1) } : origin;
  });
