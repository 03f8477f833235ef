import {
  type BackendId,
  BackendReference,
  jsonDocument,
  type LoadBalancerOrigin,
  type OrganizationId,
  type WrittenLoadBalancer,
  type WrittenOriginServer,
  ZoneSettings,
} from '@zonewright/core';
import { aLoadBalancer, anOrigin, anOriginServer } from '../builders/index.ts';
import { runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Stores an origin server. */
export async function storedOriginServer(
  storage: Storage,
  given: Partial<WrittenOriginServer> & Pick<WrittenOriginServer, 'organizationId'>,
): Promise<WrittenOriginServer> {
  const server = anOriginServer(given);
  await runUnit(storage, ({ originServers }) => originServers.add(server, undefined));
  return server;
}

/** Stores a load balancer over the given origins, or over a new origin server. */
export async function storedLoadBalancer(
  storage: Storage,
  {
    origins,
    ...given
  }: Omit<Partial<WrittenLoadBalancer>, 'origins'> &
    Pick<WrittenLoadBalancer, 'organizationId'> & { readonly origins?: readonly LoadBalancerOrigin[] },
): Promise<WrittenLoadBalancer> {
  const balancer = aLoadBalancer({
    origins: origins ?? [anOrigin((await storedOriginServer(storage, { organizationId: given.organizationId })).id)],
    ...given,
  });
  await runUnit(storage, ({ loadBalancers }) => loadBalancers.add(balancer, undefined));
  return balancer;
}

/** The kinds of backends. */
export const backendKinds = ['origin_server', 'load_balancer'] as const;

type Kind = (typeof backendKinds)[number];

/** A reference to a backend as in settings. */
export const referenceTo = (type: Kind, { id }: { readonly id: BackendId }): BackendReference =>
  BackendReference.parse({ type, id });

/** Stores a backend of the kind; resolves to a reference to it. */
export const storedBackend = async (
  storage: Storage,
  type: Kind,
  organizationId: OrganizationId,
): Promise<BackendReference> =>
  referenceTo(
    type,
    await (type === 'origin_server' ? storedOriginServer : storedLoadBalancer)(storage, { organizationId }),
  );

/** Zone settings with a default backend. */
export const zoneSettingsWith = (defaultBackend: BackendReference) =>
  jsonDocument(ZoneSettings.parse({ defaultBackend }));

/** Overrides of a configuration rule with a default backend. */
export const overridesWith = (defaultBackend: BackendReference) => ({ settingsOverrides: { defaultBackend } });
