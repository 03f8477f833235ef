import { expect } from 'chai';
import { aVerifiedUser, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const app = 'https://app.example.com';

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

  it('can read responses when listed, including errors', async () => {
    for (const reply of [
      await ada.get('/api/zones', { origin: app }),
      await anonymous.get('/api/zones', { origin: app }),
      await anonymous.get('/nowhere', { origin: app }),
    ]) {
      expect(reply.headers.get('access-control-allow-origin')).to.equal(app);
    }
  });

  for (const origin of ['https://evil.example', 'http://app.example.com', 'null']) {
    it(`get 403 for writes by cookie when not listed: ${origin}`, async () => {
      const headers = { cookie: `__Host-access_token=${ada.token}`, origin };
      expectProblem(await anonymous.post('/api/zones', { name: 'x' }, headers), 403, 'foreign-origin');
    });
  }

  it('can write by cookie when listed', async () => {
    const headers = { cookie: `__Host-access_token=${ada.token}`, origin: app };
    expect((await anonymous.post('/api/zones', { name: 'by-cookie' }, headers)).status).to.equal(201);
  });

  it('get no permission when not listed', async () => {
    const origin = 'https://evil.example';
    for (const reply of [
      await ada.get('/api/zones', { origin }),
      await anonymous.send('OPTIONS', '/api/zones', { headers: { origin, 'access-control-request-method': 'POST' } }),
    ]) {
      expect([...reply.headers.keys()].filter((name) => /allow-(origin|credentials)/.test(name))).to.deep.equal([]);
    }
  });
});
