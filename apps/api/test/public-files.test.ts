import { expect } from 'chai';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('Files for everybody', () => {
  let service: MemoryService;
  let anybody: Client;
  before(async () => {
    service = await openMemoryService({
      securityContacts: ['mailto:security@example.com', 'https://example.com/report'],
      corsOrigins: ['https://app.example.com'],
    });
    anybody = clientOf(service.url);
  });
  after(() => service.close());

  it('include a page for people at unknown addresses, whatever their depth', async () => {
    for (const path of ['/nope', '/a/b/c']) {
      const { status, headers, text } = await anybody.get(path, { accept: browser });
      expect([status, headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(text).to.include('<h1>Page not found</h1>').and.to.include('href="/pages/page.css"');
    }
  });

  it('leave programs, other methods and the API their problem documents', async () => {
    expectProblem(await anybody.get('/nope'), 404, 'not-found');
    expectProblem(await anybody.get('/nope', { accept: 'application/json' }), 404, 'not-found');
    expectProblem(await anybody.get('/api/nope', { accept: browser }), 404, 'not-found');
    expectProblem(await anybody.send('POST', '/nope', { headers: { accept: browser } }), 404, 'not-found');
  });

  it('include an icon, also where browsers look for one by themselves', async () => {
    for (const path of ['/favicon.svg', '/favicon.ico']) {
      const { status, headers } = await anybody.get(path);
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'image/svg+xml']);
    }
  });

  it('include security.txt with the configured contacts', async () => {
    const { text, headers } = await anybody.get('/.well-known/security.txt');
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(text.replace(/Expires: \S+/, 'Expires: <time>')).to.equal(
      [
        'Contact: mailto:security@example.com',
        'Contact: https://example.com/report',
        'Expires: <time>',
        'Preferred-Languages: en',
        `Canonical: ${service.url}/.well-known/security.txt`,
        '',
      ].join('\n'),
    );
    const daysLeft = (Date.parse(/Expires: (\S+)/.exec(text)?.[1] ?? '') - Date.now()) / (24 * 60 * 60 * 1000);
    expect(daysLeft).to.be.within(300, 365);
    const without = await openMemoryService();
    expectProblem(await clientOf(without.url).get('/.well-known/security.txt'), 404, 'not-found');
    await without.close();
  });

  for (const path of [
    '/openapi.json',
    '/openapi.yaml',
    '/api/docs.jsonopenapi',
    '/api/docs.jsonld',
    '/api/contexts/Zone',
  ]) {
    it(`let pages of any origin read ${path}, without cookies`, async () => {
      const { headers } = await anybody.get(path, { origin: 'https://editor.example' });
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-allow-credentials')).to.equal(null);
      const listed = await anybody.get(path, { origin: 'https://app.example.com' });
      expect(listed.headers.get('access-control-allow-origin')).to.equal('https://app.example.com');
    });
  }
});
