import { link, type ResourceDescription, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import {
  backendVersion,
  type LoadBalancer,
  LoadBalancerDraft,
  type OriginServer,
  OriginServerDraft,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

/** The Host header field of requests to a backend. */
const requestHostname = z
  .string()
  .min(1)
  .max(253)
  .meta({
    description: 'Host header to send to the backend; if absent, that of the request.',
    examples: ['shop.example.com'],
  });

/** The writable members of an origin server. */
const writtenServer = OriginServerDraft.in.shape;

/** A server, or a name that resolves to several, from which the proxy fetches content. */
export const originServerResource = {
  type: 'OriginServer',
  title: 'origin server',
  description: 'A server, or a name that resolves to several, from which the proxy fetches content.',
  schema: z.object({
    id: uuid('Id of the origin server.'),
    organization: readOnlyLink('Organization', 'The organization that owns the origin server; cannot be changed.'),
    name: writtenServer.name.meta({
      description: 'Name; unique within the organization, ignoring case.',
      examples: ['web 1'],
    }),
    protocol: writtenServer.protocol.meta({
      description: 'Protocol that the proxy uses to connect.',
      examples: ['https'],
    }),
    address: writtenServer.address.meta({
      description: 'Host name or IP address; private, reserved and local addresses are rejected.',
      examples: ['web-1.example.net'],
    }),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .meta({
        description: 'TCP port; defaults to that of the protocol on creation. Unique together with the address.',
        examples: [443],
      }),
    requestHostname: requestHostname.optional(),
    createdAt: timestamp('When the origin server was created.'),
    updatedAt: timestamp('When the origin server last changed.'),
  }),
} satisfies ResourceDescription;

export const presentOriginServer = (server: OriginServer) =>
  itemOf(
    originServerResource,
    { iri: iri.originServer(server), version: backendVersion(server) },
    { ...server, organization: iri.organization(server.organizationId) },
  );

export const presentOriginServers = presentPage('OriginServer', presentOriginServer);

/** The writable members of a load balancer. */
const writtenBalancer = LoadBalancerDraft.in.shape;

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
    organization: readOnlyLink('Organization', 'The organization that owns the load balancer; cannot be changed.'),
    name: writtenBalancer.name.meta({
      description: 'Name; unique within the organization, ignoring case.',
      examples: ['web'],
    }),
    method: writtenBalancer.method.meta({ description: 'How an origin is selected.', examples: ['random'] }),
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

export const presentLoadBalancer = (balancer: LoadBalancer) =>
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
