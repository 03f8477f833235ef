import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { staticServer } from '../../src/site/static-server.ts';

describe('staticServer', () => {
  let server: Server;
  let url: string;

  before(async () => {
    const app = new Koa();
    app.use(
      staticServer(() => [
        { path: '/both', mediaType: 'text/html; charset=utf-8', body: '<p>', headers: { 'X-Own': 'page' } },
        { path: '/both', mediaType: 'application/json; charset=utf-8', body: '{}' },
        { path: '/one', mediaType: 'application/ld+json; charset=utf-8', body: '{"@context":{}}' },
      ]),
    );
    server = createServer((request, response) => void app.callback()(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const ask = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init);

  for (const [path, accept, body] of [
    ['/both', '*/*', '<p>'],
    ['/both', 'application/json', '{}'],
    ['/both', 'application/json; charset=utf-8', '{}'],
    ['/both', 'text/html;q=0.5, application/json', '{}'],
    ['/one', 'application/ld+json', '{"@context":{}}'],
    ['/one', 'text/plain', '{"@context":{}}'],
  ] as const) {
    it(`answers ${path} for Accept: ${accept} with ${body}`, async () => {
      const answer = await ask(path, { headers: { accept } });
      expect({ status: answer.status, body: await answer.text() }).to.deep.equal({ status: 200, body });
    });
  }

  it('sends the full media type and the header fields of the document', async () => {
    const { headers } = await ask('/both');
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(headers.get('x-own')).to.equal('page');
    expect(headers.get('cache-control')).to.equal('no-cache');
    expect(headers.get('vary')).to.equal('Accept');
  });

  it('does not vary if there is only one document', async () => {
    expect((await ask('/one')).headers.get('vary')).to.equal(null);
  });

  it('answers 304 only to matching conditional requests', async () => {
    const tag = (await ask('/both')).headers.get('etag') ?? '';
    expect(tag).to.match(/^"[\w-]{22}"$/);
    const known = await ask('/both', { headers: { 'if-none-match': tag } });
    expect({ status: known.status, tag: known.headers.get('etag') }).to.deep.equal({ status: 304, tag });
    const other = await ask('/both', { headers: { 'if-none-match': tag, accept: 'application/json' } });
    expect({ status: other.status, body: await other.text() }).to.deep.equal({ status: 200, body: '{}' });
  });

  it('answers HEAD with the length of the document', async () => {
    const { status, headers } = await ask('/one', { method: 'HEAD' });
    expect({ status, length: headers.get('content-length') }).to.deep.equal({ status: 200, length: '15' });
  });

  it('answers 406 if no document is acceptable', async () => {
    const answer = await ask('/both', { headers: { accept: 'image/png' } });
    expect(answer.status).to.equal(406);
    const { detail } = (await answer.json()) as { readonly detail: string };
    expect(detail).to.contain('Supported: text/html, application/json.');
  });

  it('answers 405 to other methods and 204 to OPTIONS, with Allow', async () => {
    for (const [method, status] of [
      ['POST', 405],
      ['DELETE', 405],
      ['OPTIONS', 204],
    ] as const) {
      const answer = await ask('/one', { method });
      expect({ status: answer.status, allow: answer.headers.get('allow') }).to.deep.equal({
        status,
        allow: 'HEAD, GET, OPTIONS',
      });
    }
  });

  it('ignores other paths', async () => {
    expect((await ask('/other')).status).to.equal(404);
  });
});
