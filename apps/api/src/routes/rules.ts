import {
  type InvalidInput,
  type JsonObject,
  type PositionChange,
  parse,
  parseRuleDraft,
  parseWantedRules,
  type ReadRule,
  RuleId,
  type RuleKind,
  RuleMove,
  RulePosition,
  ruleKindNames,
  ruleKinds,
  type UseCases,
  type ZoneId,
} from '@zonewright/core';
import { ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { bodyLimits } from '../http/body.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters, searchText } from '../http/query.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { presentRule, presentRules, ruleResources } from '../present/rule.ts';
import { fromScenarioBody, fromScenarioPatch, ScenarioBody } from '../present/scenario-definition.ts';
import { created, item, link, list, listOf, mergePatchOn, nothing, whole } from '../resources/description.ts';
import { iri, lastSegment, ruleCollections } from '../resources/iri.ts';
import { listEntries, requireSameParent, writableMembers } from '../resources/resource-body.ts';
import { rulePositions } from '../resources/rule-positions.ts';
import { parentZoneParameter, ruleParameters } from './parameters.ts';

export type RuleUseCases = Pick<
  UseCases,
  | 'listRules'
  | 'createRule'
  | 'readRule'
  | 'updateRule'
  | 'deleteRule'
  | 'moveRuleTo'
  | 'replaceRules'
  | 'checkZoneAccess'
>;

/** Configuration rules are linked data first (interface); the kinds that the interface names only are JSON first. */
const formatsOf = (kind: RuleKind) => (kind === 'configurationRule' ? formats.linkedFirst : formats.plainFirst);

const ListQuery = z.object({
  ...pageParameters,
  name: searchText.optional().meta({ description: 'Only rules whose name contains this text.' }),
  'name[]': z.array(searchText).optional().meta({ description: 'Only rules whose name contains one of these texts.' }),
});

/** The routes of every kind of rules: five for each, two more for those that clients put in order. */
export const ruleRoutes = (useCases: RuleUseCases) =>
  ruleKindNames.flatMap((kind) => [
    ...collectionRoutes(kind, useCases),
    ...itemRoutes(kind, useCases),
    ...(ruleKinds[kind].isOrdered ? orderRoutes(kind, useCases) : []),
  ]);

const titleOf = (kind: RuleKind): string => ruleResources[kind].title;

/** `an access rule`, `a rewrite rule`. */
const one = (kind: RuleKind): string => `${/^[aeiou]/.test(titleOf(kind)) ? 'an' : 'a'} ${titleOf(kind)}`;

const placed = (kind: RuleKind) => z.strictObject({ ...ruleKinds[kind].schema.shape, order: RulePosition.optional() });

/** What clients write of each kind. */
const draftSchemas: Readonly<Record<RuleKind, z.ZodType>> = {
  configurationRule: placed('configurationRule'),
  rewriteRule: placed('rewriteRule'),
  accessRule: placed('accessRule'),
  securityScenario: ScenarioBody,
};

/** Neighbours may be named by their IRI. */
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

const collectionOf = (kind: RuleKind) => `/api/zones/:zoneId/${ruleCollections[kind]}`;

const collectionRoutes = (kind: RuleKind, { listRules, createRule, checkZoneAccess }: RuleUseCases) => [
  protectedRoute({
    method: 'get',
    path: collectionOf(kind),
    summary: `List the ${titleOf(kind)}s of a zone.`,
    answers: list(ruleResources[kind]),
    refuses: ['PageTooLarge'],
    formats: formatsOf(kind),
    params: parentZoneParameter,
    query: ListQuery,
    run: ({ caller, params, query }) =>
      listRules(
        caller,
        { zone: params.zoneId, kind },
        {
          page: query.page,
          itemsPerPage: query.itemsPerPage,
          names: [query.name, ...(query['name[]'] ?? [])].filter((name) => name !== undefined),
        },
      ),
    present: (rules, { query }) => ({ body: presentRules(kind, rules, query), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'post',
    path: collectionOf(kind),
    summary: `Add ${one(kind)} to a zone.`,
    answers: created(ruleResources[kind]),
    accepts: whole(draftSchemas[kind]),
    sends: ['Rule-Positions'],
    formats: formatsOf(kind),
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: parentZoneParameter,
    permitted: (caller, { zoneId }) => checkZoneAccess(caller, zoneId, 'rules.write'),
    body: (body, { zoneId }) =>
      ruleMembers(kind, body, zoneId)
        .andThen(kind === 'securityScenario' ? fromScenarioBody : unchanged)
        .andThen((members) => parseRuleDraft(kind, members)),
    run: ({ caller, params, body }) => createRule(caller, { zone: params.zoneId, kind }, body),
    present: ({ rule, moved }) => ({
      body: presentRule(rule),
      location: iri.rule(rule),
      headers: positionsIn(kind, moved),
    }),
  }),
];

const itemRoutes = (kind: RuleKind, useCases: RuleUseCases) => [
  protectedRoute({
    method: 'get',
    path: `${collectionOf(kind)}/:id`,
    summary: `Read ${one(kind)}.`,
    answers: item(ruleResources[kind]),
    formats: formatsOf(kind),
    params: ruleParameters,
    run: ({ caller, params }) => useCases.readRule(caller, { zone: params.zoneId, kind }, params.id),
    present: (rule) => ({ body: presentRule(rule), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: `${collectionOf(kind)}/:id`,
    summary: `Change ${one(kind)}.`,
    description:
      'Members that are not in the patch stay as they are. Changing `order` moves the rule; the other rules move up or down to make room.',
    answers: item(ruleResources[kind]),
    accepts: mergePatchOn(draftSchemas[kind]),
    sends: ['Rule-Positions'],
    formats: formatsOf(kind),
    consumes: [mediaTypes.mergePatch],
    params: ruleParameters,
    permitted: (caller, params) => mayWriteRule(kind, useCases)(caller, params),
    body: (body, { zoneId }) =>
      ruleMembers(kind, body, zoneId).andThen(kind === 'securityScenario' ? fromScenarioPatch : unchanged),
    run: ({ caller, params, body, expected }) =>
      useCases.updateRule(caller, { zone: params.zoneId, kind }, params.id, body, expected),
    present: ({ rule, moved }) => ({ body: presentRule(rule), headers: positionsIn(kind, moved) }),
  }),
  protectedRoute({
    method: 'delete',
    path: `${collectionOf(kind)}/:id`,
    summary: `Delete ${one(kind)}.`,
    answers: nothing,
    sends: ['Rule-Positions'],
    formats: formatsOf(kind),
    params: ruleParameters,
    run: ({ caller, params, expected }) =>
      useCases.deleteRule(caller, { zone: params.zoneId, kind }, params.id, expected),
    present: (moved) => ({ headers: positionsIn(kind, moved) }),
  }),
];

const orderRoutes = (kind: RuleKind, useCases: RuleUseCases) => [
  protectedRoute({
    method: 'put',
    path: collectionOf(kind),
    summary: `Replace all ${titleOf(kind)}s of a zone at once.`,
    description:
      'The list becomes exactly what you send, in that order. An entry with the `id` of an existing rule updates it, an entry without one creates a rule, and rules that are not in the list are deleted.',
    answers: list(ruleResources[kind]),
    accepts: listOf(ruleKinds[kind].schema),
    sends: ['Rule-Positions'],
    formats: formatsOf(kind),
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: parentZoneParameter,
    permitted: (caller, { zoneId }) => useCases.checkZoneAccess(caller, zoneId, 'rules.write'),
    precondition: 'required',
    bodyLimit: bodyLimits.whole,
    bodyOrArray: (body, { zoneId }) =>
      listEntries(body, (entry) => wantedMembers(entry, zoneId)).andThen(({ entries, under }) =>
        parseWantedRules(kind, entries)
          .map((wanted) => ({ wanted, under }))
          .mapErr(under),
      ),
    run: ({ caller, params, body, expected }) =>
      useCases
        .replaceRules(caller, { zone: params.zoneId, kind }, body.wanted, expected)
        .mapErr((error) => (error.type === 'InvalidInput' ? body.under(error) : error)),
    present: ({ moved, ...rules }) => ({
      body: presentRules(kind, rules, { page: 1, itemsPerPage: ruleKinds[kind].limit }),
      headers: rulePositions(moved),
    }),
  }),
  protectedRoute({
    method: 'post',
    path: `${collectionOf(kind)}/:id/move`,
    summary: `Move ${one(kind)}.`,
    description: 'Directly before or after another rule, or to a position.',
    answers: item(ruleResources[kind]),
    accepts: whole(MoveBody),
    sends: ['Rule-Positions'],
    formats: formatsOf(kind),
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: ruleParameters,
    permitted: (caller, params) => mayWriteRule(kind, useCases)(caller, params),
    body: (body) => parse(RuleMove, moveMembers(body)),
    run: ({ caller, params, body, expected }) =>
      useCases.moveRuleTo(caller, { zone: params.zoneId, kind }, params.id, body, expected),
    present: ({ rule, moved }) => ({ body: presentRule(rule), headers: rulePositions(moved) }),
  }),
];

const mayWriteRule =
  (kind: RuleKind, { checkZoneAccess, readRule }: RuleUseCases) =>
  (...[caller, { zoneId, id }]: readonly [Parameters<ReadRule>[0], { zoneId: ZoneId; id: Parameters<ReadRule>[2] }]) =>
    checkZoneAccess(caller, zoneId, 'rules.write').andThen(() =>
      readRule(caller, { zone: zoneId, kind }, id).map(() => undefined),
    );

/** Scenarios have no place that clients see. */
const positionsIn = (kind: RuleKind, moved: readonly PositionChange[]) =>
  ruleKinds[kind].isOrdered ? rulePositions(moved) : {};

const unchanged = (members: JsonObject): Result<JsonObject, InvalidInput> => ok(members);

const readOnly = ['id', 'zone', 'createdAt', 'updatedAt'];
const readOnlyIn = (kind: RuleKind) =>
  kind === 'securityScenario' ? [...readOnly, 'evaluationScope', 'participationMode'] : readOnly;

const ruleMembers = (kind: RuleKind, body: JsonObject, zoneId: ZoneId): Result<JsonObject, InvalidInput> =>
  requireSameParent(body, 'zone', [zoneId, iri.zone(zoneId)]).map(() => writableMembers(body, readOnlyIn(kind)));

/** An entry of a list that replaces another one: its place is its position, its id says which rule it was. */
const wantedMembers = (entry: JsonObject, zoneId: ZoneId): Result<JsonObject, InvalidInput> =>
  requireSameParent(entry, 'zone', [zoneId, iri.zone(zoneId)]).map(() => {
    const id = entry['id'] ?? lastSegment(entry['@id']);
    const members = writableMembers(entry, [...readOnly, 'order']);
    return id === undefined ? members : { ...members, id };
  });

/** Neighbours may be named by their IRI. */
const moveMembers = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(writableMembers(body, [])).map(([member, value]) => [
      member,
      member === 'position' ? value : (lastSegment(value) ?? value),
    ]),
  );
