import { Agent, request as send } from 'node:http';

/** One request; `learn` receives the response body if the next request depends on it. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly learn?: (body: string) => void;
}

/** Produces the next request of a connection. */
export type Source = () => Request;

/**
 * Keeps one connection per source busy for the given time; any unsuccessful response fails the run. Resolves to responses
 * per second, and each latency in milliseconds.
 */
export async function load(port: number, sources: readonly Source[], seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: sources.length });
  const milliseconds: number[] = [];
  const began = performance.now();
  const keepBusy = async (next: Source) => {
    while (performance.now() - began < seconds * 1000) {
      const sent = performance.now();
      await exchange(port, next(), agent);
      milliseconds.push(performance.now() - sent);
    }
  };
  await Promise.all(sources.map(keepBusy));
  agent.destroy();
  return { rate: (milliseconds.length * 1000) / (performance.now() - began), milliseconds };
}

/** Sends one request; resolves to the response body, or discards it if it is not needed. */
export function exchange(
  port: number,
  { method, path, headers, body, learn }: Request,
  agent?: Agent,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = send(
      { host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length } },
      (answer) => {
        const { statusCode = 500 } = answer;
        const isFine = statusCode < 300 || statusCode === 304;
        let text = '';
        if (isFine && learn === undefined) answer.resume();
        else answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          if (!isFine) return reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
          learn?.(text);
          resolve(text);
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The quantile of the values at `share`. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Half of the values are at most this. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The results of work on each item, one after another. */
export async function inTurn<Item, T>(items: readonly Item[], work: (item: Item) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The results of work that is done several times, one after another. */
export const repeated = <T>(times: number, work: () => Promise<T>): Promise<readonly T[]> =>
  inTurn(Array.from({ length: times }), work);

/** What a request contains besides its path. */
export interface Content {
  readonly token?: string | undefined;
  readonly body?: object;
  readonly headers?: Request['headers'];
}

/** A request for JSON, with a body of JSON if there is one. */
export const jsonRequest = (method: Request['method'], path: string, { token, body, headers }: Content): Request => ({
  method,
  path,
  headers: {
    Accept: 'application/json',
    ...(body && { 'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
    ...(token && { Authorization: `Bearer ${token}` }),
    ...headers,
  },
  ...(body && { body: JSON.stringify(body) }),
});

/** Sends a request and resolves to what the response says. */
export const ask = async <T>(port: number, request: Request): Promise<T> =>
  // The caller names the service's response to this request.
  JSON.parse(await exchange(port, { ...request, learn: () => undefined })) as T;

/** Creates something from JSON and resolves to the response. */
export const post = <T>(port: number, path: string, body: object, token?: string): Promise<T> =>
  ask(port, jsonRequest('POST', path, { token, body }));
