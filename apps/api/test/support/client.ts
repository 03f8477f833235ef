import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectDocumented } from './documented.ts';

/** A complete response. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; tests state the members they expect. */
  json(): unknown;
  /** `Set-Cookie` values in order. */
  readonly cookies: readonly string[];
}

type HeaderValues = Readonly<Record<string, string>>;

/** A request with a raw body. */
export interface RawCall {
  readonly headers?: HeaderValues;
  readonly body?: string | Uint8Array;
}

/**
 * Calls the API. `post`, `put` and `patch` send JSON in the usual media type of their method unless `headers` override
 * it.
 */
export interface Client {
  get(path: string, headers?: HeaderValues): Promise<Reply>;
  head(path: string, headers?: HeaderValues): Promise<Reply>;
  post(path: string, body?: unknown, headers?: HeaderValues): Promise<Reply>;
  put(path: string, body: unknown, headers?: HeaderValues): Promise<Reply>;
  patch(path: string, body: unknown, headers?: HeaderValues): Promise<Reply>;
  delete(path: string, headers?: HeaderValues): Promise<Reply>;
  send(method: string, path: string, call?: RawCall): Promise<Reply>;
}

/** Reuses connections. Idle ones are closed before the service does so, after 5 seconds. */
const agent = new Agent({ keepAlive: true, timeout: 3000 });

/** Uses `node:http`: with `fetch`, tests need a sixth more processor time. */
const exchange = (url: URL, method: string, { headers, body }: RawCall): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(url, { agent, method, headers: { ...headers } })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });

/** The response to a request, not compared with the OpenAPI document. */
export async function exchanged(url: URL, method: string, call: RawCall): Promise<Reply> {
  const response = await exchange(url, method, call);
  return replyOf(response, await textOf(response));
}

/**
 * A client that sends `defaults` with every request and rejects responses that the OpenAPI document does not describe.
 */
export function clientOf(url: string, defaults: HeaderValues = {}): Client {
  const usual = { accept: '*/*', 'user-agent': 'node', ...defaults };
  const send: Client['send'] = async (method, path, { headers, ...call } = {}) => {
    const target = new URL(path, url);
    const reply = await exchanged(target, method, { ...call, headers: { ...usual, ...headers } });
    expectDocumented({ method, path: target.pathname, ...reply });
    return reply;
  };
  const write = (method: string, path: string, type: string, body: unknown, headers: HeaderValues = {}) =>
    send(method, path, {
      headers: body === undefined ? headers : { 'content-type': type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    head: (path, headers = {}) => send('HEAD', path, { headers }),
    post: (path, body, headers) => write('POST', path, 'application/json', body, headers),
    put: (path, body, headers) => write('PUT', path, 'application/json', body, headers),
    patch: (path, body, headers) => write('PATCH', path, 'application/merge-patch+json', body, headers),
    delete: (path, headers = {}) => send('DELETE', path, { headers }),
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const bytes = await buffer(response);
  const isCompressed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
  return (isCompressed ? gunzipSync(bytes) : bytes).toString();
}

function replyOf({ statusCode = 0, rawHeaders }: IncomingMessage, text: string): Reply {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return {
    status: statusCode,
    headers,
    text,
    json: () => JSON.parse(text) as unknown,
    cookies: headers.getSetCookie(),
  };
}

/** The number of responses by status. */
export function statusCounts(replies: readonly Pick<Reply, 'status'>[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The value of a cookie set by the response. */
export function cookieValue({ cookies }: Reply, name: string): string {
  const found = cookies.find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1, found.indexOf(';')) ?? expect.fail(`no cookie ${name}`);
}

/** Requires a response of a write that succeeded. */
export async function expectSuccess(reply: Promise<Reply>): Promise<void> {
  const { status, text } = await reply;
  expect(status, text).to.be.within(200, 204);
}

/** Requires a problem document (RFC 9457) with exactly these violations: `path: code`. */
export function expectProblem(reply: Reply, status: number, slug: string, violations?: readonly string[]): void {
  const { type, title, detail, ...problem } = reply.json() as Problem;
  const reported = problem.violations?.map(({ propertyPath, code }) => `${propertyPath}: ${code}`);
  expect({ status: reply.status, inBody: problem.status, type, violations: reported }).to.deep.equal({
    status,
    inBody: status,
    type: `/errors/${slug}`,
    violations,
  });
  expect(title).to.be.a('string').that.is.not.empty;
  expect(detail).to.be.a('string').that.is.not.empty;
  expect(reply.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
}

interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly violations?: readonly { readonly propertyPath: string; readonly code: string }[];
}
