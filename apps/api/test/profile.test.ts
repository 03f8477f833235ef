import { randomUUID } from 'node:crypto';
import { readProfile, SessionId, UserId } from '@zonewright/core';
import { MemoryUnitOfWork } from '@zonewright/memory';
import { expect } from 'chai';
import { okAsync } from 'neverthrow';
import { type AccountUseCases, accountRoutes } from '../src/routes/accounts.ts';
import { aVerifiedUser, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { serveRoutes } from './support/served-routes.ts';
import { openService, type TestService } from './support/service.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /api/users/me', () => {
  let service: TestService;
  let anonymous: Client;
  let ada: User;

  before(async () => {
    service = await openService();
    anonymous = clientOf(service.url);
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  interface Profile {
    readonly createdAt: string;
    readonly updatedAt: string;
  }

  it('answers 200 with the profile as linked data', async () => {
    const reply = await ada.get('/api/users/me');
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    const { createdAt, updatedAt, ...profile } = reply.json() as Profile;
    expect(profile).to.deep.equal({
      '@context': '/api/contexts/User',
      '@id': `/api/users/${ada.id}`,
      '@type': 'User',
      id: ada.id,
      email: ada.email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      active: true,
      emailVerified: true,
      hasPassword: true,
      connectedProviders: [],
    });
    expect(createdAt).to.match(timestamp);
    expect(updatedAt).to.match(timestamp);
  });

  it('answers 200 with the same members as plain JSON', async () => {
    const linked = (await ada.get('/api/users/me')).json() as Readonly<Record<string, unknown>>;
    const reply = await ada.get('/api/users/me', { accept: 'application/json' });
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const plain = Object.fromEntries(Object.entries(linked).filter(([name]) => !name.startsWith('@')));
    expect(reply.json()).to.deep.equal(plain);
  });

  it('answers 200 with stored identities: no local password, linked providers', async () => {
    const user = await aVerifiedUser(service);
    await service.database.none('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
    await service.database.none(
      "INSERT INTO provider_identities (user_id, provider, subject) VALUES ($1, 'google', '1'), ($1, 'github', '2')",
      [user.id],
    );
    const profile = (await user.get('/api/users/me')).json();
    expect(profile).to.deep.include({ hasPassword: false, connectedProviders: ['github', 'google'] });
  });

  it('is kept by nobody, but has an entity tag for its owner', async () => {
    const reply = await ada.get('/api/users/me');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    const tag = reply.headers.get('etag') ?? '';
    expect(tag).to.match(/^"[^"]+"$/);
    expect((await ada.get('/api/users/me', { 'if-none-match': tag })).status).to.equal(304);
  });

  it('answers 401 without credentials', async () => {
    const reply = await anonymous.get('/api/users/me');
    expectProblem(reply, 401, 'unauthenticated');
    expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
  });

  it('answers 401 to a refresh token in place of an access token', async () => {
    const headers = { authorization: `Bearer ${ada.refreshToken}` };
    expectProblem(await anonymous.get('/api/users/me', headers), 401, 'unauthenticated');
  });

  it('answers 401 once the account is gone', async () => {
    const user = await aVerifiedUser(service);
    await service.database.none('DELETE FROM users WHERE id = $1', [user.id]);
    expectProblem(await user.get('/api/users/me'), 401, 'unauthenticated');
  });

  it('answers 404 when the account goes away between authentication and reading', async () => {
    const nobody = UserId.parse(randomUUID());
    const served = await serveRoutes({
      routes: accountRoutes({ readProfile: readProfile({ unitOfWork: new MemoryUnitOfWork() }) } as AccountUseCases),
      authenticate: () => okAsync({ userId: nobody, sessionId: SessionId.parse(randomUUID()), memberships: new Map() }),
    });
    const reply = await clientOf(served.url).get('/api/users/me', { authorization: 'Bearer any' });
    await served.close();
    expectProblem(reply, 404, 'not-found');
  });

  it('takes the user from the session only', async () => {
    const eve = await aVerifiedUser(service);
    for (const path of [`/api/users/me?id=${eve.id}`, `/api/users/me?userId=${eve.id}`]) {
      expect((await ada.get(path, { 'x-user-id': eve.id })).json()).to.include({ id: ada.id });
    }
  });
});
