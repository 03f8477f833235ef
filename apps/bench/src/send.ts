import { exchange, type Request } from './load.ts';

const json = { 'Content-Type': 'application/json', Accept: 'application/json' } as const;

type Headers = Readonly<Record<string, string>>;

const sending =
  (method: Request['method']) =>
  async <T>(port: number, path: string, body: object, headers: Headers = {}): Promise<T> => {
    const answer = await exchange(port, {
      method,
      path,
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
      learn: () => undefined,
    });
    // The caller names the service's response to this request.
    return JSON.parse(answer) as T;
  };

/** Creates something from JSON and resolves to the response. */
export const post = sending('POST');
/** Replaces something by JSON and resolves to the response. */
export const put = sending('PUT');
