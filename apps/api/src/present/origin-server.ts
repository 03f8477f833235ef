import { backendVersion, type OriginServer } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item } from '../http/resource.ts';
import { presentPage } from './page.ts';

export const presentOriginServer = (server: OriginServer): Item =>
  new Item({
    type: 'OriginServer',
    iri: iri.originServer(server),
    version: backendVersion(server),
    members: {
      id: server.id,
      organization: iri.organization(server.organizationId),
      name: server.name,
      protocol: server.protocol,
      address: server.address,
      port: server.port,
      requestHostname: server.requestHostname,
      createdAt: server.createdAt,
      updatedAt: server.updatedAt,
    },
  });

export const presentOriginServers = presentPage('OriginServer', presentOriginServer);
