import { expect } from 'chai';
import { aVerifiedUser, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const app = 'https://app.example.com';
const others = ['https://evil.example', 'https://app.example.com.evil.example', 'http://app.example.com', 'null'];

const corsHeaders = ({ headers }: { readonly headers: Headers }) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('Pages of other origins', () => {
  let service: MemoryService;
  let anonymous: Client;
  let ada: User;

  before(async () => {
    service = await openMemoryService({ corsOrigins: [app] });
    anonymous = clientOf(service.url);
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const preflight = (origin: string, path = '/api/zones', method = 'POST') =>
    anonymous.send('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  it('can read responses when listed, including errors', async () => {
    for (const reply of [
      await ada.get('/api/zones', { origin: app }),
      await anonymous.get('/api/zones', { origin: app }),
      await anonymous.get('/nowhere', { origin: app }),
    ]) {
      expect(reply.headers.get('access-control-allow-origin')).to.equal(app);
      expect(reply.headers.get('access-control-allow-credentials')).to.equal('true');
      expect(reply.headers.get('vary')).to.match(/origin/i);
    }
  });

  it('can read the header fields that clients need', async () => {
    const exposed = (await ada.get('/api/zones', { origin: app })).headers.get('access-control-expose-headers') ?? '';
    expect(exposed.split(/, ?/)).to.include.members([
      'ETag',
      'Link',
      'Location',
      'X-Total-Count',
      'Retry-After',
      'RateLimit',
    ]);
  });

  it('get 204 for a preflight request when listed, for every method of the API', async () => {
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const reply = await preflight(app, '/api/zones', method);
      expect(reply.status).to.equal(204);
      expect(reply.headers.get('access-control-allow-origin')).to.equal(app);
      expect(reply.headers.get('access-control-allow-methods')).to.include(method);
      expect(reply.headers.get('access-control-allow-headers'))
        .to.match(/authorization/i)
        .and.match(/content-type/i);
    }
  });

  for (const origin of others) {
    it(`get no permission when not listed: ${origin}`, async () => {
      for (const reply of [await ada.get('/api/zones', { origin }), await preflight(origin)]) {
        expect(corsHeaders(reply).filter((name) => /allow-(origin|credentials)/.test(name))).to.deep.equal([]);
      }
    });

    it(`get 403 for writes by cookie when not listed: ${origin}`, async () => {
      const headers = { cookie: `__Host-access_token=${ada.token}`, origin };
      expectProblem(await anonymous.post('/api/zones', { name: 'x' }, headers), 403, 'foreign-origin');
    });
  }

  it('can write by cookie when listed', async () => {
    const headers = { cookie: `__Host-access_token=${ada.token}`, origin: app };
    expect((await anonymous.post('/api/zones', { name: 'by-cookie' }, headers)).status).to.equal(201);
  });

  it('get no permission when no origin is listed', async () => {
    const closed = await openMemoryService();
    const reply = await clientOf(closed.url).get('/api/zones', { origin: app });
    await closed.close();
    expect(corsHeaders(reply)).to.deep.equal([]);
  });
});
