import {
  type CheckZoneAccess,
  type CreateRule,
  type DeleteRule,
  type InvalidInput,
  type JsonObject,
  type ListRules,
  type MoveRule,
  type PositionChange,
  parse,
  parseRuleDraft,
  parseWantedRules,
  type ReadRule,
  type ReplaceRules,
  type RuleKind,
  RuleMove,
  ruleKindNames,
  ruleKinds,
  type UpdateRule,
  type ZoneId,
} from '@zonewright/core';
import { ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { iri, lastSegment, ruleCollections } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters, searchText } from '../http/query.ts';
import { listEntries, requireSameParent, writableMembers } from '../http/resource-body.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { rulePositions } from '../http/rule-positions.ts';
import { presentRule, presentRules } from '../present/rule.ts';
import { fromScenarioBody, fromScenarioPatch } from '../present/scenario-definition.ts';
import { parentZoneParameter, ruleParameters } from './parameters.ts';

export interface RuleUseCases {
  readonly listRules: ListRules;
  readonly createRule: CreateRule;
  readonly readRule: ReadRule;
  readonly updateRule: UpdateRule;
  readonly deleteRule: DeleteRule;
  readonly moveRuleTo: MoveRule;
  readonly replaceRules: ReplaceRules;
  readonly checkZoneAccess: CheckZoneAccess;
}

/** Configuration rules are linked data first (interface); the kinds that the interface names only are JSON first. */
const formatsOf = (kind: RuleKind) => (kind === 'configurationRule' ? formats.linkedFirst : formats.plainFirst);

const ListQuery = z.object({
  ...pageParameters,
  name: searchText.optional(),
  'name[]': z.array(searchText).optional(),
});

/** The routes of every kind of rules: five for each, two more for those that clients put in order. */
export const ruleRoutes = (useCases: RuleUseCases) =>
  ruleKindNames.flatMap((kind) => [
    ...collectionRoutes(kind, useCases),
    ...itemRoutes(kind, useCases),
    ...(ruleKinds[kind].isOrdered ? orderRoutes(kind, useCases) : []),
  ]);

const collectionOf = (kind: RuleKind) => `/api/zones/:zoneId/${ruleCollections[kind]}`;

const collectionRoutes = (kind: RuleKind, { listRules, createRule, checkZoneAccess }: RuleUseCases) => [
  protectedRoute({
    method: 'get',
    path: collectionOf(kind),
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
    present: (rules, { query }) => ({ status: 200, body: presentRules(kind, rules, query), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'post',
    path: collectionOf(kind),
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
      status: 201,
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
    formats: formatsOf(kind),
    params: ruleParameters,
    run: ({ caller, params }) => useCases.readRule(caller, { zone: params.zoneId, kind }, params.id),
    present: (rule) => ({ status: 200, body: presentRule(rule), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: `${collectionOf(kind)}/:id`,
    formats: formatsOf(kind),
    consumes: [mediaTypes.mergePatch],
    params: ruleParameters,
    permitted: (caller, params) => mayWriteRule(kind, useCases)(caller, params),
    body: (body, { zoneId }) =>
      ruleMembers(kind, body, zoneId).andThen(kind === 'securityScenario' ? fromScenarioPatch : unchanged),
    run: ({ caller, params, body, expected }) =>
      useCases.updateRule(caller, { zone: params.zoneId, kind }, params.id, body, expected),
    present: ({ rule, moved }) => ({ status: 200, body: presentRule(rule), headers: positionsIn(kind, moved) }),
  }),
  protectedRoute({
    method: 'delete',
    path: `${collectionOf(kind)}/:id`,
    formats: formatsOf(kind),
    params: ruleParameters,
    run: ({ caller, params, expected }) =>
      useCases.deleteRule(caller, { zone: params.zoneId, kind }, params.id, expected),
    present: (moved) => ({ status: 204, headers: positionsIn(kind, moved) }),
  }),
];

const orderRoutes = (kind: RuleKind, useCases: RuleUseCases) => [
  protectedRoute({
    method: 'put',
    path: collectionOf(kind),
    formats: formatsOf(kind),
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: parentZoneParameter,
    permitted: (caller, { zoneId }) => useCases.checkZoneAccess(caller, zoneId, 'rules.write'),
    precondition: 'required',
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
      status: 200,
      body: presentRules(kind, rules, { page: 1, itemsPerPage: ruleKinds[kind].limit }),
      headers: rulePositions(moved),
    }),
  }),
  protectedRoute({
    method: 'post',
    path: `${collectionOf(kind)}/:id/move`,
    formats: formatsOf(kind),
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: ruleParameters,
    permitted: (caller, params) => mayWriteRule(kind, useCases)(caller, params),
    body: (body) => parse(RuleMove, moveMembers(body)),
    run: ({ caller, params, body, expected }) =>
      useCases.moveRuleTo(caller, { zone: params.zoneId, kind }, params.id, body, expected),
    present: ({ rule, moved }) => ({ status: 200, body: presentRule(rule), headers: rulePositions(moved) }),
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
