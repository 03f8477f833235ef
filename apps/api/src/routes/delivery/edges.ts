import { exampleToken, whole } from '@zonewright/api-description';
import { parse, StateReport } from '@zonewright/core';
import { EdgeReport } from '@zonewright/edge-protocol';
import { z } from 'zod';
import { immutable } from '../../http/answer.ts';
import { bodyLimits } from '../../http/body.ts';
import { limitsOf } from '../../http/limits.ts';
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

/** For so many zones an answer of the feed takes a point besides its first. */
const zonesPerPoint = 100;

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
    present: ({ id, name, key }) => ({ body: { edge: id, name, key }, issued: key }),
  }),
  edgeRoute({
    method: 'get',
    path: '/edge/v1/changes',
    cost: 'constant',
    summary: 'Find out what has changed since a position.',
    description:
      'At most 1,000 zones an answer, each once, as it is now. Everything that was committed before the request is in this ' +
      'answer, or in those that follow while there is `more`. While much is being published, an answer comes as soon as some ' +
      'of it concerns the edge. Limited for each edge, by the number of zones.',
    answers: changes,
    errors: ['InvalidInput'],
    query: ChangesQuery,
    mayWait: true,
    run: ({ edge, query: { after, wait }, useCases }) => useCases.readChanges(edge, { after, waitSeconds: wait }),
    limits: limitsOf.edge,
    present: (answer) => ({ body: presentChanges(answer), points: Math.floor(answer.zones.length / zonesPerPoint) }),
  }),
  edgeRoute({
    method: 'get',
    path: '/edge/v1/documents/:digest',
    cost: 'constant',
    summary: 'Read the document of a zone.',
    description:
      'Canonical JSON (RFC 8785) whose SHA-256 is the digest, of a zone that the edge serves. Documents never change.',
    answers: edgeDocument,
    errors: ['EdgeDocumentNotFound'],
    params: edgeDocumentParameters,
    run: ({ edge, params, useCases }) => useCases.readEdgeDocument(edge, params.digest),
    limits: limitsOf.edgeDocuments,
    present: (bytes, { params: { digest } }) => ({
      body: new CompressedJson(bytes, digest),
      cacheControl: immutable,
    }),
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
    limits: limitsOf.edge,
    run: ({ edge, body, useCases }) => useCases.reportEdgeState(edge, body),
  }),
];
