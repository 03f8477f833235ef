import { backendVersion, type OriginServer, OriginServerDraft } from '@zonewright/core';
import { z } from 'zod';
import { link, type ResourceDescription, timestamp, uuid } from '../resources/description.ts';
import { iri } from '../resources/iri.ts';
import { Item } from '../resources/resource.ts';
import { itemOf, presentPage } from './item.ts';
import { requestHostname } from './request-hostname.ts';

/** The writable members of an origin server. */
const written = OriginServerDraft.in.shape;

/** A server, or a name that resolves to several, from which the proxy fetches content. */
export const originServerResource = {
  type: 'OriginServer',
  title: 'origin server',
  description: 'A server, or a name that resolves to several, from which the proxy fetches content.',
  schema: z.object({
    id: uuid('Id of the origin server.'),
    organization: link('Organization', 'The organization that owns the origin server; cannot be changed.').meta({
      readOnly: true,
    }),
    name: written.name.meta({
      description: 'Name; unique within the organization, ignoring case.',
      examples: ['web 1'],
    }),
    protocol: written.protocol.meta({ description: 'Protocol that the proxy uses to connect.', examples: ['https'] }),
    address: written.address.meta({
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

export const presentOriginServer = (server: OriginServer): Item =>
  itemOf(
    originServerResource,
    { iri: iri.originServer(server), version: backendVersion(server) },
    { ...server, organization: iri.organization(server.organizationId) },
  );

export const presentOriginServers = presentPage('OriginServer', presentOriginServer);
