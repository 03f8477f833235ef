import {
  type CheckOrganizationAccess,
  type CreateOrganization,
  type DeleteOrganization,
  type ListOrganizations,
  mayFound,
  OrganizationDraft,
  parse,
  type ReadOrganization,
  type UpdateOrganization,
} from '@zonewright/core';
import { ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { iri } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { writableMembers } from '../http/resource-body.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { presentOrganization, presentOrganizations } from '../present/organization.ts';
import { organizationParameter } from './parameters.ts';

export interface OrganizationUseCases {
  readonly listOrganizations: ListOrganizations;
  readonly createOrganization: CreateOrganization;
  readonly readOrganization: ReadOrganization;
  readonly updateOrganization: UpdateOrganization;
  readonly deleteOrganization: DeleteOrganization;
  readonly checkOrganizationAccess: CheckOrganizationAccess;
}

const collection = '/api/organizations';
const item = `${collection}/:id`;
const readOnly = ['id', 'createdAt', 'updatedAt'];

const ListQuery = z.object(pageParameters);

export const organizationRoutes = (useCases: OrganizationUseCases) => [
  protectedRoute({
    method: 'get',
    path: collection,
    formats: formats.plainFirst,
    query: ListQuery,
    run: ({ caller, query }) => useCases.listOrganizations(caller, query),
    present: (organizations, { query }) => ({
      status: 200,
      body: presentOrganizations(organizations, query),
      cacheControl: revalidated,
    }),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    formats: formats.plainFirst,
    consumes: [mediaTypes.json, mediaTypes.linked],
    permitted: (caller) => mayFound(caller).asyncAndThen(() => okAsync()),
    body: (body) => parse(OrganizationDraft, writableMembers(body, readOnly)),
    run: ({ caller, body }) => useCases.createOrganization(caller, body),
    present: (organization) => ({
      status: 201,
      body: presentOrganization(organization),
      location: iri.organization(organization.id),
    }),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    formats: formats.plainFirst,
    params: organizationParameter,
    run: ({ caller, params }) => useCases.readOrganization(caller, params.id),
    present: (organization) => ({ status: 200, body: presentOrganization(organization), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    formats: formats.plainFirst,
    consumes: [mediaTypes.mergePatch],
    params: organizationParameter,
    permitted: (caller, { id }) => useCases.checkOrganizationAccess(caller, id, 'organization.rename'),
    body: (body) => ok(writableMembers(body, readOnly)),
    run: ({ caller, params, body, expected }) => useCases.updateOrganization(caller, params.id, body, expected),
    present: (organization) => ({ status: 200, body: presentOrganization(organization) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    formats: formats.plainFirst,
    params: organizationParameter,
    run: ({ caller, params, expected }) => useCases.deleteOrganization(caller, params.id, expected),
    present: () => ({ status: 204 }),
  }),
];
