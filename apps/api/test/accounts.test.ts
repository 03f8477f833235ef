import { randomUUID } from 'node:crypto';
import { SessionId, type UseCases, UserId, useCases } from '@zonewright/core';
import { MemoryUnitOfWork } from '@zonewright/memory';
import { expect } from 'chai';
import { accountRoutes } from '../src/routes/accounts/accounts.ts';
import { aMailedToken, aMember, aRegisteredUser, aRegistration, aVerifiedUser, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { authenticatingAs, serveRoutes } from './support/served-routes.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Registration', () => {
  let service: MemoryService;
  let anonymous: Client;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
  });
  after(() => service.close());

  const isVerified = (id: string): boolean =>
    service.inTables(({ users }) => [...users.values()].some((user) => user.id === id && user.emailVerified));
  const register = (body: unknown) => anonymous.post('/api/auth/register', body);
  const verify = (body: unknown) => anonymous.post('/api/auth/verify-email', body);

  it('POST /api/auth/register returns 201 with a message and the id, and mails a link for POST /api/auth/verify-email', async () => {
    const registration = aRegistration();
    const reply = await register({ ...registration, emailVerified: true });
    expect(reply.status).to.equal(201);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    const { id, message, ...rest } = reply.json() as { id: string; message: string };
    expect(rest).to.deep.equal({});
    expect(message).to.be.a('string').that.is.not.empty;
    expect(id).to.match(uuid);
    const mail = await service.mails.nextMailTo(registration.email);
    expect(mail.from).to.deep.equal({ name: 'Zonewright', address: 'zones@example.com' });
    expect(mail.text).to.include(`${service.url}/verify-email#token=`);
    expect(isVerified(id)).to.equal(false);
    const verified = await verify({ token: tokenIn(mail) });
    expect(verified.status).to.equal(200);
    expect(Object.keys(verified.json() as object)).to.deep.equal(['message']);
    expect(verified.cookies).to.deep.equal([]);
    expect(isVerified(id)).to.equal(true);
  });

  it('POST /api/auth/register returns 409 for a registered address, in general words', async () => {
    const { email } = await aRegisteredUser(service);
    const reply = await register({ ...aRegistration(), email });
    expectProblem(reply, 409, 'registration-conflict');
    expect(reply.text).not.to.include(email);
    expect(reply.text).not.to.match(/exist|taken|already|in use/i);
  });

  it('POST /api/auth/register returns 400 with all violations at once', async () => {
    expectProblem(await register({}), 400, 'validation-failed', [
      'email: member.required',
      'password: member.required',
      'firstName: member.required',
      'lastName: member.required',
    ]);
  });

  it('POST /api/auth/verify-email returns 400 for a token that is unknown, missing or of another type', async () => {
    expectProblem(await verify({ token: 'A'.repeat(43) }), 400, 'invalid-token');
    expectProblem(await verify({}), 400, 'validation-failed', ['token: member.required']);
    expectProblem(await verify({ token: ['A'] }), 400, 'validation-failed', ['token: member.type']);
  });

  it('GET /api/auth/verify-email returns 405 and verifies nothing', async () => {
    const user = await aRegisteredUser(service);
    const token = await aMailedToken(service, user, 'verify-email');
    expectProblem(await anonymous.get(`/api/auth/verify-email?token=${token}`), 405, 'method-not-allowed');
    expect(isVerified(user.id)).to.equal(false);
  });
});

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
