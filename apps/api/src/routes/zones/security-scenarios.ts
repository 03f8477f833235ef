import { created, item, mergePatchOn, whole } from '@zonewright/api-description';
import { type JsonObject, parseRuleDraft, type ZoneId } from '@zonewright/core';
import { protectedRoute } from '../../http/route.ts';
import { presentRule, ruleResources } from '../../present/zones/rule.ts';
import { fromScenarioBody, fromScenarioPatch, ScenarioBody } from '../../present/zones/scenario-definition.ts';
import { parentZoneParameter, ruleParameters } from '../parameters.ts';
import { noContent } from '../row-members.ts';
import { collectionOf, listRoute, mayWriteRule, readRoute, ruleMembers } from './rules.ts';

const kind = 'securityScenario';
const resource = ruleResources[kind];
const collection = collectionOf(kind);

/** Routes of security scenarios: rules without an order, which clients may also write as YAML. */
export const securityScenarioRoutes = [
  listRoute(kind),
  protectedRoute({
    method: 'post',
    path: collection,
    cost: 'stored',
    permission: 'rules:write',
    summary: 'Add a security scenario to a zone.',
    description: 'Send either its members or the same as YAML in `definition`. Names are unique in a zone.',
    answers: created(resource),
    accepts: whole(ScenarioBody),
    params: parentZoneParameter,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: ({ caller, params: { zoneId }, useCases }) => useCases.checkZoneAccess(caller, zoneId, 'rules.write'),
    body: (body, { zoneId }) =>
      scenarioMembers(body, zoneId)
        .andThen(fromScenarioBody)
        .andThen((members) => parseRuleDraft(kind, members)),
    run: ({ caller, params, body, useCases }) => useCases.createRule(caller, { zone: params.zoneId, kind }, body),
    present: ({ rule }) => ({ body: presentRule(rule) }),
  }),
  readRoute(kind),
  protectedRoute({
    method: 'patch',
    path: `${collection}/:id`,
    cost: 'stored',
    permission: 'rules:write',
    summary: 'Change a security scenario.',
    description: 'Members that are not in the patch stay as they are. A `definition` replaces all of them.',
    answers: item(resource),
    accepts: mergePatchOn(ScenarioBody),
    params: ruleParameters,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: mayWriteRule(kind),
    body: (body, { zoneId }) => scenarioMembers(body, zoneId).andThen(fromScenarioPatch),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.updateRule(caller, { zone: params.zoneId, kind }, params.id, body, expected),
    present: ({ rule }) => ({ body: presentRule(rule) }),
  }),
  protectedRoute({
    method: 'delete',
    path: `${collection}/:id`,
    cost: 'stored',
    permission: 'rules:write',
    summary: 'Delete a security scenario.',
    description: 'It can be brought back by restoring an earlier revision of the zone.',
    ...noContent,
    params: ruleParameters,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    run: ({ caller, params, expected, useCases }) =>
      useCases.deleteRule(caller, { zone: params.zoneId, kind }, params.id, expected),
  }),
];

/** `participationMode` is read-only too (interface, "Security scenarios"), although no response contains it. */
export const scenarioMembers = (body: JsonObject, zoneId: ZoneId) =>
  ruleMembers(kind, body, zoneId).map(({ participationMode: _, ...members }): JsonObject => members);
