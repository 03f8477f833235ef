import { created, list, mergePatchOn, item as one, whole } from '@zonewright/api-description';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  LoadBalancerDraft,
  type OrganizationId,
  parseDocument,
  readPermissions,
} from '@zonewright/core';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import {
  loadBalancerResource,
  presentLoadBalancer,
  presentLoadBalancers,
} from '../../present/organizations/backends.ts';
import { idInReference, reference } from '../../resources/iri.ts';
import { loadBalancerParameters, organizationParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';
import { backendMembers } from './backend-body.ts';

const collection = '/api/organizations/:id/load-balancers';
const item = `${collection}/:loadBalancer`;
/** The writable members of a load balancer; origin servers may be IRIs or ids. */
const LoadBalancerBody = z.strictObject({
  ...LoadBalancerDraft.in.shape,
  origins: z
    .array(
      z.strictObject({
        originServer: reference('OriginServer', z.uuid()).meta({
          description: 'An origin server of the organization: its IRI or its id.',
          examples: ['/api/organizations/1/origin-servers/0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'],
        }),
        weight: z.int().min(1).max(1000).default(1),
        enabled: z.boolean().default(true),
      }),
    )
    .min(1)
    .max(32),
});

export const loadBalancerRoutes = [
  protectedRoute({
    method: 'get',
    path: collection,
    cost: 'stored',
    permission: readPermissions.backends,
    summary: 'List the load balancers of an organization.',
    description: 'Sorted by name.',
    answers: list(loadBalancerResource),
    params: organizationParameter,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) => useCases.listLoadBalancers(caller, params.id, query),
    present: (balancers, { query }) => revalidated(presentLoadBalancers(balancers, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    cost: 'stored',
    permission: 'backends:write',
    summary: 'Add a load balancer to an organization.',
    description:
      'Its origins are origin servers of the same organization, each at most once. Names are unique in an organization.',
    answers: created(loadBalancerResource),
    accepts: whole(LoadBalancerBody),
    params: organizationParameter,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'backends.write'),
    body: (body, { id }) =>
      loadBalancerMembers(body, id).andThen((members) => parseDocument(LoadBalancerDraft, members)),
    run: ({ caller, params, body, useCases }) => useCases.createLoadBalancer(caller, params.id, body),
    present: (balancer) => ({ body: presentLoadBalancer(balancer) }),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    cost: 'stored',
    permission: readPermissions.backends,
    summary: 'Read a load balancer.',
    description: 'Settings refer to it by its id.',
    answers: one(loadBalancerResource),
    params: loadBalancerParameters,
    run: ({ caller, params, useCases }) => useCases.readLoadBalancer(caller, params.id, params.loadBalancer),
    present: (balancer) => revalidated(presentLoadBalancer(balancer)),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    cost: 'stored',
    permission: 'backends:write',
    summary: 'Change a load balancer.',
    description:
      'Members that are not in the patch stay as they are; `origins` is replaced as a whole. The change takes effect in every zone that uses the load balancer; an API token for some zones may change it only if no other zone uses it.',
    answers: one(loadBalancerResource),
    accepts: mergePatchOn(LoadBalancerBody),
    errors: ['BackendUsedElsewhere'],
    params: loadBalancerParameters,
    permitted: ({ caller, params: { id, loadBalancer }, useCases }) =>
      useCases
        .checkOrganizationAccess(caller, id, 'backends.write')
        .andThen(() => useCases.readLoadBalancer(caller, id, loadBalancer)),
    body: (body, { id }) => loadBalancerMembers(body, id),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.updateLoadBalancer(caller, params.id, params.loadBalancer, body, expected),
    present: (balancer) => ({ body: presentLoadBalancer(balancer) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    cost: 'stored',
    permission: 'backends:write',
    summary: 'Delete a load balancer that is not in use.',
    description: 'If a zone or a rule still uses it, the error lists where. Its origin servers stay.',
    ...noContent,
    errors: ['BackendUsedElsewhere', 'BackendInUse'],
    params: loadBalancerParameters,
    run: ({ caller, params, expected, useCases }) =>
      useCases.deleteLoadBalancer(caller, params.id, params.loadBalancer, expected),
  }),
];

/** The writable members, with IRIs of the organization's origin servers replaced by ids. */
const loadBalancerMembers = (body: JsonObject, organization: OrganizationId) =>
  backendMembers(loadBalancerResource, body, organization).map(
    ({ origins, ...members }): JsonObject =>
      Array.isArray(origins)
        ? { ...members, origins: origins.map((origin) => withBareId(origin, organization)) }
        : { ...members, ...(origins === undefined ? {} : { origins }) },
  );

const withBareId = (origin: Json, organization: OrganizationId): Json =>
  isJsonObject(origin) && typeof origin['originServer'] === 'string'
    ? { ...origin, originServer: idInReference(origin['originServer'], `organizations/${organization}/origin-servers`) }
    : origin;
