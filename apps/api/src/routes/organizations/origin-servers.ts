import { created, list, mergePatchOn, item as one, whole } from '@zonewright/api-description';
import { OriginServerDraft, readPermissions } from '@zonewright/core';
import { revalidated } from '../../http/answer.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import {
  originServerResource,
  presentOriginServer,
  presentOriginServers,
} from '../../present/organizations/backends.ts';
import { organizationParameter, originServerParameters } from '../parameters.ts';
import { noContent } from '../row-members.ts';
import { backendMembers } from './backend-body.ts';

const collection = '/api/organizations/:id/origin-servers';
const item = `${collection}/:originServer`;
export const originServerRoutes = [
  protectedRoute({
    method: 'get',
    path: collection,
    cost: 'stored',
    permission: readPermissions.backends,
    summary: 'List the origin servers of an organization.',
    description: 'Sorted by name.',
    answers: list(originServerResource),
    params: organizationParameter,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) => useCases.listOriginServers(caller, params.id, query),
    present: (servers, { query }) => revalidated(presentOriginServers(servers, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    cost: 'stored',
    permission: 'backends:write',
    summary: 'Add an origin server to an organization.',
    description:
      'Names, and pairs of address and port, are unique in an organization. The address must be public, or lie in a network that the installation allows: other private, loopback and link-local addresses are rejected.',
    answers: created(originServerResource),
    accepts: whole(OriginServerDraft),
    params: organizationParameter,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'backends.write'),
    body: (body, { id }) => backendMembers(originServerResource, body, id),
    run: ({ caller, params, body, useCases }) => useCases.createOriginServer(caller, params.id, body),
    present: (server) => ({ body: presentOriginServer(server) }),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    cost: 'stored',
    permission: readPermissions.backends,
    summary: 'Read an origin server.',
    description: 'Settings and load balancers refer to it by its id.',
    answers: one(originServerResource),
    params: originServerParameters,
    run: ({ caller, params, useCases }) => useCases.readOriginServer(caller, params.id, params.originServer),
    present: (server) => revalidated(presentOriginServer(server)),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    cost: 'stored',
    permission: 'backends:write',
    summary: 'Change an origin server.',
    description:
      'Members that are not in the patch stay as they are. The change takes effect in every zone and load balancer that uses the server; an API token for some zones may change it only if no other zone uses it.',
    answers: one(originServerResource),
    accepts: mergePatchOn(OriginServerDraft),
    errors: ['BackendUsedElsewhere'],
    params: originServerParameters,
    permitted: ({ caller, params: { id, originServer }, useCases }) =>
      useCases
        .checkOrganizationAccess(caller, id, 'backends.write')
        .andThen(() => useCases.readOriginServer(caller, id, originServer)),
    body: (body, { id }) => backendMembers(originServerResource, body, id),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.updateOriginServer(caller, params.id, params.originServer, body, expected),
    present: (server) => ({ body: presentOriginServer(server) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    cost: 'stored',
    permission: 'backends:write',
    summary: 'Delete an origin server that is not in use.',
    description: 'If a zone, a rule or a load balancer still uses it, the error lists where.',
    ...noContent,
    errors: ['BackendUsedElsewhere', 'BackendInUse'],
    params: originServerParameters,
    run: ({ caller, params, expected, useCases }) =>
      useCases.deleteOriginServer(caller, params.id, params.originServer, expected),
  }),
];
