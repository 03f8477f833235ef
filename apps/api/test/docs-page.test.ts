import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { docsSections, operationsOf } from '@zonewright/api-description';
import { docsPage } from '@zonewright/site';
import { expect } from 'chai';
import { type Client, clientOf, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { openApi, operations } from './support/openapi.ts';
import { routes } from './support/route-table.ts';

const { body: page, headers } = docsPage(docsSections(operationsOf(routes)), {
  publicBaseUrl: 'https://api.example.com/a&b',
});
const all = (pattern: RegExp): readonly string[] => [...page.matchAll(pattern)].map(([, found = '']) => found);

/** A browser module without type declarations. */
const localReferences = new URL('../../site/pages/docs/local-references.js', import.meta.url).href;

/** Unresolved references, except recursive ones. */
function unresolved(value: unknown, within: readonly unknown[] = []): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref, $$ref } = value as Readonly<Record<string, unknown>>;
  const left = $ref === undefined || within.includes($ref) ? [] : [$ref];
  return [...left, ...Object.values(value).flatMap((each) => unresolved(each, [...within, $$ref]))];
}

describe('docsPage', () => {
  it('allows only resources of this service', () => {
    expect(headers).to.deep.equal({
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    });
  });

  it('has no inline script or style, and no external resources', () => {
    expect(page).to.not.match(/<style| style=| on[a-z]+=|<script[^>]*>[^<]/);
    expect(
      all(/ (?:src|href)="([^"#]+)"/g).filter((address) => /^(?!data:)(?:[a-z]+:|\/)/.test(address)),
    ).to.deep.equal([]);
  });

  it('fills in its template, escaped', () => {
    expect(page).to.not.include('{{').and.to.not.include('undefined');
    expect(page).to.include('=https://api.example.com/a&amp;b\n').and.to.not.include('a&b');
  });

  it('has one main heading and skips no level', () => {
    const levels = all(/<h([1-6])/g).map(Number);
    expect(levels.filter((level) => level === 1)).to.deep.equal([1]);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).to.be.at.most(1);
  });

  it('explains the first steps, with a link to each', () => {
    const steps = all(/<h2 id="([^"]+)"/g);
    expect(steps).to.deep.equal([
      'authenticate',
      'create-a-zone',
      'order-rules',
      'handle-errors',
      'page-through-lists',
      'retry-safely',
      'reference',
    ]);
    const contents = /<nav[^]*<\/nav>/.exec(page)?.[0] ?? '';
    for (const step of steps) expect(contents).to.include(`href="#${step}"`);
  });

  it('links to every group of the OpenAPI document, in order', () => {
    const contents = /<nav[^]*<\/nav>/.exec(page)?.[0] ?? '';
    const named = [...contents.matchAll(/href="#\/([^"]+)"/g)].map(([, name = '']) => decodeURIComponent(name));
    expect(named).to.deep.equal(openApi.tags.map(({ name }) => name));
  });

  it('lists every operation under its fragment', () => {
    for (const { operation } of operations) {
      const fragment = `/${encodeURIComponent(operation.tags[0] ?? '')}/${operation.operationId}`;
      expect(page).to.include(`<li id="${fragment}"><code>`);
    }
  });

  it('resolves the references of its operations, except recursive ones', async () => {
    const { partOf } = (await import(localReferences)) as { partOf: (document: unknown, path: string[]) => unknown };
    for (const [path, methods] of Object.entries(openApi.paths)) {
      for (const method of Object.keys(methods)) {
        expect(unresolved(partOf(openApi, ['paths', path, method])), `${method} ${path}`).to.deep.equal([]);
      }
    }
  });

  it('has no broken link', () => {
    const ids = all(/ id="([^"]+)"/g);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const fragment of all(/href="#([^"]+)"/g)) expect(ids).to.include(fragment);
  });
});

describe('GET /api/docs', () => {
  let service: MemoryService;
  let client: Client;
  before(async () => {
    service = await openMemoryService();
    client = clientOf(service.url);
  });
  after(() => service.close());

  for (const [accept, type] of [
    ['*/*', 'text/html; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/vnd.openapi+json', 'application/vnd.openapi+json; charset=utf-8'],
    ['application/vnd.openapi+json, text/html;q=0.5', 'application/vnd.openapi+json; charset=utf-8'],
    ['application/ld+json', 'application/ld+json; charset=utf-8'],
  ] as const) {
    it(`answers Accept: ${accept} with ${type}`, async () => {
      const { status, headers } = await client.get('/api/docs', { accept });
      expect({ status, type: headers.get('content-type') }).to.deep.equal({ status: 200, type });
      expect(headers.get('vary')).to.equal('Accept, Accept-Encoding');
    });
  }

  it('answers HEAD too, and 406 to unsupported formats', async () => {
    expect((await client.head('/api/docs')).status).to.equal(200);
    expectProblem(await client.get('/api/docs', { accept: 'image/png' }), 406, 'not-acceptable');
  });

  it('keeps the header fields of every response', async () => {
    expect(Object.fromEntries((await client.get('/api/docs')).headers)).to.include({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  describe('its files', () => {
    const paths = all(/"(docs\/assets\/[^"]+)"/g).map((address) => `/api/${address}`);
    const folder = paths[0]?.replace(/[^/]+$/, '') ?? '';
    const files = [
      'docs.css',
      'docs.js',
      'local-references.js',
      'reference.css',
      'reference.js',
      'search.js',
      'swagger-ui-bundle.js',
      'swagger-ui.css',
    ];
    const pathOf = (name: string) => `${folder}${name}`;
    const own = new URL('../../site/pages/docs/', import.meta.url);
    const contentOf = (name: string): string =>
      readFileSync(
        name.startsWith('swagger')
          ? createRequire(new URL('../../site/package.json', import.meta.url)).resolve(`swagger-ui-dist/${name}`)
          : new URL(name, own),
        'utf8',
      );
    const typeOf = (name: string) => (name.endsWith('.css') ? 'text/css' : 'text/javascript');

    it('are those that the page refers to, and their dependencies', () => {
      const named = paths.map((path) => path.slice(folder.length));
      const loads = (name: string) => [
        ...contentOf(name).matchAll(/^(?:@import|import .* from) ['"](?:\.\/)?([^'"]+)/gm),
      ];
      const loaded = ['docs.css', 'docs.js', 'reference.css', 'reference.js']
        .flatMap(loads)
        .map(([, name = '']) => name);
      expect([...named, ...loaded].toSorted()).to.deep.equal(files);
    });

    for (const name of files) {
      it(`include ${name}, cacheable forever`, async () => {
        const { status, text, headers } = await client.get(pathOf(name));
        expect(status).to.equal(200);
        expect(text).to.equal(contentOf(name));
        expect(Object.fromEntries(headers)).to.include({
          'content-type': `${typeOf(name)}; charset=utf-8`,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          vary: 'Accept-Encoding',
        });
      });
    }

    it('answer HEAD like GET, and nothing else', async () => {
      const shapeOf = ({ status, headers }: Reply) => [status, headers.get('content-length'), headers.get('etag')];
      expect(shapeOf(await client.head(pathOf('docs.js')))).to.deep.equal(shapeOf(await client.get(pathOf('docs.js'))));
      const refused = await client.post(pathOf('docs.js'), {});
      expectProblem(refused, 405, 'method-not-allowed');
      expect(refused.headers.get('allow')).to.equal('HEAD, GET, OPTIONS');
    });

    it('are complete: no other file of their packages and folders is served', async () => {
      const others = [
        '',
        'index.html',
        'package.json',
        'swagger-ui.js',
        'docs.html',
        'swagger-ui.d.ts',
        '..%2fdocs.html',
      ];
      const paths = [...others.map(pathOf), '/api/docs/assets/docs.css', '/api/docs/assets/other/docs.css'];
      for (const path of paths) expectProblem(await client.get(path), 404, 'not-found');
    });
  });
});
