import { problemPages, problems } from '@zonewright/api-description';
import { expect } from 'chai';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { rawRequest } from './support/raw-http.ts';
import { routes } from './support/route-table.ts';

const slugs = [...new Set(Object.values(problems).map(({ slug }) => slug)), 'unreadable-request'];
const pages = new Map(problemPages(routes).map((page) => [page.type, page]));

/** Elements without a closing tag. */
const voidElements = ['meta', 'link'];

/** Elements that are not closed in nesting order. */
function unbalanced(html: string): readonly string[] {
  const open: string[] = [];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (voidElements.includes(name)) continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return [name];
  }
  return open;
}

describe('problemPages', () => {
  it('has one page for every problem type', () => {
    expect([...pages.keys()].toSorted()).to.deep.equal(slugs.map((slug) => `/errors/${slug}`).toSorted());
  });

  it('lists every status of a problem type, including route overrides', () => {
    expect(pages.get('/errors/validation-failed')?.statuses).to.deep.equal([400, 422]);
    expect(pages.get('/errors/invalid-verification-code')?.statuses).to.deep.equal([401, 422]);
    expect(pages.get('/errors/last-owner')?.statuses).to.deep.equal([409]);
  });

  it('explains what to do', () => {
    for (const { type, advice } of pages.values()) expect(advice, type).to.match(/^[A-Z].{15,140}\.$/);
  });
});

describe('GET /errors/<name>', () => {
  let service: MemoryService;
  let anybody: Client;
  before(async () => {
    service = await openMemoryService();
    anybody = clientOf(service.url);
  });
  after(() => service.close());

  for (const slug of slugs) {
    it(`/errors/${slug} is a separate page without script`, async () => {
      const { status, headers, text } = await anybody.get(`/errors/${slug}`, { accept: 'text/html' });
      const page = pages.get(`/errors/${slug}`);
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(text).to.match(/^<!doctype html>\n<html lang="en">/);
      expect(unbalanced(text)).to.deep.equal([]);
      expect([...text.matchAll(/<title>(.*)<\/title>/g)].map(([, title]) => title)).to.deep.equal([
        `${page?.title} – Zonewright`,
      ]);
      expect([...text.matchAll(/<h1>(.*)<\/h1>/g)].map(([, heading]) => heading)).to.deep.equal([page?.title]);
      expect(text).to.include(page?.advice).and.to.include(page?.meanings.join('</li><li>'));
      expect(text).not.to.match(/<script|<style| style=| on[a-z]+=/);
    });
  }

  it('allows only its style sheet, which exists', async () => {
    const { headers, text } = await anybody.get('/errors/not-found', { accept: 'text/html' });
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    const { pathname } = new URL(sheet, `${service.url}/errors/not-found`);
    expect((await anybody.get(pathname)).headers.get('content-type')).to.equal('text/css; charset=utf-8');
  });

  for (const type of ['application/json', 'application/problem+json']) {
    it(`has the same content as ${type}`, async () => {
      const { headers, body } = await rawRequest(service.url, 'GET /errors/too-many-requests', [`Accept: ${type}`]);
      expect([headers['content-type'], headers['vary']]).to.deep.equal([
        `${type}; charset=utf-8`,
        'Accept, Accept-Encoding',
      ]);
      expect(JSON.parse(body)).to.deep.equal({
        type: '/errors/too-many-requests',
        title: 'Too many requests',
        status: 429,
        detail: 'Too many requests. Try again later.',
        statuses: [429],
        advice: 'Wait for the number of seconds in the Retry-After header.',
      });
    });
  }

  for (const path of ['/errors/nothing', '/errors', '/errors/', '/errors/constructor']) {
    it(`${path} answers 404`, async () => {
      expectProblem(await anybody.get(path), 404, 'not-found');
    });
  }

  it("is the target of a problem's type", async () => {
    const { type } = (await anybody.get('/nowhere')).json() as { readonly type: string };
    expect((await anybody.get(type)).status).to.equal(200);
  });
});
