import { expect } from 'chai';
import { type Client, clientOf, expectProblem } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { rawRequest } from '../support/raw-http.ts';

const linked = 'application/ld+json; charset=utf-8';
const json = 'application/json; charset=utf-8';
const app = 'https://app.example.com';

describe('The linked-data documents', () => {
  let service: MemoryService;
  let anybody: Client;

  before(async () => {
    service = await openMemoryService({ corsOrigins: [app] });
    anybody = clientOf(service.url);
  });
  after(() => service.close());

  const lists = {
    apiToken: '/api/api-tokens',
    organization: '/api/organizations',
    accountEvent: '/api/users/me/audit-log',
    linkedIdentity: '/api/users/me/providers',
    passkey: '/api/users/me/passkeys',
    session: '/api/users/me/sessions',
    signInProvider: '/api/auth/providers',
    zone: '/api/zones',
  };

  for (const accept of ['*/*', 'application/ld+json', 'application/json;q=0.5, application/ld+json']) {
    it(`GET /api answers Accept: ${accept} with the address of every list as JSON-LD`, async () => {
      const reply = await anybody.get('/api', { accept });
      expect(reply.headers.get('content-type')).to.equal(linked);
      expect(reply.headers.get('vary')).to.match(/\bAccept\b/);
      expect(reply.json()).to.deep.equal({
        '@context': '/api/contexts/Entrypoint',
        '@id': '/api',
        '@type': 'Entrypoint',
        ...lists,
      });
    });
  }

  it('GET /api answers clients without Accept', async () => {
    const { status, headers } = await rawRequest(service.url, 'GET /api');
    expect([status, headers['content-type']]).to.deep.equal([200, linked]);
  });

  it('GET /api answers application/json with only the addresses', async () => {
    const reply = await anybody.get('/api', { accept: 'application/json' });
    expect(reply.headers.get('content-type')).to.equal(json);
    expect(reply.json()).to.deep.equal(lists);
  });

  for (const method of ['GET', 'HEAD']) {
    it(`${method} /api redirects browsers to the documentation page`, async () => {
      const accept = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      const { status, headers } = await rawRequest(service.url, `${method} /api`, [accept]);
      expect([status, headers['location'], headers['vary']]).to.deep.equal([303, '/api/docs', 'Origin, Accept']);
      expect((await anybody.get('/api/docs', { accept: 'text/html' })).status).to.equal(200);
    });
  }

  it('GET /api answers 406 to an unsupported format, and 405 to an unsupported method', async () => {
    expectProblem(await anybody.get('/api', { accept: 'image/png' }), 406, 'not-acceptable');
    expectProblem(await anybody.send('POST', '/api', { headers: { accept: 'text/html' } }), 405, 'method-not-allowed');
  });

  for (const path of [
    '/api/docs.jsonld',
    '/api/contexts/Zone',
    '/api/contexts/Zone.jsonld',
    '/api/contexts/Entrypoint',
  ]) {
    it(`GET ${path} is JSON-LD for everyone`, async () => {
      for (const accept of ['*/*', 'application/ld+json', 'application/json']) {
        const reply = await anybody.get(path, { accept });
        expect([reply.status, reply.headers.get('content-type')]).to.deep.equal([200, linked]);
        expect(reply.json()).to.have.property('@context');
      }
    });
  }

  it('GET /api/docs returns the machine-readable documentation on request', async () => {
    const [page, document] = [await anybody.get('/api/docs'), await anybody.get('/api/docs', { accept: linked })];
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(document.headers.get('content-type')).to.equal(linked);
    expect(document.text).to.equal((await anybody.get('/api/docs.jsonld')).text);
  });

  it('GET /api/contexts/<Type>.jsonld equals the path without the suffix', async () => {
    const [bare, suffixed] = [await anybody.get('/api/contexts/Zone'), await anybody.get('/api/contexts/Zone.jsonld')];
    expect(suffixed.text).to.equal(bare.text);
  });

  it('GET /api/contexts/<Type> answers 404 to unknown types', async () => {
    for (const name of ['Nothing', 'zone', 'Collection', 'constructor', 'Zone.json', '']) {
      expectProblem(await anybody.get(`/api/contexts/${name}`), 404, 'not-found');
    }
  });

  it('allows other origins to read the link to the documentation', async () => {
    for (const path of ['/api', '/api/docs.jsonld', '/api/contexts/Entrypoint']) {
      const { headers } = await anybody.get(path, { origin: app });
      expect(headers.get('access-control-allow-origin')).to.equal(app);
      expect(headers.get('access-control-expose-headers')?.split(', ')).to.include('Link');
    }
  });

  it('builds addresses from the public base URL, whatever the Host', async () => {
    const { body } = await rawRequest(service.url, 'GET /api/docs.jsonld', ['Host: evil.example']);
    expect(body).to.include(`"@vocab":"${service.url}/api/docs.jsonld#"`).and.not.to.include('evil.example');
  });
});
