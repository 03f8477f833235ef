import { backendVersion, type LoadBalancer } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';
import { presentPage } from './page.ts';

export const presentLoadBalancer = (balancer: LoadBalancer): Item =>
  new Item({
    type: 'LoadBalancer',
    iri: iri.loadBalancer(balancer),
    version: backendVersion(balancer),
    members: {
      id: balancer.id,
      organization: iri.organization(balancer.organizationId),
      name: balancer.name,
      method: balancer.method,
      requestHostname: balancer.requestHostname,
      origins: balancer.origins.map(({ originServer, weight, enabled }) => ({
        originServer: iri.originServer({ organizationId: balancer.organizationId, id: originServer }),
        weight,
        enabled,
      })),
      createdAt: balancer.createdAt,
      updatedAt: balancer.updatedAt,
    },
  });

export const presentLoadBalancers = presentPage('LoadBalancer', presentLoadBalancer);
