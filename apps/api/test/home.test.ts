import { expect } from 'chai';
import { parse } from 'yaml';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

describe('GET /', () => {
  let service: MemoryService;
  let anybody: Client;
  before(async () => {
    service = await openMemoryService();
    anybody = clientOf(service.url);
  });
  after(() => service.close());

  for (const [accept, type] of [
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['*/*', 'application/ld+json'],
    ['application/json', 'application/json'],
  ] as const) {
    it(`answers Accept: ${accept} with ${type}`, async () => {
      const { headers, text } = await anybody.get('/', { accept });
      expect(headers.get('content-type')).to.equal(`${type}; charset=utf-8`);
      expect(headers.get('vary')).to.include('Accept');
      if (type !== 'text/html') expect(text).to.equal((await anybody.get('/api', { accept })).text);
    });
  }

  it('is a text-only page with links', async () => {
    const { text, headers } = await anybody.get('/', { accept: 'text/html' });
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(text).to.not.match(/<style| style=| on[a-z]+=|<script/);
    const addresses = [...text.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    expect(addresses).to.have.length.greaterThan(5);
    for (const address of addresses) expect((await anybody.get(`/${address}`)).status, address).to.equal(200);
  });

  it('answers other methods with 405', async () => {
    expectProblem(await anybody.post('/', {}), 405, 'method-not-allowed');
  });

  for (const [path, type, read] of [
    ['/openapi.json', 'application/json', (text: string): unknown => JSON.parse(text)],
    ['/openapi.yaml', 'application/yaml', (text: string): unknown => parse(text)],
  ] as const) {
    it(`has the OpenAPI document next to it, at ${path}`, async () => {
      const { headers, text } = await anybody.get(path);
      expect(headers.get('content-type')).to.equal(`${type}; charset=utf-8`);
      expect(read(text)).to.deep.equal((await anybody.get('/api/docs.jsonopenapi')).json());
    });
  }
});
