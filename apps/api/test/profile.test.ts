import { randomUUID } from 'node:crypto';
import { SessionId, type UseCases, UserId, useCases } from '@zonewright/core';
import { MemoryUnitOfWork } from '@zonewright/memory';
import { expect } from 'chai';
import { accountRoutes } from '../src/routes/accounts/accounts.ts';
import { aVerifiedUser, type User } from './support/arrange.ts';
import { clientOf, expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { authenticatingAs, serveRoutes } from './support/served-routes.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
type Members = Readonly<Record<string, unknown>>;

describe('/api/users/me', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const read = async (headers = {}) => (await ada.get('/api/users/me', headers)).json() as Members;
  const patch = (body: unknown, headers = {}) => ada.patch('/api/users/me', body, headers);
  const plain = { accept: 'application/json' };

  it('GET returns 200 with the profile as linked data or plain JSON', async () => {
    const reply = await ada.get('/api/users/me');
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    const { '@context': context, '@id': iri, '@type': type, ...profile } = reply.json() as Members;
    expect([context, iri, type]).to.deep.equal(['/api/contexts/User', `/api/users/${ada.id}`, 'User']);
    const { createdAt, updatedAt, ...members } = profile;
    expect(members).to.deep.equal({
      id: ada.id,
      email: ada.email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      active: true,
      emailVerified: true,
      hasPassword: true,
      twoFactorEnabled: false,
      twoFactorEnforced: false,
      connectedProviders: [],
    });
    for (const time of [createdAt, updatedAt]) expect(time).to.match(timestamp);
    expect(await read(plain)).to.deep.equal(profile);
  });

  it('GET takes the user from the session only', async () => {
    const eve = await aVerifiedUser(service);
    const reply = await ada.get(`/api/users/me?id=${eve.id}&userId=${eve.id}`, { 'x-user-id': eve.id });
    expect(reply.json()).to.include({ id: ada.id });
  });

  it('PATCH returns 200 with the whole new profile, and ignores the read-only members of what GET returned', async () => {
    for (const [accept, type] of [
      ['*/*', 'application/ld+json; charset=utf-8'],
      ['application/json', 'application/json; charset=utf-8'],
    ] as const) {
      const earlier = await read({ accept });
      const reply = await patch({ ...earlier, firstName: `Augusta ${accept.length}` }, { accept });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal(type);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      const changed = reply.json() as Members;
      const { updatedAt } = changed;
      expect(changed).to.deep.equal({ ...earlier, firstName: `Augusta ${accept.length}`, updatedAt });
      expect(await read({ accept })).to.deep.equal(changed);
    }
  });

  it('PATCH returns 422 with all violations at once', async () => {
    expectProblem(await patch({ firstName: '', lastName: 1, password: 'New-Battery-8' }), 422, 'validation-failed', [
      'firstName: text.tooShort',
      'lastName: member.type',
      'password: member.unknown',
    ]);
  });

  it('PATCH returns 404 when the account is deleted between authentication and writing', async () => {
    const userId = UserId.parse(randomUUID());
    const credential = {
      kind: 'session',
      id: SessionId.parse(randomUUID()),
      provider: undefined,
      confirmed: true,
      confirmableBy: ['password'],
    } as const;
    const served = await serveRoutes({
      routes: accountRoutes,
      ...authenticatingAs(() => ({ userId, credential, memberships: new Map() })),
      // The only use case of this request.
      useCasesOn: () => ({ updateProfile: useCases({ unitOfWork: new MemoryUnitOfWork() }).updateProfile }) as UseCases,
    });
    const reply = await clientOf(served.url).patch('/api/users/me', {}, { authorization: 'Bearer any' });
    await served.close();
    expectProblem(reply, 404, 'not-found');
  });
});
