import type { AuthenticatedCaller, PositionChange, UseCases } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync } from 'neverthrow';
import { routeTable } from '../../src/routes/index.ts';
import { configOf } from '../support/config.ts';
import { type RawReply, rawRequest } from '../support/raw-http.ts';
import { authenticatingAs, serveRoutes } from '../support/served-routes.ts';

const origin = `https://${'a'.repeat(60)}.example.com`;
const id = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const rules = `/api/zones/${id}/configuration-rules`;

const moved = (count: number): readonly PositionChange[] =>
  Array.from({ length: count }, (_, index) => ({ id: id as PositionChange['id'], order: index + 101 }));

/** Bytes from the status line to the empty line. */
const bytesOf = ({ headerLines }: RawReply): number => ['HTTP/1.1 200 OK', ...headerLines, ''].join('\r\n').length + 2;

describe('The header fields of a response', () => {
  let served: Awaited<ReturnType<typeof serveRoutes>>;
  let movedRules: readonly PositionChange[];

  before(async () => {
    const useCases = {
      listRules: () => okAsync({ items: [], totalItems: 1_000_000_000, revision: 2_147_483_647 }),
      replaceRules: () => okAsync({ items: [], totalItems: 0, revision: 2_147_483_647, moved: movedRules }),
      logIn: () =>
        okAsync({ outcome: 'session', tokens: { accessToken: 'x'.repeat(400), refreshToken: 'x'.repeat(43) } }),
    } as unknown as UseCases;
    const caller = { credential: { kind: 'session', id }, memberships: new Map() } as unknown as AuthenticatedCaller;
    served = await serveRoutes({
      routes: routeTable(),
      ...authenticatingAs(() => caller),
      useCasesOn: () => useCases,
      corsOrigins: [origin],
      trustedOrigins: new Set([origin]),
      budgets: configOf({ RATE_LIMIT_SCALE: '1000' }),
      documentationLink: `<https://example.com/${'a'.repeat(480)}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`,
    });
  });
  after(() => served.close());

  const ask = (requestLine: string, headers: readonly string[] = [], body = '') =>
    rawRequest(
      served.url,
      requestLine,
      [
        'Accept: application/json',
        'Authorization: Bearer x',
        `Origin: ${origin}`,
        `X-Request-Id: ${'r'.repeat(64)}`,
        ...headers,
      ],
      body,
    );
  const post = (requestLine: string, body: string, headers: readonly string[] = []) =>
    ask(requestLine, ['Content-Type: application/json', `Content-Length: ${body.length}`, ...headers], body);

  const queries: readonly (readonly [what: string, query: string, links: readonly string[]])[] = [
    ['only the page number', '', ['first', 'prev', 'next', 'last']],
    ['unknown parameters', `&${'a'.repeat(4000)}=1&b=${'%F0%9F%98%80'.repeat(300)}`, ['first', 'prev', 'next', 'last']],
    ['the longest texts', `&name=${'%F0%9F%98%80'.repeat(255)}`, []],
    ['as many texts as fit', Array.from({ length: 90 }, () => `&name[]=${'@'.repeat(10)}`).join(''), []],
    ['many short texts', Array.from({ length: 50 }, () => '&name[]=a').join(''), ['next']],
  ];
  for (const [what, query, relations] of queries) {
    it(`are below 8 KiB and name ${relations.join(', ') || 'nothing'} on a page of a list with ${what}`, async () => {
      const reply = await ask(`GET ${rules}?itemsPerPage=100&page=999999${query}`);
      expect(reply.status, reply.body).to.equal(200);
      expect(bytesOf(reply)).to.be.below(8192);
      expect([...(reply.headers['link'] ?? '').matchAll(/rel="(\w+)"/g)].map(([, name]) => name)).to.deep.equal(
        relations,
      );
      expect(reply.headers['link'] ?? '').to.not.match(/aaaa=|b=%/);
      expect(reply.headers['x-total-count']).to.equal('1000000000');
    });
  }

  it('are below 8 KiB when a query is rejected as too long', async () => {
    const reply = await ask(`GET ${rules}?name=${'@'.repeat(15_000)}`);
    expect(reply.status).to.equal(400);
    expect(bytesOf(reply)).to.be.below(8192);
  });

  it('are below 8 KiB on a sign-in, including cookies and three limits', async () => {
    const reply = await post('POST /api/auth/login', '{"email":"ada@example.com","password":"x"}');
    expect(reply.status, reply.body).to.equal(200);
    expect(reply.headerLines.filter((line) => /^set-cookie:/i.test(line))).to.have.length(2);
    expect(bytesOf(reply)).to.be.below(4096);
  });

  it('contain the positions of moved rules up to 2 KiB, and none beyond that', async () => {
    for (const [count, isTold] of [
      [1, true],
      [40, true],
      [100, false],
      [1000, false],
    ] as const) {
      movedRules = moved(count);
      const reply = await post(`PUT ${rules}`, '[]', ['If-Match: *']);
      expect(reply.status, reply.body).to.equal(200);
      expect('rule-positions' in reply.headers, `${count}`).to.equal(isTold);
      expect(reply.headers).to.include({ etag: '"2147483647"' });
      expect(bytesOf(reply)).to.be.below(4096);
    }
  });
});
