import { list, mediaTypes, item as one, whole } from '@zonewright/api-description';
import { contentPermissions, MissingMode, parse, readPermissions } from '@zonewright/core';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import {
  missingText,
  presentRestoredZone,
  restoredZone,
  restoredZoneResource,
} from '../../present/zones/restored-zone.ts';
import {
  presentDiff,
  presentRevision,
  presentRevisions,
  revisionDetailsResource,
  revisionDiffResource,
  revisionResource,
} from '../../present/zones/revision.ts';
import { diffParameters, parentZoneParameter, revisionParameters } from '../parameters.ts';

const collection = '/api/zones/:zoneId/revisions';
const item = `${collection}/:number`;
/** How a restoration treats references to missing items. */
const RestoreBody = z.strictObject({
  missing: MissingMode.default('refuse').meta({ ...missingText, examples: [...missingText.examples] }),
});

export const revisionRoutes = [
  protectedRoute({
    method: 'get',
    path: collection,
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'List the revisions of a zone, newest first.',
    description: 'To get the patches that make and undo a change, read a single revision.',
    answers: list(revisionResource),
    params: parentZoneParameter,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) => useCases.listRevisions(caller, params.zoneId, query),
    present: (page, { query }) => revalidated(presentRevisions(page, query)),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'Read a revision and the state of the zone after it.',
    description: 'With the merge patches (RFC 7396) that make and undo the change.',
    answers: one(revisionDetailsResource),
    params: revisionParameters,
    run: ({ caller, params, useCases }) => useCases.readRevision(caller, params.zoneId, params.number),
    present: (details) => revalidated(presentRevision(details)),
  }),
  protectedRoute({
    method: 'get',
    path: `${item}/diff/:other`,
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'Compare two revisions of a zone.',
    description: 'Returns the merge patches (RFC 7396) that lead from one to the other and back.',
    answers: one(revisionDiffResource),
    params: diffParameters,
    run: ({ caller, params, useCases }) =>
      useCases.compareRevisions(caller, params.zoneId, params.number, params.other),
    present: (diff) => revalidated(presentDiff(diff)),
  }),
  protectedRoute({
    method: 'post',
    path: `${item}/restore`,
    cost: 'computed',
    // The response shows the zone.
    permission: [contentPermissions, readPermissions.zones],
    errors: ['InvalidInput'],
    summary: 'Restore the settings and rules of a zone.',
    description:
      'All or nothing, recorded as a new revision. The name, tag, ban token and basic-auth users stay as they are. A reference to something that no longer exists is a violation; with `missing: "skip"` it is left out and listed in `missing`.',
    answers: one(restoredZoneResource),
    accepts: whole(RestoreBody),
    consumes: [mediaTypes.json],
    params: revisionParameters,
    permitted: ({ caller, params: { zoneId }, useCases }) =>
      useCases
        .checkZoneAccess(caller, zoneId, 'contents.write')
        .andThen(() => useCases.checkZoneAccess(caller, zoneId, 'zones.read')),
    bodyOptional: true,
    body: (body) => parse(RestoreBody, body),
    run: ({ caller, params: { zoneId, number }, body, expected, useCases }) =>
      useCases
        .restoreRevision(caller, zoneId, number, expected, body.missing)
        .andThen((missing) =>
          useCases.readZone(caller, zoneId).map((zone) => restoredZone(zone, missing, body.missing)),
        ),
    present: (restored) => ({ body: presentRestoredZone(restored) }),
  }),
];
