import { created, item, list, mediaTypes, mergePatchOn, readOnlyMembers, whole } from '@zonewright/api-description';
import {
  type Caller,
  type ChangeSetId,
  changeSetSortKeys,
  changeSetStatuses,
  contentPermissions,
  type InvalidInput,
  type JsonObject,
  type OperationReader,
  parse,
  parseChangeSet,
  parseChangeSetChange,
  parseRequestFacts,
  type RequestFacts,
  readPermissions,
  UserId,
  under,
  type ZoneId,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { bodyLimits } from '../../http/body.ts';
import { limitsOf } from '../../http/limits.ts';
import { allOf, pageParameters, searchText, sorted, sortIn } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import type { PermissionInput } from '../../http/route-row.ts';
import {
  ChangeSetBody,
  changeSetDetailsResource,
  changeSetResource,
  presentChangeSet,
  presentChangeSets,
} from '../../present/review/change-set.ts';
import { evaluationResource, presentEvaluation, presentUnkeptEvaluation } from '../../present/zones/evaluation.ts';
import { fromScenarioBody, fromScenarioPatch } from '../../present/zones/scenario-definition.ts';
import { iri, lastSegment } from '../../resources/iri.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { changeSetParameters, parentZoneParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';
import { FactsQuery, factsIn, Question, RequestBody } from '../zones/evaluation.ts';
import { ruleMembers } from '../zones/rules.ts';
import { scenarioMembers } from '../zones/security-scenarios.ts';

const collection = '/api/zones/:zoneId/change-sets';
const one = `${collection}/:id`;
const status = z.enum(changeSetStatuses);

const ListQuery = z.object({
  ...pageParameters,
  q: searchText.optional().meta({ description: 'Only change sets whose title contains this text.' }),
  status: status.optional().meta({ description: 'Only change sets with this status.' }),
  'status[]': z.array(status).optional().meta({ description: 'Only change sets with one of these statuses.' }),
  createdBy: UserId.optional().meta({ description: 'Only change sets that the user with this id created.' }),
  'order[createdAt]': sorted,
  'order[updatedAt]': sorted,
});

const RebaseBody = z.strictObject({
  resolve: z
    .record(z.string(), z.enum(['yours', 'theirs']))
    .optional()
    .meta({
      description:
        'Which side wins, by path of the conflict: `yours` for the change set, `theirs` for the zone. The path `*` means all others.',
      examples: [{}],
    }),
});

const readOnly = readOnlyMembers(changeSetDetailsResource);

/** The zone and the id of a change set. */
interface SetPlace {
  readonly zoneId: ZoneId;
  readonly id: ChangeSetId;
}

/**
 * Whether the caller may write change sets in the zone and this one exists. An API token that may only write them is not
 * told.
 */
const mayWriteSet = ({ caller, params: { zoneId, id }, useCases }: PermissionInput<Caller, SetPlace>) =>
  useCases
    .checkZoneAccess(caller, zoneId, 'contents.write')
    .andThen(() =>
      useCases
        .readChangeSet(caller, zoneId, id)
        .orElse((error) => (error.type === 'PermissionMissing' ? ok(undefined) : err(error))),
    );

const factsInBody = (body: JsonObject): Result<RequestFacts, InvalidInput> =>
  parse(Question, writableMembers(body, [])).andThen(({ request }) =>
    parseRequestFacts(request).mapErr(under('request')),
  );

export const changeSetRoutes = [
  protectedRoute({
    method: 'get',
    path: collection,
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'List the change sets of a zone.',
    description: 'Newest first by default. To see what a change set changes, read a single change set.',
    answers: list(changeSetResource),
    params: parentZoneParameter,
    query: ListQuery,
    run: ({ caller, params, query, useCases }) => useCases.listChangeSets(caller, params.zoneId, listQueryOf(query)),
    present: (page, { query }) => revalidated(presentChangeSets(page, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    cost: 'computed',
    permission: contentPermissions,
    summary: 'Create a change set.',
    description:
      'It is validated like any other write, but changes nothing until it is applied. Send either `patch` or `operations`.',
    answers: created(changeSetDetailsResource),
    accepts: whole(ChangeSetBody),
    bodyLimit: bodyLimits.changeSet,
    params: parentZoneParameter,
    permitted: ({ caller, params: { zoneId }, useCases }) => useCases.checkZoneAccess(caller, zoneId, 'contents.write'),
    body: (body, { zoneId }) => parseChangeSet(writableMembers(body, readOnly), reader(zoneId)),
    run: ({ caller, params, body, useCases }) => useCases.createChangeSet(caller, params.zoneId, body),
    present: (seen) => ({ body: presentChangeSet(seen) }),
  }),
  protectedRoute({
    method: 'get',
    path: one,
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'Read a change set.',
    description: 'With its changes and, while it is open, the conflicts with changes that others have made since.',
    answers: item(changeSetDetailsResource),
    params: changeSetParameters,
    run: ({ caller, params, useCases }) => useCases.readChangeSet(caller, params.zoneId, params.id),
    present: (seen) => revalidated(presentChangeSet(seen)),
  }),
  protectedRoute({
    method: 'patch',
    path: one,
    cost: 'computed',
    permission: contentPermissions,
    summary: 'Change an open change set.',
    description:
      'Sending `patch` or `operations` replaces all changes of the change set; its base becomes the current revision unless you send one.',
    answers: item(changeSetDetailsResource),
    accepts: mergePatchOn(ChangeSetBody),
    errors: ['ChangeSetClosed'],
    bodyLimit: bodyLimits.changeSet,
    params: changeSetParameters,
    permitted: mayWriteSet,
    body: (body, { zoneId }) => parseChangeSetChange(writableMembers(body, readOnly), reader(zoneId)),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.updateChangeSet(caller, params.zoneId, params.id, body, expected),
    present: (seen) => ({ body: presentChangeSet(seen) }),
  }),
  protectedRoute({
    method: 'delete',
    path: one,
    cost: 'computed',
    permission: contentPermissions,
    summary: 'Discard a change set.',
    description: 'It can still be read for 30 days.',
    ...noContent,
    errors: ['ChangeSetClosed'],
    params: changeSetParameters,
    run: ({ caller, params, expected, useCases }) =>
      useCases.discardChangeSet(caller, params.zoneId, params.id, expected),
  }),
  protectedRoute({
    method: 'post',
    path: `${one}/rebase`,
    cost: 'computed',
    permission: contentPermissions,
    summary: 'Rebase a change set onto the current revision of the zone.',
    description: 'Its patch becomes the merged patch. `resolve` settles conflicts; the error lists those that remain.',
    answers: item(changeSetDetailsResource),
    accepts: whole(RebaseBody),
    errors: ['InvalidInput', 'ChangeSetClosed', 'MergeConflicted'],
    bodyLimit: bodyLimits.changeSet,
    bodyOptional: true,
    params: changeSetParameters,
    permitted: mayWriteSet,
    body: (body) => parse(RebaseBody, writableMembers(body, [])),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.rebaseChangeSet(caller, params.zoneId, params.id, body.resolve ?? {}, expected),
    present: (seen) => ({ body: presentChangeSet(seen) }),
  }),
  protectedRoute({
    method: 'post',
    path: `${one}/apply`,
    cost: 'computed',
    permission: contentPermissions,
    summary: 'Apply a change set.',
    description:
      'All or nothing, as one revision of the zone. `If-Match` is required: the entity tag of the zone, or `*` for any.',
    answers: item(changeSetDetailsResource),
    errors: ['InvalidInput', 'ChangeSetClosed', 'MergeConflicted'],
    consumes: [mediaTypes.json, mediaTypes.linked],
    needsPrecondition: true,
    params: changeSetParameters,
    permitted: mayWriteSet,
    run: ({ caller, params, expected, useCases }) =>
      useCases.applyChangeSet(caller, params.zoneId, params.id, expected),
    present: (seen) => ({ body: presentChangeSet(seen) }),
  }),
  // The following analyse a draft without applying it.
  protectedRoute({
    method: 'get',
    path: `${one}/evaluation`,
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'Evaluate a request against a change set.',
    description:
      'Evaluates the current zone with the change set applied; for an applied change set, the revision it created.',
    answers: item(evaluationResource),
    errors: ['InvalidInput', 'ChangeSetClosed', 'MergeConflicted'],
    params: changeSetParameters,
    query: FactsQuery,
    limits: ({ caller }) => limitsOf.evaluate(caller),
    run: ({ caller, params, query, useCases }) =>
      factsIn(query)
        .asyncAndThen((facts) => useCases.evaluateChangeSet(caller, params.zoneId, params.id, facts))
        .orElse((error) => useCases.readChangeSet(caller, params.zoneId, params.id).andThen(() => err(error))),
    present: (evaluation, { params }) => revalidated(presentEvaluation(evaluation, evaluationOf(params))),
  }),
  protectedRoute({
    method: 'post',
    path: `${one}/evaluation`,
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'Evaluate a request against a change set (request in the body).',
    description: 'Like GET, with the facts in the body, which has room for more header lines.',
    answers: item(evaluationResource),
    accepts: whole(RequestBody),
    errors: ['ChangeSetClosed', 'MergeConflicted'],
    bodyLimit: bodyLimits.whole,
    params: changeSetParameters,
    permitted: ({ caller, params: { zoneId, id }, useCases }) => useCases.readChangeSet(caller, zoneId, id),
    limits: ({ caller }) => limitsOf.evaluate(caller),
    idempotencyKey: 'ignored',
    body: factsInBody,
    run: ({ caller, params, body, useCases }) => useCases.evaluateChangeSet(caller, params.zoneId, params.id, body),
    present: (evaluation, { params }) => ({ body: presentUnkeptEvaluation(evaluation, evaluationOf(params)) }),
  }),
];

const evaluationOf = (place: SetPlace): string => `${iri.changeSet(place)}/evaluation`;

/** Operations take the same members as single rule writes, and name rules by IRI or id. */
const reader = (zoneId: ZoneId): OperationReader => ({
  id: (reference) => lastSegment(reference) ?? reference,
  members: (op, kind, written) => {
    if (kind !== 'securityScenario') return ruleMembers(kind, written, zoneId);
    return scenarioMembers(written, zoneId).andThen(op === 'create' ? fromScenarioBody : fromScenarioPatch);
  },
});

const listQueryOf = ({ page, itemsPerPage, q, createdBy, ...query }: z.output<typeof ListQuery>) => ({
  page,
  itemsPerPage,
  search: q,
  createdBy,
  statuses: allOf(query.status, query['status[]']),
  sort: sortIn(changeSetSortKeys, query),
});
