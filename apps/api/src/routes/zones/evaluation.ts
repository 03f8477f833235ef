import { item, whole } from '@zonewright/api-description';
import {
  type EvaluationQuestion,
  type InvalidInput,
  invalidInput,
  type JsonObject,
  parse,
  parseRequestFacts,
  type RequestFacts,
  readPermissions,
  under,
} from '@zonewright/core';
import { err, Result } from 'neverthrow';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { bodyLimits } from '../../http/body.ts';
import { limitsOf } from '../../http/limits.ts';
import { anyInteger } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import { evaluationResource, presentEvaluation, presentUnkeptEvaluation } from '../../present/zones/evaluation.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { zoneParameter } from '../parameters.ts';

const path = '/api/zones/:id/evaluation';

const fact = (description: string) => z.string().optional().meta({ description });

const texts = {
  url: fact('Address of the request, in place of scheme, authority and target.').meta({
    examples: ['https://www.example.com/blog?page=2'],
  }),
  scheme: fact('`http` or `https`, of the connection to the client.'),
  authority: fact('Host, with or without a port.'),
  target: fact('Target as on the request line.'),
  method: fact('Method; GET if omitted.'),
  ip: fact('Address of the client; unknown if omitted.'),
  country: fact('Country of the client (ISO 3166-1 alpha-2, XK, XX or T1); unknown if omitted.'),
} as const;

const unknownFacts = 'What else is unknown: `headers` that are not listed, or `cookies`.';

/** The facts of a request as query parameters. */
export const FactsQuery = z.object({
  ...texts,
  asn: fact('Autonomous system number (ASN) of the client; empty if it has none.'),
  status: fact('Status of the response, for scenarios.'),
  'header[]': z.array(z.string()).optional().meta({ description: 'Header lines as `Name: value`, without Host.' }),
  'unknown[]': z.array(z.string()).optional().meta({ description: unknownFacts }),
});

const EvaluationQuery = FactsQuery.extend({
  revision: anyInteger.optional().meta({ description: 'Number of the revision; the current one if omitted.' }),
});

/** The facts of a request; the engine validates them. */
const Facts = z.object({
  ...texts,
  headers: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .optional()
    .meta({ description: 'Header lines in order, without Host; each character is one byte.' }),
  asn: z
    .int()
    .nullable()
    .optional()
    .meta({ description: 'Autonomous system number (ASN) of the client; null if it has none, unknown if omitted.' }),
  status: z.int().optional().meta({ description: 'Status of the response, for scenarios; unknown if omitted.' }),
  unknown: z
    .array(z.enum(['headers', 'cookies']))
    .optional()
    .meta({ description: unknownFacts }),
});

const revision = z.int().nullish().meta({ description: 'Number of the revision; the current one if omitted.' });
const patch = z.record(z.string(), z.unknown()).nullish().meta({
  description:
    'Merge patch (RFC 7396) on the zone document of the revision, limited to settings and rules. Nothing is stored.',
});

/** A body that describes a request. */
export const RequestBody = z.object({ request: Facts.meta({ description: 'What is known about the request.' }) });
/** The same before the engine has validated the facts. */
export const Question = z.strictObject({ request: z.unknown().optional() });

const EvaluationBody = RequestBody.extend({ revision, patch });
const QuestionBody = Question.extend({ revision, patch });

export const evaluationRoutes = [
  protectedRoute({
    method: 'get',
    path,
    cost: 'budgeted',
    permission: readPermissions.zones,
    summary: 'Find out what the configuration of a zone does to a request.',
    description:
      'Lists every rule that was evaluated and the values its conditions were matched against. Omitted facts are treated as unknown; the result states only what is certain.',
    answers: item(evaluationResource),
    errors: ['InvalidInput'],
    params: zoneParameter,
    query: EvaluationQuery,
    limits: ({ caller }) => limitsOf.evaluate(caller),
    run: ({ caller, params, query: { revision: number, ...query }, useCases }) =>
      factsIn(query)
        .asyncAndThen((facts) =>
          useCases.evaluateRequest(caller, params.id, { facts, revision: number, patch: undefined }),
        )
        .orElse((error) => useCases.checkZoneAccess(caller, params.id, 'zones.read').andThen(() => err(error))),
    present: (evaluation) => revalidated(presentEvaluation(evaluation)),
  }),
  protectedRoute({
    method: 'post',
    path,
    cost: 'budgeted',
    permission: readPermissions.zones,
    summary: 'Find out what a stored or changed configuration does to a request.',
    description:
      'Like GET, with the facts in the body and, on request, an unsaved change of settings and rules. Nothing is stored or recorded.',
    answers: item(evaluationResource),
    accepts: whole(EvaluationBody),
    bodyLimit: bodyLimits.whole,
    params: zoneParameter,
    permitted: ({ caller, params: { id }, useCases }) => useCases.checkZoneAccess(caller, id, 'zones.read'),
    limits: ({ caller }) => limitsOf.evaluate(caller),
    idempotencyKey: 'ignored',
    body: questionIn,
    run: ({ caller, params, body, useCases }) => useCases.evaluateRequest(caller, params.id, body),
    present: (evaluation) => ({ body: presentUnkeptEvaluation(evaluation) }),
  }),
];

/** Reads the facts from the query; violations name the parameters. */
export const factsIn = ({
  asn,
  status,
  'header[]': lines,
  'unknown[]': unknown,
  ...facts
}: z.output<typeof FactsQuery>): Result<RequestFacts, InvalidInput> =>
  parseRequestFacts({
    ...facts,
    headers: lines?.map(headerLine),
    asn: asn === '' ? null : asn && asNumber(asn),
    status: status && asNumber(status),
    unknown,
  }).mapErr(atParameters);

const asNumber = (written: string): number | string => (/^-?[0-9]{1,15}$/.test(written) ? Number(written) : written);

/** A line without a colon has no value. */
function headerLine(line: string) {
  const colon = line.indexOf(':');
  return colon < 0 ? { name: line } : { name: line.slice(0, colon), value: line.slice(colon + 1) };
}

/** Maps violations of facts to the parameters they came from. */
const atParameters = ({ violations }: InvalidInput): InvalidInput =>
  invalidInput(
    violations.map(({ propertyPath, code, message }) => ({
      propertyPath: propertyPath.replace(/^headers(\[[0-9]+\]).*$/, 'header$1'),
      code,
      message: code === 'member.required' && propertyPath.startsWith('headers') ? noColon : message,
    })),
  );

const noColon = 'This parameter should be a header line such as "Accept: text/html".';

/** Reads the body and reports all violations at once. */
function questionIn(body: JsonObject): Result<EvaluationQuestion, InvalidInput> {
  const members = writableMembers(body, []);
  const facts = parseRequestFacts(members['request']).mapErr(under('request'));
  return Result.combineWithAllErrors([facts, parse(QuestionBody, members)])
    .map(([checked, question]) => ({
      facts: checked,
      revision: question.revision ?? undefined,
      // Parsed from JSON.
      patch: (question.patch as JsonObject | null | undefined) ?? undefined,
    }))
    .mapErr((errors) => invalidInput(errors.flatMap(({ violations }) => violations)));
}
