import { exampleToken, whole } from '@zonewright/api-description';
import { parse, StateReport } from '@zonewright/core';
import { EdgeReport } from '@zonewright/edge-protocol';
import { z } from 'zod';
import { immutable } from '../../http/answer.ts';
import { bodyLimits } from '../../http/body.ts';
import { waitSeconds } from '../../http/query.ts';
import { edgeRoute, publicRoute } from '../../http/route.ts';
import { changes, edgeDocument, enrolment, presentChanges } from '../../present/delivery/edge-feed.ts';
import { CompressedJson } from '../../resources/resource.ts';
import { edgeDocumentParameters } from '../parameters.ts';
import { noContent, smallBody } from '../row-members.ts';

const EnrolmentBody = z.object({
  token: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'What `zonewright edges add` printed.', examples: [exampleToken] }),
});

const maxPosition = 200;

const ChangesQuery = z.object({
  after: z
    .string()
    .max(maxPosition)
    .optional()
    .meta({ description: 'The `position` of the last answer; without it, the whole present state.' }),
  wait: waitSeconds.meta({ description: 'Seconds to wait for something to tell.' }),
});

/** Routes for edges: the feed, and their reports. */
export const edgeRoutes = [
  publicRoute({
    method: 'post',
    path: '/edge/v1/enrolments',
    cost: 'constant',
    summary: 'Exchange an enrolment token for the key of an edge.',
    description: 'A token is good for one enrolment within 24 hours. Failures are limited per network.',
    answers: enrolment,
    ...smallBody(EnrolmentBody),
    errors: ['EnrolmentTokenInvalid'],
    failedCredential: ({ type }) => type === 'EnrolmentTokenInvalid',
    run: ({ body, client, useCases }) => useCases.enrolEdge(body.token, client),
    present: ({ id, name, key }) => ({ body: { edge: id, name, key } }),
  }),
  edgeRoute({
    method: 'get',
    path: '/edge/v1/changes',
    cost: 'constant',
    summary: 'Find out what has changed since a position.',
    description:
      'At most 1,000 zones an answer, each once, as it is now. Everything that was committed before the request is in this ' +
      'answer, or in those that follow while there is `more`.',
    answers: changes,
    errors: ['InvalidInput'],
    query: ChangesQuery,
    mayWait: true,
    run: ({ edge, query: { after, wait }, useCases }) => useCases.readChanges(edge, { after, waitSeconds: wait }),
    present: (answer) => ({ body: presentChanges(answer) }),
  }),
  edgeRoute({
    method: 'get',
    path: '/edge/v1/documents/:digest',
    cost: 'constant',
    summary: 'Read the document of a zone.',
    description: 'Canonical JSON (RFC 8785) whose SHA-256 is the digest. Documents never change.',
    answers: edgeDocument,
    errors: ['EdgeDocumentNotFound'],
    params: edgeDocumentParameters,
    run: ({ params, useCases }) => useCases.readEdgeDocument(params.digest),
    present: (bytes) => ({ body: new CompressedJson(bytes), cacheControl: immutable }),
  }),
  edgeRoute({
    method: 'put',
    path: '/edge/v1/state',
    cost: 'constant',
    summary: 'Report the state of an edge.',
    description: 'The whole state, after each change and every 30 seconds.',
    ...noContent,
    accepts: whole(EdgeReport),
    errors: ['EdgeKeyInUse'],
    bodyLimit: bodyLimits.report,
    body: (body) => parse(StateReport, body),
    run: ({ edge, body, useCases }) => useCases.reportEdgeState(edge, body),
  }),
];
