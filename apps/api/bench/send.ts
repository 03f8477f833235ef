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
    return JSON.parse(answer) as T;
  };

/** Sends JSON and resolves to the response. */
export const post = sending('POST');
export const put = sending('PUT');
