import { expect } from 'chai';
import type { Client, Reply } from '../support/client.ts';
import { operations } from '../support/openapi.ts';

/** Ids by name of the path parameter. */
export type Ids = Readonly<Record<string, string | number>>;

/** Sends the example of an operation such as `POST /api/zones`, in its first media type. */
export function sendExample(client: Client, name: string, ids: Ids, ifMatch: string): Promise<Reply> {
  const [method = '', template = ''] = name.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => String(ids[parameter]));
  const { operation } = operations.find((each) => each.name === name) ?? expect.fail(`no ${name}`);
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  if (content === undefined) return client.send(method, path, { headers: { 'if-match': ifMatch } });
  const [type, { example }] = content;
  return client.send(method, path, {
    headers: { 'if-match': ifMatch, 'content-type': type },
    body: JSON.stringify(example),
  });
}
