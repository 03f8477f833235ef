import { created, item, list, mergePatchOn, readOnlyMembers, whole } from '@zonewright/api-description';
import {
  HostName,
  type JsonObject,
  type ListZonesQuery,
  type OrganizationId,
  parse,
  parseDocument,
  readPermissions,
  ZoneDraft,
  ZoneId,
  zoneSortKeys,
} from '@zonewright/core';
import { ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { bodyLimits } from '../../http/body.ts';
import { allOf, organizationFilter, pageParameters, searchText, sorted, sortIn } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import {
  presentZone,
  presentZoneDetails,
  presentZones,
  zoneDetailsResource,
  zoneResource,
} from '../../present/zones/zone.ts';
import { idInReference, lastSegment, reference } from '../../resources/iri.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { zoneParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';

/** The writable members of a zone; the organization may be an IRI or id. */
const ZoneBody = ZoneDraft.extend({ organization: reference('Organization', ZoneDraft.shape.organization).optional() });

const tag = z.enum(['prod', 'stage', 'dev']);

const ListQuery = z.object({
  ...pageParameters,
  organization: organizationFilter.optional(),
  q: searchText.optional().meta({ description: 'Only zones whose name or id contains this text.' }),
  hostname: HostName.optional().meta({ description: 'Only the zone that has exactly this host name.' }),
  tag: tag.optional().meta({ description: 'Only zones with this environment tag.' }),
  'tag[]': z.array(tag).optional().meta({ description: 'Only zones with one of these environment tags.' }),
  'order[name]': sorted,
  'order[tag]': sorted,
  'order[createdAt]': sorted,
  'order[updatedAt]': sorted,
});

/** Routes of zones; nested items have their own. */
export const zoneRoutes = [
  protectedRoute({
    method: 'get',
    path: '/api/zones',
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'List the zones you can access.',
    description:
      'With full settings, but without rules. Filters can be combined; an unknown sort direction or tag is an error. A page that would be too large is rejected with the number of zones that fit.',
    answers: list(zoneResource),
    errors: ['PageTooLarge'],
    query: ListQuery,
    subject: ({ query }) => ({ kind: 'zone list', query: listQueryOf(query) }),
    run: ({ caller, query, useCases }) => useCases.listZones(caller, listQueryOf(query)),
    present: (zones, { query }) => revalidated(presentZones(zones, query)),
  }),
  protectedRoute({
    method: 'post',
    path: '/api/zones',
    cost: 'stored',
    permission: 'zones:write',
    summary: 'Create a zone.',
    description:
      'Omitted settings get their defaults. `organization` can be omitted if there is exactly one in which you can create zones.',
    answers: created(zoneResource),
    // A replay reads a large zone again, which may have been deleted.
    errors: ['NotFound'],
    accepts: whole(ZoneBody),
    bodyLimit: bodyLimits.whole,
    permitted: ({ caller, repeated, useCases }) =>
      repeated === undefined
        ? okAsync()
        : parse(ZoneId, lastSegment(repeated.shown)).asyncAndThen((zone) =>
            useCases.checkZoneAccess(caller, zone, 'zones.create'),
          ),
    body: (body) => parseDocument(ZoneDraft, zoneBody(body)),
    run: ({ caller, body, useCases }) => useCases.createZone(caller, body),
    present: (zone) => ({ body: presentZone(zone) }),
  }),
  protectedRoute({
    method: 'get',
    path: '/api/zones/:id',
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'Read a zone with all its contents.',
    description: 'Settings, rules of all kinds, and how much of each limit is used. Viewers see a masked ban token.',
    answers: item(zoneDetailsResource),
    params: zoneParameter,
    subject: ({ params }) => ({ kind: 'zone', id: params.id }),
    run: ({ caller, params, useCases }) => useCases.readZone(caller, params.id),
    present: (zone) => revalidated(presentZoneDetails(zone)),
  }),
  protectedRoute({
    method: 'patch',
    path: '/api/zones/:id',
    cost: 'stored',
    permission: 'zones:write',
    summary: 'Change the name, tag, host names or settings of a zone.',
    description:
      'Null resets a setting to its default, and removes all host names. Rules that depend on the settings are checked again; the violation names a rule that would become invalid.',
    answers: item(zoneResource),
    accepts: mergePatchOn(ZoneBody),
    bodyLimit: bodyLimits.whole,
    params: zoneParameter,
    subject: ({ params }) => ({ kind: 'zone change', id: params.id }),
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkZoneAccess(caller, id, 'zones.write'),
    body: (body) => ok(zoneBody(body)),
    run: ({ caller, params, body, expected, useCases }) => useCases.updateZone(caller, params.id, body, expected),
    present: (zone) => ({ body: presentZone(zone) }),
  }),
  protectedRoute({
    method: 'delete',
    path: '/api/zones/:id',
    cost: 'stored',
    permission: 'zones:write',
    summary: 'Delete a zone and all its contents.',
    description: 'It can be restored for 30 days.',
    ...noContent,
    params: zoneParameter,
    run: ({ caller, params, expected, useCases }) => useCases.deleteZone(caller, params.id, expected),
  }),
  protectedRoute({
    method: 'post',
    path: '/api/zones/:id/ban-token',
    cost: 'stored',
    permission: 'zones:write',
    summary: 'Rotate the ban token of a zone.',
    description: 'The old token stops working.',
    answers: item(zoneResource),
    errors: ['InvalidInput'],
    params: zoneParameter,
    subject: ({ params }) => ({ kind: 'zone change', id: params.id }),
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkZoneAccess(caller, id, 'banToken.rotate'),
    run: ({ caller, params, expected, useCases }) => useCases.rotateBanToken(caller, params.id, expected),
    present: (zone) => ({ body: presentZone(zone) }),
  }),
];

const listQueryOf = (query: z.output<typeof ListQuery>): ListZonesQuery => ({
  page: query.page,
  itemsPerPage: query.itemsPerPage,
  // The parameter has the same schema as the id.
  organization: query.organization as OrganizationId | undefined,
  search: query.q,
  hostname: query.hostname,
  tags: allOf(query.tag, query['tag[]']),
  sort: sortIn(zoneSortKeys, query),
});

const readOnly = readOnlyMembers(zoneDetailsResource);

function zoneBody(body: JsonObject): JsonObject {
  const { organization, ...members } = writableMembers(body, readOnly);
  return organization === undefined
    ? members
    : { ...members, organization: idInReference(organization, 'organizations') };
}
