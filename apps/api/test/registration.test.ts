import { expect } from 'chai';
import { aMailedToken, aRegisteredUser, aRegistration } from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

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
