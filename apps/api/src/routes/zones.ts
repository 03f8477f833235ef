import {
  type CheckZoneAccess,
  type CreateZone,
  type DeleteZone,
  type JsonObject,
  type ListZones,
  type OrganizationId,
  parse,
  type ReadZone,
  type RotateBanToken,
  type UpdateZone,
  ZoneDraft,
  type ZoneSort,
  zoneSortKeys,
} from '@zonewright/core';
import { ok } from 'neverthrow';
import { z } from 'zod';
import { idInReference, iri } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { organizationFilter, pageParameters, searchText } from '../http/query.ts';
import { writableMembers } from '../http/resource-body.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { presentZone, presentZoneDetails, presentZones } from '../present/zone.ts';
import { zoneParameter } from './parameters.ts';

export interface ZoneUseCases {
  readonly listZones: ListZones;
  readonly createZone: CreateZone;
  readonly readZone: ReadZone;
  readonly updateZone: UpdateZone;
  readonly deleteZone: DeleteZone;
  readonly rotateBanToken: RotateBanToken;
  readonly checkZoneAccess: CheckZoneAccess;
}

const direction = z
  .enum(['asc', 'desc', 'ASC', 'DESC'])
  .transform((value) => (value.toLowerCase() === 'asc' ? 'asc' : 'desc'));
const tag = z.enum(['prod', 'stage', 'dev']);

const ListQuery = z.object({
  ...pageParameters,
  organization: organizationFilter.optional(),
  q: searchText.optional(),
  tag: tag.optional(),
  'tag[]': z.array(tag).optional(),
  'order[name]': direction.optional(),
  'order[tag]': direction.optional(),
  'order[createdAt]': direction.optional(),
  'order[updatedAt]': direction.optional(),
});

/** The routes of zones themselves; what is inside them has routes of its own. */
export const zoneRoutes = (useCases: ZoneUseCases) => [...collectionRoutes(useCases), ...itemRoutes(useCases)];

const collectionRoutes = (useCases: ZoneUseCases) => [
  protectedRoute({
    method: 'get',
    path: '/api/zones',
    formats: formats.plainFirst,
    query: ListQuery,
    run: ({ caller, query }) =>
      useCases.listZones(caller, {
        page: query.page,
        itemsPerPage: query.itemsPerPage,
        organization: query.organization as OrganizationId | undefined,
        search: query.q,
        tags: [...(query.tag === undefined ? [] : [query.tag]), ...(query['tag[]'] ?? [])],
        sort: sortOf(query),
      }),
    present: (zones, { query }) => ({ status: 200, body: presentZones(zones, query), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'post',
    path: '/api/zones',
    formats: formats.plainFirst,
    consumes: [mediaTypes.json, mediaTypes.linked],
    body: (body) => parse(ZoneDraft, zoneBody(body)),
    run: ({ caller, body }) => useCases.createZone(caller, body),
    present: (zone) => ({ status: 201, body: presentZone(zone), location: iri.zone(zone.id) }),
  }),
];

const itemRoutes = (useCases: ZoneUseCases) => [
  protectedRoute({
    method: 'get',
    path: '/api/zones/:id',
    formats: formats.plainFirst,
    params: zoneParameter,
    run: ({ caller, params }) => useCases.readZone(caller, params.id),
    present: (zone) => ({ status: 200, body: presentZoneDetails(zone), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: '/api/zones/:id',
    formats: formats.plainFirst,
    consumes: [mediaTypes.mergePatch],
    params: zoneParameter,
    permitted: (caller, { id }) => useCases.checkZoneAccess(caller, id, 'zones.write'),
    body: (body) => ok(zoneBody(body)),
    run: ({ caller, params, body, expected }) => useCases.updateZone(caller, params.id, body, expected),
    present: (zone) => ({ status: 200, body: presentZone(zone) }),
  }),
  protectedRoute({
    method: 'post',
    path: '/api/zones/:id/ban-token',
    formats: formats.plainFirst,
    params: zoneParameter,
    run: ({ caller, params, expected }) => useCases.rotateBanToken(caller, params.id, expected),
    present: (zone) => ({ status: 200, body: presentZone(zone) }),
  }),
  protectedRoute({
    method: 'delete',
    path: '/api/zones/:id',
    formats: formats.plainFirst,
    params: zoneParameter,
    run: ({ caller, params, expected }) => useCases.deleteZone(caller, params.id, expected),
    present: () => ({ status: 204 }),
  }),
];

const readOnly = [
  'id',
  'banToken',
  'createdBy',
  'createdAt',
  'updatedAt',
  'usage',
  'rewriteRules',
  'configurationRules',
  'accessRules',
  'securityScenarios',
];

function zoneBody(body: JsonObject): JsonObject {
  const { organization, ...members } = writableMembers(body, readOnly);
  return organization === undefined
    ? members
    : { ...members, organization: idInReference(organization, 'organizations') };
}

/** Sort keys apply in the order in which the interface lists them, whatever the order in the query. */
const sortOf = (query: z.output<typeof ListQuery>): ZoneSort[] =>
  zoneSortKeys.flatMap((key) => {
    const asked = query[`order[${key}]`];
    return asked === undefined ? [] : [{ key, direction: asked }];
  });
