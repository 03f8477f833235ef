import { described, list, item as one, whole } from '@zonewright/api-description';
import { parse, readPermissions, ZoneRestoration } from '@zonewright/core';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { pageParameters, searchText } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import { deletedZoneResource, presentDeletedZone, presentDeletedZones } from '../../present/zones/deleted-zone.ts';
import {
  missingText,
  presentRestoredZone,
  restoredZone,
  restoredZoneResource,
} from '../../present/zones/restored-zone.ts';
import { deletedZoneParameters, organizationParameter } from '../parameters.ts';

const collection = '/api/organizations/:id/deleted-zones';
const item = `${collection}/:zoneId`;
const ListQuery = z.object({
  ...pageParameters,
  q: searchText.optional().meta({ description: 'Only zones whose name or id contains this text.' }),
});

/** The body of a restore request. */
const RestoreBody = z.strictObject(
  described(ZoneRestoration.shape, {
    name: { description: 'Name of the restored zone; defaults to the one it had.', examples: ['shop'] },
    tag: { description: 'Environment of the restored zone; defaults to the one it had.' },
    missing: missingText,
  }),
);

export const deletedZoneRoutes = [
  protectedRoute({
    method: 'get',
    path: collection,
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'List the zones of an organization that were deleted in the last 30 days, newest deletion first.',
    description: 'They can be restored until then; afterwards they are gone for good.',
    answers: list(deletedZoneResource),
    params: organizationParameter,
    query: ListQuery,
    run: ({ caller, params, query, useCases }) =>
      useCases.listDeletedZones(caller, { organization: params.id, search: query.q }, query),
    present: (zones, { query }) => revalidated(presentDeletedZones(zones, query)),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'Read a deleted zone.',
    description: 'What a list of deleted zones shows of it. Its contents can be read once it is restored.',
    answers: one(deletedZoneResource),
    params: deletedZoneParameters,
    run: ({ caller, params, useCases }) => useCases.readDeletedZone(caller, params.id, params.zoneId),
    present: (zone) => revalidated(presentDeletedZone(zone)),
  }),
  protectedRoute({
    method: 'post',
    path: `${item}/restore`,
    cost: 'computed',
    permission: 'zones:write',
    summary: 'Restore a deleted zone.',
    description:
      'Brings back the zone with its id, settings, rules, basic-auth users, ban token and history, recorded as a new revision. A reference to something that no longer exists is a violation; with `missing: "skip"` it is left out and listed in `missing`.',
    answers: one(restoredZoneResource),
    accepts: whole(RestoreBody),
    errors: ['InvalidInput'],
    params: deletedZoneParameters,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'zones.delete'),
    bodyOptional: true,
    body: (body) => parse(ZoneRestoration, body),
    run: ({ caller, params: { id, zoneId }, body, expected, useCases }) =>
      useCases
        .restoreDeletedZone(caller, id, zoneId, body, expected)
        .andThen((missing) =>
          useCases.readZone(caller, zoneId).map((zone) => restoredZone(zone, missing, body.missing)),
        ),
    present: (restored) => ({ body: presentRestoredZone(restored) }),
  }),
];
