import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

/** What the private port tells. */
export interface PrivateParts {
  /** Whether requests should reach this edge: it has a state and is not shutting down. */
  readonly isReady: () => boolean;
  /** Whether a zone answers requests for the host name. */
  readonly answers: (name: string) => boolean;
  readonly metrics: () => Promise<string>;
  readonly metricsType: Registry['contentType'];
}

/**
 * The private port: health, readiness, metrics, and whether this edge answers for a host name, which servers ask before
 * they get a certificate. Not to be reached from outside.
 */
export const privateServer = (parts: PrivateParts): Server =>
  createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, 'only GET and HEAD');
    return route(parts, request, response);
  });

function route(parts: PrivateParts, request: IncomingMessage, response: ServerResponse): void {
  // A path that begins with two slashes would be read as a host.
  const address = `http://private${request.url ?? '/'}`;
  if (!URL.canParse(address)) return answer(response, 404, 'no such page');
  const { pathname, searchParams } = new URL(address);
  const name = hostnameIn(pathname, searchParams);
  if (name !== undefined) return answerHostname(parts, name, response);
  switch (pathname) {
    case '/healthz':
      return answer(response, 200, 'ok');
    case '/readyz':
      return parts.isReady() ? answer(response, 200, 'ready') : answer(response, 503, 'no state yet');
    case '/metrics':
      return void parts.metrics().then(
        (text) => answer(response, 200, text, parts.metricsType),
        () => answer(response, 500, 'the metrics cannot be read'),
      );
    default:
      return answer(response, 404, 'no such page');
  }
}

/** The name that `/hostnames/{name}` or `/hostnames?domain=name` asks for. */
function hostnameIn(path: string, query: URLSearchParams): string | undefined {
  if (path === '/hostnames') return query.get('domain') ?? undefined;
  return /^\/hostnames\/([^/]+)$/.exec(path)?.[1];
}

const answerHostname = ({ answers }: PrivateParts, name: string, response: ServerResponse): void =>
  answers(name) ? answer(response, 200, 'served') : answer(response, 404, 'not served');

function answer(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(`${text}\n`);
}
