import { createdOrFound, list, item as one, readOnlyMembers, whole } from '@zonewright/api-description';
import { contentPermissions, type JsonObject, parseDocument, readPermissions } from '@zonewright/core';
import { revalidated } from '../../http/answer.ts';
import { PageQuery } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import {
  CheckedPromotion,
  PromotionBody,
  presentOutcome,
  presentPromotion,
  presentPromotions,
  promotionDetailsResource,
  promotionResource,
} from '../../present/review/promotion.ts';
import { versionNamed } from '../../resources/entity-tag.ts';
import { idInReference } from '../../resources/iri.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { parentZoneParameter, promotionParameters } from '../parameters.ts';

const collection = '/api/zones/:zoneId/promotions';
const readOnly = readOnlyMembers(promotionDetailsResource);

export const promotionRoutes = [
  protectedRoute({
    method: 'get',
    path: collection,
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'List the promotions into a zone, newest first.',
    description: 'To see what happens to each rule, read a single promotion.',
    answers: list(promotionResource),
    params: parentZoneParameter,
    query: PageQuery,
    run: ({ caller, params, query, useCases }) => useCases.listPromotions(caller, params.zoneId, query),
    present: (page, { query }) => revalidated(presentPromotions(page, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    cost: 'computed',
    permission: contentPermissions,
    summary: 'Promote the changes of another zone into a zone.',
    description:
      'Creates a change set with what has changed in the source since the last promotion whose change set was applied. The change set is not applied. Returns 200 if there is nothing to promote, or if the same promotion is already open.',
    answers: createdOrFound(promotionDetailsResource),
    accepts: whole(PromotionBody),
    errors: ['SourceChanged'],
    params: parentZoneParameter,
    comparesParent: true,
    permitted: ({ caller, params: { zoneId }, useCases }) => useCases.checkZoneAccess(caller, zoneId, 'contents.write'),
    body: (body) => parseDocument(CheckedPromotion, promotionBody(body)),
    run: ({ caller, params, body: { fromTag, ...draft }, expected, useCases }) =>
      useCases.promoteZone(caller, params.zoneId, draft, {
        target: expected,
        source: fromTag === undefined ? undefined : [versionNamed(fromTag) ?? fromTag],
      }),
    present: (outcome) =>
      outcome.kind === 'made' ? { body: presentOutcome(outcome) } : { status: 200, body: presentOutcome(outcome) },
  }),
  protectedRoute({
    method: 'get',
    path: `${collection}/:id`,
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'Read a promotion and its report.',
    description: 'The report says what happens to each rule, setting and backend, and why.',
    answers: one(promotionDetailsResource),
    params: promotionParameters,
    run: ({ caller, params, useCases }) => useCases.readPromotion(caller, params.zoneId, params.id),
    present: (promotion) => revalidated(presentPromotion(promotion)),
  }),
];

function promotionBody(body: JsonObject): JsonObject {
  const { from, ...members } = writableMembers(body, readOnly);
  return from === undefined ? members : { ...members, from: idInReference(from, 'zones') };
}
