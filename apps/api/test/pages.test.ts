import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { builtInPages } from '@zonewright/site';
import { expect } from 'chai';
import Koa from 'koa';
import { staticServer } from '../src/site/static-server.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';

const folder = new URL('../../site/pages/', import.meta.url);
const forms = ['/verify-email', '/reset-password', '/accept-invitation', '/sign-in'];
const paths = [...forms, '/explain', '/profile'];

const assets: Readonly<Record<string, readonly string[]>> = {
  '/explain': ['explain.css', 'analysis.css', 'explain.js'],
  '/profile': ['profile.css', 'profile.js'],
};

describe('pages', () => {
  let server: Server;
  let client: Client;
  before(async () => {
    const app = new Koa().use(staticServer(() => builtInPages));
    const answer = app.callback();
    server = createServer((request, response) => void answer(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const bound = server.address();
    client = clientOf(`http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const path of paths) {
    it(`serves ${path} and all its assets from the same origin`, async () => {
      const { status, text } = await client.get(path);
      expect(status).to.equal(200);
      const loaded = [...text.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]*)"/g)].map(
        ([, address = '']) => address,
      );
      const own = forms.includes(path) ? [`pages${path}.js`] : assets[path]?.map((name) => `pages${path}/${name}`);
      expect(loaded).to.deep.equal(['favicon.svg', 'pages/page.css', ...(own ?? [])]);
      for (const address of loaded) expect((await client.get(`/${address}`)).status, address).to.equal(200);
    });

    it(`has no inline script or style in ${path}`, () => {
      const html = readFileSync(new URL(`${path.slice(1)}.html`, folder), 'utf8');
      expect(html).to.not.match(/<style| style=| on[a-z]+=|<script(?! type="module" src="[^"]+"><\/script>)/);
    });

    it(`answers HEAD ${path} like GET, without the body`, async () => {
      const [got, head] = [await client.get(path), await client.head(path)];
      expect(head.text).to.equal('');
      expect(head.headers.get('content-length')).to.equal(String(Buffer.byteLength(got.text)));
      expect(head.headers.get('content-type')).to.equal(got.headers.get('content-type'));
    });

    it(`answers 304 to a matching request for ${path}, and 204 to OPTIONS`, async () => {
      const tag = (await client.get(path)).headers.get('etag') ?? '';
      expect((await client.get(path, { 'if-none-match': tag })).status).to.equal(304);
      const options = await client.send('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'HEAD, GET, OPTIONS']);
    });

    it(`answers 405 to POST ${path}`, async () => {
      const reply = await client.post(path, { token: 'secret' });
      expectProblem(reply, 405, 'method-not-allowed');
      expect(reply.headers.get('allow')).to.equal('HEAD, GET, OPTIONS');
    });
  }

  it('serves every file of the pages with its media type', async () => {
    const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };
    const own = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => !name.startsWith('docs'));
    for (const name of own.filter((file) => /\.(?:css|js)$/.test(file))) {
      const { status, headers } = await client.get(`/pages/${name}`);
      expect(status, name).to.equal(200);
      expect(headers.get('content-type')).to.equal(`${types[name.slice(name.lastIndexOf('.') + 1)]}; charset=utf-8`);
    }
  });

  for (const path of ['/', '/pages', '/pages/', '/pages/verify-email.html', '/pages/tsconfig.json', '/verify-email/']) {
    it(`ignores ${path}`, async () => {
      expect((await client.get(path)).status).to.equal(404);
    });
  }
});
