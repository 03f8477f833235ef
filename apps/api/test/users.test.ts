import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aMember, aVerifiedUser, type User } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

describe('GET /api/users/{id}', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  it('returns 200 with what fellow members may see, as linked data or plain JSON', async () => {
    const { id, email } = await aMember(service, ada, 'viewer');
    const card = { id, email, firstName: 'Ada', lastName: 'Lovelace' };
    const reply = await ada.get(`/api/users/${id}`);
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    expect(reply.json()).to.deep.equal({
      '@context': '/api/contexts/User',
      '@id': `/api/users/${id}`,
      '@type': 'User',
      ...card,
    });
    expect((await ada.get(`/api/users/${id}`, { accept: 'application/json' })).json()).to.deep.equal(card);
  });

  it('returns 403 for strangers, without revealing anything', async () => {
    const stranger = await aVerifiedUser(service);
    const reply = await ada.get(`/api/users/${stranger.id}`);
    expectProblem(reply, 403, 'forbidden');
    expect(reply.text).not.to.include(stranger.email);
  });

  it('returns 404 for an unknown account and an invalid id', async () => {
    for (const id of [randomUUID(), '1', 'ME', 'x'.repeat(500)]) {
      expectProblem(await ada.get(`/api/users/${id}`), 404, 'not-found');
    }
  });
});
