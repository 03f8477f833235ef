import { expect } from 'chai';
import { aRule, aVerifiedUser, aZone, rulesOf, type User } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { rawRequest } from './support/raw-http.ts';

const json = 'application/json; charset=utf-8';
const linked = 'application/ld+json; charset=utf-8';

/** Every key of a JSON value, at any depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysIn(member)]);
}

describe('Content negotiation', () => {
  let service: MemoryService;
  let ada: User;
  /** Addresses of resources with their default format. */
  let resources: readonly (readonly [path: string, usual: string])[];

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    const zone = await aZone(ada);
    const rule = await aRule(ada, zone, { settingsOverrides: { minifyHtml: true } });
    resources = [
      ['/api/zones', json],
      [`/api/zones/${zone.id}`, json],
      ['/api/users/me', linked],
      [rulesOf(zone), linked],
      [`${rulesOf(zone)}/${rule.id}`, linked],
    ];
  });
  after(() => service.close());

  /** The media type each resource is served in. */
  const typesFor = async (accept: string) => {
    const replies = await Promise.all(resources.map(([path]) => ada.get(path, { accept })));
    return replies.map(({ headers }) => headers.get('content-type'));
  };
  const usual = () => resources.map(([, type]) => type);
  const all = (type: string) => resources.map(() => type);

  it('serves the default format of a resource without Accept', async () => {
    for (const [path, type] of resources) {
      const reply = await rawRequest(service.url, `GET ${path}`, [`Authorization: Bearer ${ada.token}`]);
      expect(reply.headers['content-type'], path).to.equal(type);
    }
  });

  for (const [accept, expected] of [
    ['*/*', usual],
    ['application/*', usual],
    ['application/json', () => all(json)],
    ['application/ld+json', () => all(linked)],
    ['APPLICATION/JSON', () => all(json)],
    ['application/json; charset=utf-8', () => all(json)],
    ['application/ld+json; profile="https://a.example/x, */*;q=1"', () => all(linked)],
    ['application/json; version=2; charset=latin1; q=0.4, application/ld+json; q=0.3', () => all(json)],
    ['application/json;q=0.5, application/ld+json', () => all(linked)],
    ['application/ld+json;q=0.5, application/json;q=0.9', () => all(json)],
    ['text/html, application/xhtml+xml, */*;q=0.1', usual],
    ['text/html, application/json;q=0.1', () => all(json)],
    ['application/json;q=0, */*', () => all(linked)],
    ['application/ld+json;q=0, */*', () => all(json)],
  ] as const) {
    it(`honours Accept: ${accept}`, async () => {
      expect(await typesFor(accept)).to.deep.equal(expected());
    });
  }

  for (const accept of [
    'text/html',
    'application/xml',
    'application/problem+json',
    'text/*',
    'application/json;q=0',
    'nonsense',
  ]) {
    it(`answers 406 to Accept: ${accept}`, async () => {
      for (const [path] of resources) {
        const reply = await ada.get(path, { accept });
        expectProblem(reply, 406, 'not-acceptable');
        expect(reply.text).to.include('application/json').and.include('application/ld+json');
      }
    });
  }

  it('answers 406 to writes before any effect', async () => {
    const [zones, zone] = resources;
    const html = { accept: 'text/html' };
    expectProblem(await ada.post(zones?.[0] ?? '', { name: 'unwritten' }, html), 406, 'not-acceptable');
    expectProblem(await ada.patch(zone?.[0] ?? '', { name: 'unwritten' }, html), 406, 'not-acceptable');
    expect((await ada.get('/api/zones')).text).not.to.include('unwritten');
  });

  for (const accept of ['application/json', 'application/ld+json', 'text/html', 'nonsense']) {
    it(`deletes whatever Accept says, such as ${accept}: there is no response body`, async () => {
      const zone = await aZone(ada);
      expect((await ada.delete(`/api/zones/${zone.id}`, { accept })).status).to.equal(204);
      expectProblem(await ada.delete(`/api/zones/${zone.id}`, { accept }), 404, 'not-found');
    });
  }

  it('serves accounts and sessions as plain JSON only', async () => {
    const login = { email: ada.email, password: ada.password };
    const accept = (type: string) => ada.post('/api/auth/login', login, { accept: type });
    expect((await accept('*/*')).headers.get('content-type')).to.equal(json);
    expectProblem(await accept('application/ld+json'), 406, 'not-acceptable');
  });

  it('varies on Accept in every response', async () => {
    for (const [path] of resources) expect((await ada.get(path)).headers.get('vary')).to.match(/\bAccept\b/);
  });

  it('writes no JSON-LD keys into plain JSON, at any depth', async () => {
    for (const [path] of resources) {
      const keys = keysIn((await ada.get(path, { accept: 'application/json' })).json());
      expect(keys.filter((key) => key.startsWith('@'))).to.deep.equal([]);
    }
  });

  it('starts every JSON-LD document with context, id and type', async () => {
    for (const [path] of resources) {
      const document = (await ada.get(path, { accept: 'application/ld+json' })).json() as object;
      expect(Object.keys(document).slice(0, 3), path).to.deep.equal(['@context', '@id', '@type']);
      expect(keysIn(document).filter((key) => key === '@context')).to.have.length(1);
    }
  });

  it('writes both flavours with the same members', async () => {
    for (const [path] of resources) {
      const plain = (await ada.get(path, { accept: 'application/json' })).json();
      const document = (await ada.get(path, { accept: 'application/ld+json' })).json() as { member?: unknown };
      const withoutMarks = JSON.parse(JSON.stringify(document.member ?? document), (_, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('@')))
          : value,
      ) as unknown;
      expect(withoutMarks, path).to.deep.equal(plain);
    }
  });

  it('writes non-ASCII text as UTF-8', async () => {
    const zone = await aZone(ada, { name: 'Zürich 東京 😀 </script>' });
    const reply = await ada.get(`/api/zones/${zone.id}`);
    expect(reply.json()).to.include({ name: 'Zürich 東京 😀 </script>' });
    expect(reply.text).to.include('Zürich 東京 😀');
  });

  it('never writes null', async () => {
    for (const [path] of resources) {
      for (const accept of ['application/json', 'application/ld+json']) {
        expect((await ada.get(path, { accept })).text).not.to.include('null');
      }
    }
  });

  it('accepts request media types with parameters and in any case', async () => {
    const body = JSON.stringify({ name: 'parametrized' });
    const headers = { 'content-type': 'Application/JSON; Charset="utf-8"' };
    expect((await ada.send('POST', '/api/zones', { headers, body })).status).to.equal(201);
  });
});
