import {
  type CheckZoneAccess,
  type CreateRule,
  type DeleteRule,
  type JsonObject,
  type ListRules,
  parse,
  type ReadRule,
  RuleDraft,
  type UpdateRule,
  type ZoneId,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters, searchText } from '../http/query.ts';
import { requireSameParent, writableMembers } from '../http/resource-body.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { presentRule, presentRules } from '../present/configuration-rule.ts';
import { parentZoneParameter, ruleParameters } from './parameters.ts';

export interface ConfigurationRuleUseCases {
  readonly listRules: ListRules;
  readonly createRule: CreateRule;
  readonly readRule: ReadRule;
  readonly updateRule: UpdateRule;
  readonly deleteRule: DeleteRule;
  readonly checkZoneAccess: CheckZoneAccess;
}

const collection = '/api/zones/:zoneId/configuration-rules';
const item = `${collection}/:id`;
const formatsOfRules = formats.linkedFirst;

const ListQuery = z.object({
  ...pageParameters,
  name: searchText.optional(),
  'name[]': z.array(searchText).optional(),
});

export const configurationRuleRoutes = (useCases: ConfigurationRuleUseCases) => [
  protectedRoute({
    method: 'get',
    path: collection,
    formats: formatsOfRules,
    params: parentZoneParameter,
    query: ListQuery,
    run: ({ caller, params, query }) =>
      useCases.listRules(caller, params.zoneId, {
        page: query.page,
        itemsPerPage: query.itemsPerPage,
        names: [query.name, ...(query['name[]'] ?? [])].filter((name) => name !== undefined),
      }),
    present: (rules, { query }) => ({ status: 200, body: presentRules(rules, query), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    formats: formatsOfRules,
    consumes: [mediaTypes.json, mediaTypes.linked],
    params: parentZoneParameter,
    permitted: (caller, { zoneId }) => useCases.checkZoneAccess(caller, zoneId, 'rules.write'),
    body: (body, { zoneId }) => ruleMembers(body, zoneId).andThen((members) => parse(RuleDraft, members)),
    run: ({ caller, params, body }) => useCases.createRule(caller, params.zoneId, body),
    present: ({ rule }) => ({ status: 201, body: presentRule(rule), location: iri.configurationRule(rule) }),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    formats: formatsOfRules,
    params: ruleParameters,
    run: ({ caller, params }) => useCases.readRule(caller, params.zoneId, params.id),
    present: (rule) => ({ status: 200, body: presentRule(rule), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    formats: formatsOfRules,
    consumes: [mediaTypes.mergePatch],
    params: ruleParameters,
    permitted: (caller, { zoneId, id }) =>
      useCases
        .checkZoneAccess(caller, zoneId, 'rules.write')
        .andThen(() => useCases.readRule(caller, zoneId, id).map(() => undefined)),
    body: (body, { zoneId }) => ruleMembers(body, zoneId),
    run: ({ caller, params, body, expected }) => useCases.updateRule(caller, params.zoneId, params.id, body, expected),
    present: ({ rule }) => ({ status: 200, body: presentRule(rule) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    formats: formatsOfRules,
    params: ruleParameters,
    run: ({ caller, params, expected }) => useCases.deleteRule(caller, params.zoneId, params.id, expected),
    present: () => ({ status: 204 }),
  }),
];

const ruleMembers = (body: JsonObject, zoneId: ZoneId) =>
  requireSameParent(body, 'zone', [zoneId, iri.zone(zoneId)]).map(() =>
    writableMembers(body, ['id', 'zone', 'createdAt', 'updatedAt']),
  );
