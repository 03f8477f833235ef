import { expect } from 'chai';
import { aVerifiedUser, aZone, type User } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { type RawReply, rawRequest } from '../support/raw-http.ts';

describe('The Link to the documentation', () => {
  let service: MemoryService;
  let ada: User;
  let zone: string;
  let link: string;

  before(async () => {
    service = await openMemoryService({ corsOrigins: ['https://app.example.com'] });
    ada = await aVerifiedUser(service);
    zone = `/api/zones/${(await aZone(ada)).id}`;
    link = `<${service.url}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
  });
  after(() => service.close());

  const ask = (line: string, headers: readonly string[] = [], body?: unknown): Promise<RawReply> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const length = text === undefined ? [] : [`Content-Length: ${Buffer.byteLength(text)}`];
    return rawRequest(service.url, line, [...headers, ...length], text);
  };
  const asAda = () => `Authorization: Bearer ${ada.token}`;

  for (const [name, status, reply] of [
    ['health', 200, () => ask('GET /healthz')],
    ['readiness', 200, () => ask('HEAD /readyz')],
    ['the entrypoint', 200, () => ask('GET /api')],
    ['the documentation itself', 200, () => ask('GET /api/docs.jsonld')],
    ['a context', 200, () => ask('GET /api/contexts/Zone')],
    ['a page', 200, () => ask('GET /verify-email')],
    ['a style sheet', 200, () => ask('GET /pages/page.css')],
    ['a redirect', 303, () => ask('GET /api', ['Accept: text/html'])],
    ['an item', 200, () => ask(`GET ${zone}`, [asAda()])],
    ['the head of an item', 200, () => ask(`HEAD ${zone}`, [asAda()])],
    ['a linked list', 200, () => ask('GET /api/zones', [asAda(), 'Accept: application/ld+json'])],
    ['a new item', 201, () => ask('POST /api/zones', [asAda(), 'Content-Type: application/json'], { name: 'new' })],
    ['OPTIONS', 204, () => ask('OPTIONS /api/zones')],
    [
      'a preflight request',
      204,
      () => ask('OPTIONS /api/zones', ['Origin: https://app.example.com', 'Access-Control-Request-Method: GET']),
    ],
    ['a malformed query', 400, () => ask('GET /api/zones?page=0', [asAda()])],
    ['no credentials', 401, () => ask('GET /api/zones')],
    ['an unknown path', 404, () => ask('GET /nowhere')],
    ['a missing item', 404, () => ask('GET /api/zones/none', [asAda()])],
    ['another method', 405, () => ask('PUT /api/zones')],
    ['another format', 406, () => ask('GET /api/zones', [asAda(), 'Accept: image/png'])],
    ['an invalid body', 422, () => ask('POST /api/zones', [asAda(), 'Content-Type: application/json'], { name: '' })],
    ['an unreadable request', 400, () => ask('GET /é')],
  ] as const) {
    it(`is the only Link of ${name}: ${status}`, async () => {
      const { status: found, headers } = await reply();
      expect({ status: found, link: headers['link'] }).to.deep.equal({ status, link });
    });
  }

  it('is present when nothing has changed: 304', async () => {
    const { headers } = await ask(`GET ${zone}`, [asAda()]);
    const again = await ask(`GET ${zone}`, [asAda(), `If-None-Match: ${headers['etag']}`]);
    expect([again.status, again.headers['link']]).to.deep.equal([304, link]);
  });

  it('is present on deletions: 204', async () => {
    const { id } = await aZone(ada);
    const { status, headers } = await ask(`DELETE /api/zones/${id}`, [asAda()]);
    expect([status, headers['link']]).to.deep.equal([204, link]);
  });

  it('follows the paging links in the same field', async () => {
    const { headers } = await ask('GET /api/zones?itemsPerPage=1', [asAda(), 'Accept: application/json']);
    const [at, last] = [(page: number) => `</api/zones?itemsPerPage=1&page=${page}>`, headers['x-total-count']];
    expect(headers['link']).to.equal(
      `${at(1)}; rel="first", ${at(2)}; rel="next", ${at(Number(last))}; rel="last", ${link}`,
    );
  });
});
