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

describe('GET /api/users/me', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
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
      twoFactorEnabled: false,
      twoFactorEnforced: false,
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

  it('is never stored, but has an entity tag', async () => {
    const reply = await ada.get('/api/users/me');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    const tag = reply.headers.get('etag') ?? '';
    expect(tag).to.match(/^"[^"]+"$/);
    expect((await ada.get('/api/users/me', { 'if-none-match': tag })).status).to.equal(304);
  });

  it('answers 401 once the account is deleted', async () => {
    const user = await aVerifiedUser(service);
    service.inTables(({ users }) => {
      for (const id of users.keys()) if (id === user.id) users.delete(id);
    });
    expectProblem(await user.get('/api/users/me'), 401, 'unauthenticated');
  });

  it('takes the user from the session only', async () => {
    const eve = await aVerifiedUser(service);
    for (const path of [`/api/users/me?id=${eve.id}`, `/api/users/me?userId=${eve.id}`]) {
      expect((await ada.get(path, { 'x-user-id': eve.id })).json()).to.include({ id: ada.id });
    }
  });
});

describe('PATCH /api/users/me', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService();
  });
  beforeEach(async () => {
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const patch = (body: unknown, headers?: Readonly<Record<string, string>>) =>
    ada.patch('/api/users/me', body, headers);
  const read = async () => (await ada.get('/api/users/me')).json() as Readonly<Record<string, unknown>>;

  it('answers 200 with the whole profile as linked data, with the named members changed', async () => {
    const before = await read();
    const reply = await patch({ firstName: 'Augusta' });
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    const { updatedAt, ...changed } = reply.json() as { updatedAt: string };
    expect(changed).to.deep.equal({ ...withoutUpdatedAt(before), firstName: 'Augusta' });
    expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(String(before['updatedAt'])));
    expect(await read()).to.deep.equal({ ...changed, updatedAt });
  });

  it('answers 200 as plain JSON on demand', async () => {
    const reply = await patch({ lastName: 'King' }, { accept: 'application/json' });
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.json()).to.include({ firstName: 'Ada', lastName: 'King' }).and.not.to.have.property('@id');
  });

  it('answers 200 to what GET returned, in either flavour, and ignores read-only members', async () => {
    const linked = await read();
    const plain = (await ada.get('/api/users/me', { accept: 'application/json' })).json() as object;
    for (const body of [
      { ...linked, firstName: 'Grace' },
      { ...plain, firstName: 'Grace' },
    ]) {
      expect((await patch(body)).json()).to.include({ firstName: 'Grace', lastName: 'Lovelace' });
    }
  });

  const refused: readonly (readonly [what: string, body: unknown, violation: string])[] = [
    ['an unknown member', { nickname: 'ada' }, 'nickname: member.unknown'],
    ['a password', { password: 'New-Battery-8' }, 'password: member.unknown'],
    ['roles', { roles: ['admin'] }, 'roles: member.unknown'],
  ];
  for (const [what, body, violation] of refused) {
    it(`answers 422 to ${what}, without any effect`, async () => {
      const before = await read();
      expectProblem(await patch(body), 422, 'validation-failed', [violation]);
      expect(await read()).to.deep.equal(before);
    });
  }

  it('answers 422 with all errors at once', async () => {
    expectProblem(await patch({ firstName: '', lastName: 1, x: 1 }), 422, 'validation-failed', [
      'firstName: text.tooShort',
      'lastName: member.type',
      'x: member.unknown',
    ]);
  });

  it('answers 404 when the account is deleted between authentication and writing', async () => {
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

const withoutUpdatedAt = ({ updatedAt: _, ...profile }: Readonly<Record<string, unknown>>) => profile;
