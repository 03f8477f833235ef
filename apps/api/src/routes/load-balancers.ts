import {
  type CheckOrganizationAccess,
  type CreateLoadBalancer,
  type DeleteLoadBalancer,
  isJsonObject,
  type Json,
  type JsonObject,
  type ListLoadBalancers,
  LoadBalancerDraft,
  type OrganizationId,
  parse,
  type ReadLoadBalancer,
  type UpdateLoadBalancer,
} from '@zonewright/core';
import { z } from 'zod';
import { idInReference, iri } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { presentLoadBalancer, presentLoadBalancers } from '../present/load-balancer.ts';
import { backendMembers } from './backend-body.ts';
import { loadBalancerParameters, organizationParameter } from './parameters.ts';

export interface LoadBalancerUseCases {
  readonly listLoadBalancers: ListLoadBalancers;
  readonly createLoadBalancer: CreateLoadBalancer;
  readonly readLoadBalancer: ReadLoadBalancer;
  readonly updateLoadBalancer: UpdateLoadBalancer;
  readonly deleteLoadBalancer: DeleteLoadBalancer;
  readonly checkOrganizationAccess: CheckOrganizationAccess;
}

const collection = '/api/organizations/:id/load-balancers';
const item = `${collection}/:loadBalancer`;
const ListQuery = z.object(pageParameters);

export const loadBalancerRoutes = (useCases: LoadBalancerUseCases) => [
  ...collectionRoutes(useCases),
  ...itemRoutes(useCases),
];

const collectionRoutes = (useCases: LoadBalancerUseCases) => [
  protectedRoute({
    method: 'get',
    path: collection,
    formats: formats.plainFirst,
    params: organizationParameter,
    query: ListQuery,
    run: ({ caller, params, query }) => useCases.listLoadBalancers(caller, params.id, query),
    present: (balancers, { query }) => ({
      status: 200,
      body: presentLoadBalancers(balancers, query),
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
    body: (body, { id }) => loadBalancerMembers(body, id).andThen((members) => parse(LoadBalancerDraft, members)),
    run: ({ caller, params, body }) => useCases.createLoadBalancer(caller, params.id, body),
    present: (balancer) => ({
      status: 201,
      body: presentLoadBalancer(balancer),
      location: iri.loadBalancer(balancer),
    }),
  }),
];

const itemRoutes = (useCases: LoadBalancerUseCases) => [
  protectedRoute({
    method: 'get',
    path: item,
    formats: formats.plainFirst,
    params: loadBalancerParameters,
    run: ({ caller, params }) => useCases.readLoadBalancer(caller, params.id, params.loadBalancer),
    present: (balancer) => ({ status: 200, body: presentLoadBalancer(balancer), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    formats: formats.plainFirst,
    consumes: [mediaTypes.mergePatch],
    params: loadBalancerParameters,
    permitted: (caller, { id, loadBalancer }) =>
      useCases
        .checkOrganizationAccess(caller, id, 'backends.write')
        .andThen(() => useCases.readLoadBalancer(caller, id, loadBalancer).map(() => undefined)),
    body: (body, { id }) => loadBalancerMembers(body, id),
    run: ({ caller, params, body, expected }) =>
      useCases.updateLoadBalancer(caller, params.id, params.loadBalancer, body, expected),
    present: (balancer) => ({ status: 200, body: presentLoadBalancer(balancer) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    formats: formats.plainFirst,
    params: loadBalancerParameters,
    run: ({ caller, params, expected }) =>
      useCases.deleteLoadBalancer(caller, params.id, params.loadBalancer, expected),
    present: () => ({ status: 204 }),
  }),
];

/** The writable members, with bare ids in place of the addresses of the organization's origin servers. */
const loadBalancerMembers = (body: JsonObject, organization: OrganizationId) =>
  backendMembers(body, organization).map(
    ({ origins, ...members }): JsonObject =>
      Array.isArray(origins)
        ? { ...members, origins: origins.map((origin) => withBareId(origin, organization)) }
        : { ...members, ...(origins === undefined ? {} : { origins }) },
  );

const withBareId = (origin: Json, organization: OrganizationId): Json =>
  isJsonObject(origin) && typeof origin['originServer'] === 'string'
    ? { ...origin, originServer: idInReference(origin['originServer'], `organizations/${organization}/origin-servers`) }
    : origin;
