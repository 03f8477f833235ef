import {
  created,
  item,
  link,
  list,
  listOf,
  mergePatchOn,
  nothing,
  readOnlyMembers,
  whole,
} from '@zonewright/api-description';
import {
  type Caller,
  type InvalidInput,
  type JsonObject,
  parse,
  parseRuleDraft,
  parseWantedRules,
  RuleId,
  type RuleKind,
  RuleMove,
  RulePosition,
  readPermissions,
  ruleKinds,
  ruleListNames,
  usageLimits,
  type ZoneId,
} from '@zonewright/core';
import type { Result } from 'neverthrow';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { bodyLimits } from '../../http/body.ts';
import { allOf, pageParameters, searchText } from '../../http/query.ts';
import { protectedRoute, type Route } from '../../http/route.ts';
import type { PermissionInput } from '../../http/route-row.ts';
import { presentRule, presentRules, ruleResources } from '../../present/zones/rule.ts';
import { iri, lastSegment, ruleCollections } from '../../resources/iri.ts';
import { listEntries, requireSameParent, writableMembers } from '../../resources/resource-body.ts';
import { rulePositions } from '../../resources/rule-positions.ts';
import { parentZoneParameter, ruleParameters } from '../parameters.ts';

/** The rule kinds that clients order. */
const orderedKinds = ['rewriteRule', 'configurationRule', 'accessRule'] as const;
type OrderedKind = (typeof orderedKinds)[number];

const ListQuery = z.object({
  ...pageParameters,
  name: searchText.optional().meta({ description: 'Only rules whose name contains this text.' }),
  'name[]': z.array(searchText).optional().meta({ description: 'Only rules whose name contains one of these texts.' }),
});

const titleOf = (kind: RuleKind): string => ruleResources[kind].title;

/** `an access rule`, `a rewrite rule`. */
const one = (kind: RuleKind): string => `${/^[aeiou]/.test(titleOf(kind)) ? 'an' : 'a'} ${titleOf(kind)}`;

/** The request schema of a kind. */
const draftSchema = (kind: OrderedKind) =>
  z.strictObject({ ...ruleKinds[kind].schema.shape, order: RulePosition.optional() });

/** The neighbouring rule may be an IRI or id. */
const neighbour = (description: string) =>
  z
    .union([RuleId, link('Rule', 'Address of the rule.')])
    .optional()
    .meta({ description });

const MoveBody = z.strictObject({
  before: neighbour('The rule that is to come right after the moved one: its id or address.'),
  after: neighbour('The rule that is to come right before the moved one: its id or address.'),
  position: RulePosition.optional().meta({
    description: 'The new position. Send exactly one of the three members.',
    examples: [1],
  }),
});

/** The path of a rule list. */
export const collectionOf = (kind: RuleKind) => `/api/zones/:zoneId/${ruleCollections[kind]}`;

/** A list of rules of any kind. */
export const listRoute = (kind: RuleKind): Route =>
  protectedRoute({
    method: 'get',
    path: collectionOf(kind),
    cost: 'stored',
    permission: readPermissions.rules,
    summary: `List the ${titleOf(kind)}s of a zone.`,
    description:
      kind === 'securityScenario'
        ? 'In the order in which they were created.'
        : 'In the order in which they are evaluated.',
    answers: list(ruleResources[kind]),
    errors: ['PageTooLarge'],
    params: parentZoneParameter,
    query: ListQuery,
    run: ({ caller, params, query, useCases }) =>
      useCases.listRules(
        caller,
        { zone: params.zoneId, kind },
        {
          page: query.page,
          itemsPerPage: query.itemsPerPage,
          names: allOf(query.name, query['name[]']),
        },
      ),
    present: (rules, { query }) => revalidated(presentRules(kind, rules, query)),
  });

/** One rule of any kind. */
export const readRoute = (kind: RuleKind): Route =>
  protectedRoute({
    method: 'get',
    path: `${collectionOf(kind)}/:id`,
    cost: 'stored',
    permission: readPermissions.rules,
    summary: `Read ${one(kind)}.`,
    description: 'Alone, as it is in the list.',
    answers: item(ruleResources[kind]),
    params: ruleParameters,
    run: ({ caller, params, useCases }) => useCases.readRule(caller, { zone: params.zoneId, kind }, params.id),
    present: (rule) => revalidated(presentRule(rule)),
  });

const collectionRoutes = (kind: OrderedKind) => [
  listRoute(kind),
  protectedRoute({
    method: 'post',
    path: collectionOf(kind),
    cost: 'stored',
    permission: 'rules:write',
    summary: `Add ${one(kind)} to a zone.`,
    description:
      'At the end of the list, unless `order` names a position; the rules from there on move down. Names and conditions are unique in the list.',
    answers: created(ruleResources[kind]),
    accepts: whole(draftSchema(kind)),
    responseHeaders: ['Rule-Positions'],
    params: parentZoneParameter,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: ({ caller, params: { zoneId }, useCases }) => useCases.checkZoneAccess(caller, zoneId, 'rules.write'),
    body: (body, { zoneId }) => ruleMembers(kind, body, zoneId).andThen((members) => parseRuleDraft(kind, members)),
    run: ({ caller, params, body, useCases }) => useCases.createRule(caller, { zone: params.zoneId, kind }, body),
    present: ({ rule, moved }) => ({ body: presentRule(rule), headers: rulePositions(moved) }),
  }),
];

const itemRoutes = (kind: OrderedKind) => [
  readRoute(kind),
  protectedRoute({
    method: 'patch',
    path: `${collectionOf(kind)}/:id`,
    cost: 'stored',
    permission: 'rules:write',
    summary: `Change ${one(kind)}.`,
    description:
      'Members that are not in the patch stay as they are. Changing `order` moves the rule; the other rules move up or down to make room.',
    answers: item(ruleResources[kind]),
    accepts: mergePatchOn(draftSchema(kind)),
    responseHeaders: ['Rule-Positions'],
    params: ruleParameters,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: mayWriteRule(kind),
    body: (body, { zoneId }) => ruleMembers(kind, body, zoneId),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.updateRule(caller, { zone: params.zoneId, kind }, params.id, body, expected),
    present: ({ rule, moved }) => ({ body: presentRule(rule), headers: rulePositions(moved) }),
  }),
  protectedRoute({
    method: 'delete',
    path: `${collectionOf(kind)}/:id`,
    cost: 'stored',
    permission: 'rules:write',
    summary: `Delete ${one(kind)}.`,
    description: 'The rules after it move up.',
    answers: nothing,
    responseHeaders: ['Rule-Positions'],
    params: ruleParameters,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    run: ({ caller, params, expected, useCases }) =>
      useCases.deleteRule(caller, { zone: params.zoneId, kind }, params.id, expected),
    present: (moved) => ({ headers: rulePositions(moved) }),
  }),
];

const orderRoutes = (kind: OrderedKind) => [
  protectedRoute({
    method: 'put',
    path: collectionOf(kind),
    cost: 'computed',
    permission: 'rules:write',
    summary: `Replace all ${titleOf(kind)}s of a zone at once.`,
    description:
      'The list becomes exactly what you send, in that order. An entry with the `id` of an existing rule updates it, an entry without one creates a rule, and rules that are not in the list are deleted.',
    answers: list(ruleResources[kind]),
    accepts: listOf(ruleKinds[kind].schema),
    responseHeaders: ['Rule-Positions'],
    params: parentZoneParameter,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: ({ caller, params: { zoneId }, useCases }) => useCases.checkZoneAccess(caller, zoneId, 'rules.write'),
    needsPrecondition: true,
    bodyLimit: bodyLimits.whole,
    bodyOrArray: (body, { zoneId }) =>
      listEntries(body, (entry) => wantedMembers(kind, entry, zoneId)).andThen(({ entries, under }) =>
        parseWantedRules(kind, entries)
          .map((wanted) => ({ wanted, under }))
          .mapErr(under),
      ),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases
        .replaceRules(caller, { zone: params.zoneId, kind }, body.wanted, expected)
        .mapErr((error) => (error.type === 'InvalidInput' ? body.under(error) : error)),
    present: ({ moved, ...rules }) => ({
      body: presentRules(kind, rules, { page: 1, itemsPerPage: usageLimits[ruleListNames[kind]].ceiling }),
      headers: rulePositions(moved),
    }),
  }),
  protectedRoute({
    method: 'post',
    path: `${collectionOf(kind)}/:id/move`,
    cost: 'stored',
    permission: 'rules:write',
    summary: `Move ${one(kind)}.`,
    description: 'Directly before or after another rule, or to a position.',
    answers: item(ruleResources[kind]),
    accepts: whole(MoveBody),
    responseHeaders: ['Rule-Positions'],
    params: ruleParameters,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: mayWriteRule(kind),
    body: (body) => parse(RuleMove, moveMembers(body)),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.moveRule(caller, { zone: params.zoneId, kind }, params.id, body, expected),
    present: ({ rule, moved }) => ({ body: presentRule(rule), headers: rulePositions(moved) }),
  }),
];

/** Whether the caller may write in the zone and the rule exists. */
export const mayWriteRule =
  (kind: RuleKind) =>
  ({
    caller,
    params: { zoneId, id },
    useCases,
  }: PermissionInput<Caller, { readonly zoneId: ZoneId; readonly id: RuleId }>) =>
    useCases
      .checkZoneAccess(caller, zoneId, 'rules.write')
      .andThen(() => useCases.readRule(caller, { zone: zoneId, kind }, id));

/** The writable members of a rule, which cannot move to another zone. */
export const ruleMembers = (kind: RuleKind, body: JsonObject, zoneId: ZoneId): Result<JsonObject, InvalidInput> =>
  requireSameParent(body, 'zone', [zoneId, iri.zone(zoneId)]).map(() =>
    writableMembers(body, readOnlyMembers(ruleResources[kind])),
  );

/** An entry of a replaced list: its index is its position, its id names the rule it updates. */
const wantedMembers = (kind: OrderedKind, entry: JsonObject, zoneId: ZoneId): Result<JsonObject, InvalidInput> =>
  ruleMembers(kind, entry, zoneId).map(({ order: _, ...members }) => {
    const id = entry['id'] ?? lastSegment(entry['@id']);
    return id === undefined ? members : { ...members, id };
  });

/** Replaces IRIs of neighbouring rules by ids. */
const moveMembers = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(writableMembers(body, [])).map(([member, value]) => [
      member,
      member === 'position' ? value : (lastSegment(value) ?? value),
    ]),
  );

/** Routes of the ordered rule kinds, seven for each. */
export const ruleRoutes = orderedKinds.flatMap((kind) => [
  ...collectionRoutes(kind),
  ...itemRoutes(kind),
  ...orderRoutes(kind),
]);
