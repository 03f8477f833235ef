import {
  type CheckOrganizationAccess,
  type CreateOriginServer,
  type DeleteOriginServer,
  type ListOriginServers,
  OriginServerDraft,
  parse,
  type ReadOriginServer,
  type UpdateOriginServer,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { presentOriginServer, presentOriginServers } from '../present/origin-server.ts';
import { backendMembers } from './backend-body.ts';
import { organizationParameter, originServerParameters } from './parameters.ts';

export interface OriginServerUseCases {
  readonly listOriginServers: ListOriginServers;
  readonly createOriginServer: CreateOriginServer;
  readonly readOriginServer: ReadOriginServer;
  readonly updateOriginServer: UpdateOriginServer;
  readonly deleteOriginServer: DeleteOriginServer;
  readonly checkOrganizationAccess: CheckOrganizationAccess;
}

const collection = '/api/organizations/:id/origin-servers';
const item = `${collection}/:originServer`;
const ListQuery = z.object(pageParameters);

export const originServerRoutes = (useCases: OriginServerUseCases) => [
  ...collectionRoutes(useCases),
  ...itemRoutes(useCases),
];

const collectionRoutes = (useCases: OriginServerUseCases) => [
  protectedRoute({
    method: 'get',
    path: collection,
    formats: formats.plainFirst,
    params: organizationParameter,
    query: ListQuery,
    run: ({ caller, params, query }) => useCases.listOriginServers(caller, params.id, query),
    present: (servers, { query }) => ({
      status: 200,
      body: presentOriginServers(servers, query),
      cacheControl: revalidated,
    }),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    formats: formats.plainFirst,
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: organizationParameter,
    permitted: (caller, { id }) => useCases.checkOrganizationAccess(caller, id, 'backends.write'),
    body: (body, { id }) => backendMembers(body, id).andThen((members) => parse(OriginServerDraft, members)),
    run: ({ caller, params, body }) => useCases.createOriginServer(caller, params.id, body),
    present: (server) => ({ status: 201, body: presentOriginServer(server), location: iri.originServer(server) }),
  }),
];

const itemRoutes = (useCases: OriginServerUseCases) => [
  protectedRoute({
    method: 'get',
    path: item,
    formats: formats.plainFirst,
    params: originServerParameters,
    run: ({ caller, params }) => useCases.readOriginServer(caller, params.id, params.originServer),
    present: (server) => ({ status: 200, body: presentOriginServer(server), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    formats: formats.plainFirst,
    consumes: [mediaTypes.mergePatch],
    params: originServerParameters,
    permitted: (caller, { id, originServer }) =>
      useCases
        .checkOrganizationAccess(caller, id, 'backends.write')
        .andThen(() => useCases.readOriginServer(caller, id, originServer).map(() => undefined)),
    body: (body, { id }) => backendMembers(body, id),
    run: ({ caller, params, body, expected }) =>
      useCases.updateOriginServer(caller, params.id, params.originServer, body, expected),
    present: (server) => ({ status: 200, body: presentOriginServer(server) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    formats: formats.plainFirst,
    params: originServerParameters,
    run: ({ caller, params, expected }) =>
      useCases.deleteOriginServer(caller, params.id, params.originServer, expected),
    present: () => ({ status: 204 }),
  }),
];
