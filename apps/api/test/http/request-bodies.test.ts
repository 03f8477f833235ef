import { setImmediate } from 'node:timers/promises';
import { object } from '@zonewright/api-description';
import { expect } from 'chai';
import { ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { publicRoute } from '../../src/http/route.ts';
import { type Client, clientOf, expectProblem } from '../support/client.ts';
import { serveRoutes } from '../support/served-routes.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const long = (entries: number): string => JSON.stringify(Array.from({ length: entries }, () => 0));

describe('Request bodies', () => {
  let app: Awaited<ReturnType<typeof serveRoutes>>;
  let client: Client;

  before(async () => {
    const reported = {
      cost: 'constant' as const,
      summary: 'Show what was sent.',
      answers: object('Reported', z.object({ reported: z.unknown() })),
      run: ({ body }: { readonly body: unknown }) => okAsync(body),
      present: (body: unknown) => ({ body: { reported: body } }),
    };
    app = await serveRoutes({
      routes: [
        publicRoute({ method: 'put', path: '/either', bodyOrArray: (body) => ok(body), ...reported }),
        publicRoute({ method: 'put', path: '/object', body: (body) => ok(body), ...reported }),
        publicRoute({
          method: 'put',
          path: '/optional',
          bodyOptional: true,
          bodyOrArray: (body) => ok(body),
          ...reported,
        }),
      ],
    });
    client = clientOf(app.url);
  });
  after(() => app.close());

  const put = (path: string, body?: string | Buffer) =>
    client.send('PUT', path, {
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  const detailOf = async (path: string, body?: string | Buffer) => {
    const reply = await put(path, body);
    expectProblem(reply, 400, 'malformed-body');
    return (reply.json() as { readonly detail: string }).detail;
  };

  it('may be objects or arrays where a route accepts both', async () => {
    for (const body of ['{"a":[1]}', '[{"a":1},"b"]', '[]', '{}']) {
      const reply = await put('/either', body);
      expect([reply.status, reply.json()]).to.deep.equal([200, { reported: JSON.parse(body) }]);
    }
  });

  it('may be omitted where a route allows it', async () => {
    expect((await put('/optional')).json()).to.deep.equal({ reported: {} });
    expect((await put('/optional', '[1]')).json()).to.deep.equal({ reported: [1] });
  });

  it('are rejected with 400, stating what is expected', async () => {
    expect(await detailOf('/either', '{"a"')).to.equal('The body is not valid JSON.');
    for (const body of ['"text"', '5', 'null']) {
      expect(await detailOf('/either', body)).to.equal('The body should be a JSON object or array.');
    }
    expect(await detailOf('/object', '[]')).to.equal('The body should be a JSON object.');
    expect(await detailOf('/object')).to.equal('The request needs a body: a JSON object.');
    expect(await detailOf('/either')).to.equal('The request needs a body: a JSON object or array.');
  });

  it('are rejected unless they are UTF-8, wherever a chunk ends', async () => {
    const refused = ['ff', 'c3', 'c328', 'eda080', 'f4908080'];
    for (const bytes of refused) {
      const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]);
      expect(await detailOf('/object', body)).to.equal('The body is not encoded in UTF-8.');
    }
    const [text, cut] = [Buffer.from('{"a":"\u{1F600}\u00e9"}'), 8];
    const halves = new ReadableStream({
      async start(controller) {
        controller.enqueue(text.subarray(0, cut));
        await setImmediate();
        controller.enqueue(text.subarray(cut));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${app.url}/object`, { method: 'PUT', headers, body: halves, duplex: 'half' });
    expect(await answer.json()).to.deep.equal({ reported: { a: '\u{1F600}\u00e9' } });
  });

  it('have the same limits for arrays and objects', async () => {
    expect((await put('/either', nested(32))).status).to.equal(200);
    expect(await detailOf('/either', nested(33))).to.equal('The body is nested deeper than 32 levels.');
    expect((await put('/either', long(1000))).status).to.equal(200);
    expect(await detailOf('/either', long(1001))).to.equal('A list in the body has more than 1000 entries.');
    expect(await detailOf('/either', '[{"constructor":1}]')).to.equal('The member name constructor is not allowed.');
  });
});
