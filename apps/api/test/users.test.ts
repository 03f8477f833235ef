import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aMember, aVerifiedUser, type User } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

describe('GET /api/users/{id}', () => {
  let service: MemoryService;
  let ada: User;
  let fellow: User;
  let stranger: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    fellow = await aMember(service, ada, 'viewer');
    stranger = await aVerifiedUser(service);
  });
  after(() => service.close());

  const card = ({ id, email }: User) => ({ id, email, firstName: 'Ada', lastName: 'Lovelace' });
  const read = (reader: User, { id }: { readonly id: string }) => reader.get(`/api/users/${id}`);

  it('answers 200 with what fellow members may see, as linked data or plain JSON', async () => {
    const reply = await read(ada, fellow);
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    expect(reply.json()).to.deep.equal({
      '@context': '/api/contexts/User',
      '@id': `/api/users/${fellow.id}`,
      '@type': 'User',
      ...card(fellow),
    });
    const plain = await ada.get(`/api/users/${fellow.id}`, { accept: 'application/json' });
    expect(plain.json()).to.deep.equal(card(fellow));
  });

  it('answers 200 with a response that may not be stored', async () => {
    expect((await read(ada, fellow)).headers.get('cache-control')).to.equal('no-store');
  });

  it('answers 200 to the user and to fellow members of any role', async () => {
    expect((await read(fellow, fellow)).json()).to.deep.include(card(fellow));
    expect((await read(fellow, ada)).json()).to.deep.include(card(ada));
  });

  it('answers 403 to strangers, without revealing anything', async () => {
    const reply = await read(ada, stranger);
    expectProblem(reply, 403, 'forbidden');
    expect(reply.text).not.to.include(stranger.email);
  });

  it('answers 403 as soon as the last common membership ends', async () => {
    const guest = await aMember(service, ada, 'editor');
    expect((await read(guest, ada)).status).to.equal(200);
    await ada.delete(`/api/organizations/${ada.organization}/members/${guest.id}`);
    expectProblem(await read(guest, ada), 403, 'forbidden');
    expectProblem(await read(ada, guest), 403, 'forbidden');
  });

  it('answers 404 to an unknown account and to an invalid id', async () => {
    for (const id of [randomUUID(), '1', 'ME', 'x'.repeat(500)]) {
      expectProblem(await read(ada, { id }), 404, 'not-found');
    }
  });
});
