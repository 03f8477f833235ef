import type { Operation } from '../model.ts';
import type { DescribedRoute } from '../route.ts';
import { exampleOf, withoutReadOnly } from './examples.ts';
import { headers } from './headers.ts';
import { parametersOf, sharedParameters } from './parameters.ts';
import { problemResponses } from './problem-responses.ts';
import { bodyName, requestBody } from './request-bodies.ts';
import { responsesOf } from './responses.ts';
import { samplesOf, schemasOf } from './schemas.ts';
import { securityOf, securitySchemes } from './security.ts';
import { tagOf, tagsOf } from './tags.ts';

/** Paths in the document are relative to this server URL. */
const root = '/api';

/** The OpenAPI 3.1 document of all operations. */
export function openApiDocument(
  operations: readonly Operation[],
  { publicBaseUrl }: { readonly publicBaseUrl: string },
) {
  const schemas = schemasOf(operations);
  const samples = samplesOf(operations, schemas);
  const exampleFor = (operation: Operation): unknown => {
    const schema = schemas[bodyName(operation)];
    return schema === undefined ? undefined : exampleOf(withoutReadOnly(schema), samples);
  };
  return {
    openapi: '3.1.0',
    info,
    externalDocs: { description: 'Human-readable documentation', url: `${publicBaseUrl}/api/docs` },
    servers: [{ url: `${publicBaseUrl}${root}` }],
    tags: tagsOf(operations),
    paths: pathsOf(operations, exampleFor, publicBaseUrl),
    components: {
      schemas,
      parameters: sharedParameters,
      headers,
      responses: problemResponses(operations),
      securitySchemes,
    },
  } as const;
}

const info = {
  title: 'Zonewright API',
  version: '1.0.0',
  summary: 'Manages accounts, organizations, proxy zones and their rules.',
  description: [
    'Resources are available as `application/json` and `application/ld+json`, selected by `Accept`.',
    'Errors are problem documents (RFC 9457) whose `type` links to a page about the error.',
    'Send the `ETag` of what you read as `If-Match` when you write, and an `Idempotency-Key` with `POST`.',
    'Responses may contain members that are not documented here; ignore them.',
  ].join('\n'),
  license: { name: 'MIT', identifier: 'MIT' },
} as const;

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function pathsOf(
  operations: readonly Operation[],
  exampleFor: (operation: Operation) => unknown,
  publicBaseUrl: string,
): Paths {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = pathOf(operation.route);
    const elsewhere = isInApi(operation.route) ? {} : { servers: [{ url: publicBaseUrl }] };
    const object = { ...operationObject(operation, exampleFor(operation)), ...elsewhere };
    paths[path] = { ...paths[path], [operation.route.method]: object };
  }
  return paths;
}

/** Whether the path of a route is below the usual server. */
const isInApi = ({ path }: Pick<DescribedRoute, 'path'>): boolean => path.startsWith(`${root}/`);

/** OpenAPI path of a route: `/zones/{id}` for `/api/zones/:id`. Edges have a server of their own. */
const pathOf = (route: Pick<DescribedRoute, 'path'>): string =>
  route.path.slice(isInApi(route) ? root.length : 0).replaceAll(/:(\w+)/g, '{$1}');

function operationObject(operation: Operation, example: unknown) {
  const { route, id } = operation;
  const { summary, description } = route;
  const body = requestBody(operation, example);
  return {
    operationId: id,
    tags: [tagOf(operation).name],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: parametersOf(operation),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(operation),
    security: securityOf(route),
  };
}
