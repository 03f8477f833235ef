import { refTo } from '@zonewright/api-description';
import { expect } from 'chai';
import { closedSchemas } from './json-schemas.ts';
import { type Answer, fullPath, type Operation, openApi, resolved } from './openapi.ts';

/** A response and its request. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A path of the document, in route table order: the first match wins. */
interface DocumentedPath {
  readonly pattern: RegExp;
  readonly operations: ReadonlyMap<string, DocumentedOperation>;
}

interface DocumentedOperation {
  readonly name: string;
  readonly answers: ReadonlyMap<number, DocumentedAnswer>;
}

interface DocumentedAnswer {
  readonly answer: Answer;
  readonly required: readonly string[];
  readonly allowed: ReadonlySet<string>;
}

/** Fields of HTTP itself, security and CORS, which operations do not describe. */
const generalFields = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);

const paths: readonly DocumentedPath[] = Object.entries(openApi.paths).map(([path, operations]) => ({
  pattern: new RegExp(`^${fullPath(path).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  operations: new Map(
    Object.entries(operations).map(([method, operation]) => [
      method.toUpperCase(),
      documentedOperation(`${method.toUpperCase()} ${fullPath(path)}`, operation),
    ]),
  ),
}));

function documentedOperation(name: string, { responses }: Operation): DocumentedOperation {
  const answers = Object.entries(responses).map(
    ([status, response]) => [Number(status), documentedAnswer(resolved(response))] as const,
  );
  return { name, answers: new Map(answers) };
}

function documentedAnswer(answer: Answer): DocumentedAnswer {
  const fields = Object.entries(answer.headers).map(([field, header]) => {
    const { required } = resolved<{ readonly required: boolean }>(header);
    return { name: field.toLowerCase(), required };
  });
  return {
    answer,
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    allowed: new Set(fields.map(({ name }) => name)),
  };
}

const otherMethod = documentedAnswer(resolved<Answer>({ $ref: '#/components/responses/Problem405MethodNotAllowed' }));

/**
 * Requires that the OpenAPI document describes the response: its status, header fields and entire body. Only routes of
 * the table are described; any other response must be a problem document.
 */
export function expectDocumented(exchange: Exchange): void {
  const { method, path, status } = exchange;
  // A redirect says that the path is another spelling of a described one.
  const found = status === 308 ? undefined : paths.find(({ pattern }) => pattern.test(path));
  const operation = found?.operations.get(method === 'HEAD' ? 'GET' : method);
  if (operation === undefined) return expectUndescribed(exchange, found !== undefined);
  const documented = operation.answers.get(status);
  if (documented === undefined) return undocumented(exchange, `the status ${status} of ${operation.name}`);
  expectAnswer(exchange, documented);
}

function expectAnswer(exchange: Exchange, documented: DocumentedAnswer): void {
  expectFields(exchange, documented);
  expectBody(exchange, documented.answer);
}

/** A described path with an undescribed method, or an undescribed path. */
function expectUndescribed(exchange: Exchange, isPath: boolean): void {
  const { status, headers } = exchange;
  if (isPath && status === 405) return expectAnswer(exchange, otherMethod);
  const isOption = status === 204 && (headers.has('allow') || headers.has('access-control-allow-methods'));
  if (isPath && !isOption && status !== 400) undocumented(exchange, 'an answer other than 204 and 405');
  if (typeOf(exchange) === 'application/problem+json' && exchange.text !== '') expectSchema(exchange, anyProblem);
}

const anyProblem = { anyOf: [refTo('Problem'), refTo('ValidationProblem')] };

function expectFields(exchange: Exchange, { required, allowed }: DocumentedAnswer): void {
  for (const name of required) if (!exchange.headers.has(name)) undocumented(exchange, `no ${name}`);
  for (const name of exchange.headers.keys()) {
    if (!allowed.has(name) && !generalFields.has(name)) undocumented(exchange, `the field ${name}`);
  }
}

function expectBody(exchange: Exchange, { content }: Answer): void {
  const type = typeOf(exchange);
  if (content === undefined) {
    if (exchange.text !== '' || type !== undefined) undocumented(exchange, 'a body');
    return;
  }
  const described = content[type ?? ''];
  if (described === undefined) return undocumented(exchange, `the media type ${type}`);
  if (exchange.method !== 'HEAD') expectSchema(exchange, described.schema);
}

function expectSchema(
  exchange: Exchange,
  schema: Parameters<ReturnType<typeof closedSchemas>['validatorOf']>[0],
): void {
  const validates = closedSchemas().validatorOf(schema);
  if (validates(JSON.parse(exchange.text))) return;
  const [error] = validates.errors ?? [];
  const reported = `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`;
  undocumented(exchange, `a body with ${reported}: ${exchange.text.slice(0, 2000)}`);
}

const typeOf = ({ headers }: Exchange): string | undefined => headers.get('content-type')?.split(';', 1)[0];

function undocumented({ method, path, status }: Exchange, what: string): never {
  return expect.fail(`${method} ${path}, ${status}: the OpenAPI document does not foresee ${what}`);
}
