import { expect } from 'chai';
import { aVerifiedUser, aZone, type User } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { type RawReply, rawRequest } from '../support/raw-http.ts';

describe('The Link to the documentation', () => {
  let service: MemoryService;
  let ada: User;
  let link: string;

  before(async () => {
    service = await openMemoryService({ corsOrigins: ['https://app.example.com'] });
    ada = await aVerifiedUser(service);
    await aZone(ada);
    await aZone(ada);
    link = `<${service.url}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
  });
  after(() => service.close());

  const ask = (line: string, headers: readonly string[] = []): Promise<RawReply> =>
    rawRequest(service.url, line, [...headers]);
  const asAda = () => `Authorization: Bearer ${ada.token}`;

  // "All header fields of a response" covers the other kinds of responses.
  for (const [name, status, reply] of [
    ['the entrypoint', 200, () => ask('GET /api')],
    ['a context', 200, () => ask('GET /api/contexts/Zone')],
    ['a style sheet', 200, () => ask('GET /pages/page.css')],
    ['a redirect', 303, () => ask('GET /api', ['Accept: text/html'])],
    [
      'a preflight request',
      204,
      () => ask('OPTIONS /api/zones', ['Origin: https://app.example.com', 'Access-Control-Request-Method: GET']),
    ],
  ] as const) {
    it(`is the only Link of ${name}: ${status}`, async () => {
      const { status: found, headers } = await reply();
      expect({ status: found, link: headers['link'] }).to.deep.equal({ status, link });
    });
  }

  it('follows the paging links in the same field', async () => {
    const { headers } = await ask('GET /api/zones?itemsPerPage=1', [asAda(), 'Accept: application/json']);
    const [at, last] = [(page: number) => `</api/zones?itemsPerPage=1&page=${page}>`, headers['x-total-count']];
    expect(headers['link']).to.equal(
      `${at(1)}; rel="first", ${at(2)}; rel="next", ${at(Number(last))}; rel="last", ${link}`,
    );
  });
});
