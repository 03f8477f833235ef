import { backendVersion, type LoadBalancer, LoadBalancerDraft } from '@zonewright/core';
import { z } from 'zod';
import { link, type ResourceDescription, timestamp, uuid } from '../resources/description.ts';
import { iri } from '../resources/iri.ts';
import { Item } from '../resources/resource.ts';
import { itemOf, presentPage } from './item.ts';
import { requestHostname } from './request-hostname.ts';

/** The writable members of a load balancer. */
const written = LoadBalancerDraft.in.shape;

const Origin = z.object({
  originServer: link('OriginServer', 'One of the origin servers of the organization.'),
  weight: z.int().min(1).max(1000).meta({ description: 'Relative share of requests compared with the other origins.' }),
  enabled: z.boolean().meta({ description: 'Whether the origin receives requests.' }),
});

/** Distributes requests across several origin servers. */
export const loadBalancerResource = {
  type: 'LoadBalancer',
  title: 'load balancer',
  description: 'Distributes requests across several origin servers.',
  schema: z.object({
    id: uuid('Id of the load balancer.'),
    organization: link('Organization', 'The organization that owns the load balancer; cannot be changed.').meta({
      readOnly: true,
    }),
    name: written.name.meta({
      description: 'Name; unique within the organization, ignoring case.',
      examples: ['web'],
    }),
    method: written.method.meta({ description: 'How an origin is selected.', examples: ['random'] }),
    requestHostname: requestHostname.optional(),
    origins: z
      .array(Origin)
      .min(1)
      .max(32)
      .meta({ description: 'The origins; each origin server can appear only once.' }),
    createdAt: timestamp('When the load balancer was created.'),
    updatedAt: timestamp('When the load balancer last changed.'),
  }),
} satisfies ResourceDescription;

export const presentLoadBalancer = (balancer: LoadBalancer): Item =>
  itemOf(
    loadBalancerResource,
    { iri: iri.loadBalancer(balancer), version: backendVersion(balancer) },
    {
      ...balancer,
      organization: iri.organization(balancer.organizationId),
      origins: balancer.origins.map(({ originServer, weight, enabled }) => ({
        originServer: iri.originServer({ organizationId: balancer.organizationId, id: originServer }),
        weight,
        enabled,
      })),
    },
  );

export const presentLoadBalancers = presentPage('LoadBalancer', presentLoadBalancer);
