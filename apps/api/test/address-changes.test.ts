import { addressChangesPerHour, confirmationSeconds } from '@zonewright/core';
import { expect } from 'chai';
import {
  anApiToken,
  anotherSession,
  aRegisteredUser,
  aRegistration,
  aVerifiedUser,
  password,
  type User,
  unique,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';

const anEmail = () => `new${unique()}@example.com`;

describe('Changing the address, and confirming that it is still you', () => {
  let service: MemoryService;
  let anonymous: Client;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
  });
  after(() => service.close());

  const logIn = async (email: string) => (await anonymous.post('/api/auth/login', { email, password })).status;
  /** Makes the sign-ins of a user so old that they no longer count as confirmation. */
  const forgetSignIns = ({ id }: User) =>
    service.inTables(({ sessions }) =>
      changeRows(sessions, ({ userId }) => userId === id, {
        confirmedAt: new Date(Date.now() - confirmationSeconds * 1000),
      }),
    );
  const changed = async (user: User) => {
    const email = anEmail();
    expect((await user.post('/api/users/me/email', { email })).status).to.equal(202);
    const confirmation = tokenIn(await service.mails.nextMailTo(email));
    const undoing = tokenIn(await service.mails.nextMailTo(user.email));
    return { email, confirmation, undoing };
  };

  it('takes effect when the new address is confirmed, and ends all other sessions', async () => {
    const user = await aVerifiedUser(service);
    await anotherSession(service, user);
    const { email, confirmation } = await changed(user);
    expect(await logIn(email)).to.equal(401);
    const reply = await anonymous.post('/api/auth/confirm-email', { token: confirmation });
    expect(reply.status, reply.text).to.equal(200);
    expect((await user.get('/api/users/me')).json()).to.deep.include({ email, emailVerified: true });
    expect((await user.get('/api/users/me/sessions')).json()).to.have.length(1);
    expect([await logIn(user.email), await logIn(email)]).to.deep.equal([401, 200]);
    expectProblem(await anonymous.post('/api/auth/confirm-email', { token: confirmation }), 400, 'invalid-token');
  });

  it('can be undone from the old address, which ends every session, and all that was added since', async () => {
    const user = await aVerifiedUser(service);
    const { email, confirmation, undoing } = await changed(user);
    await anonymous.post('/api/auth/confirm-email', { token: confirmation });
    const token = await anApiToken(user);
    const registration = await anonymous.post('/api/auth/register', { ...aRegistration(), email: user.email });
    expectProblem(registration, 409, 'registration-conflict');
    expect((await anonymous.post('/api/auth/undo-email', { token: undoing })).status).to.equal(200);
    expectProblem(await user.get('/api/users/me'), 401, 'unauthenticated');
    expectProblem(await token.get('/api/users/me'), 401, 'unauthenticated');
    expect([await logIn(user.email), await logIn(email)]).to.deep.equal([200, 401]);
    const { token: access } = (await anonymous.post('/api/auth/login', { email: user.email, password })).json() as {
      token: string;
    };
    const owner = clientOf(service.url, { authorization: `Bearer ${access}` });
    const entries = (await owner.get('/api/users/me/audit-log')).json() as { action: string }[];
    expect(entries.map(({ action }) => action)).to.include.members(['account.emailChangeUndone', 'apiToken.revoked']);
  });

  it('gives the same answer for an address that has an account, whose link does not work', async () => {
    const [user, other] = [await aVerifiedUser(service), await aVerifiedUser(service)];
    const replies = await Promise.all(
      [other.email, anEmail()].map((email) => user.post('/api/users/me/email', { email })),
    );
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    const token = tokenIn(await service.mails.nextMailTo(other.email));
    expectProblem(await anonymous.post('/api/auth/confirm-email', { token }), 400, 'invalid-token');
  });

  it('replaces an account that has never verified the new address, unless the operator has blocked it', async () => {
    const [user, stranger] = [await aVerifiedUser(service), await aRegisteredUser(service)];
    await service.mails.nextMailTo(stranger.email);
    await user.post('/api/users/me/email', { email: stranger.email });
    const token = tokenIn(await service.mails.nextMailTo(stranger.email));
    const confirm = () => anonymous.post('/api/auth/confirm-email', { token });
    const setActive = (active: boolean) =>
      service.inTables(({ users }) => changeRows(users, ({ id }) => id === stranger.id, { active }));
    setActive(false);
    expectProblem(await confirm(), 400, 'invalid-token');
    setActive(true);
    expect((await confirm()).status).to.equal(200);
    expect((await user.get('/api/users/me')).json()).to.include({ email: stranger.email, emailVerified: true });
    expect((await user.get(`/api/users/${stranger.id}`)).status).to.equal(404);
  });

  it('sends no mail after a few requests in an hour', async () => {
    const user = await aVerifiedUser(service);
    const email = anEmail();
    for (let request = 0; request <= addressChangesPerHour; request += 1) {
      expect((await user.post('/api/users/me/email', { email })).status).to.equal(202);
    }
    for (let mail = 0; mail < addressChangesPerHour; mail += 1) await service.mails.nextMailTo(email);
    expect(service.mails.recipients.filter((each) => each === email)).to.have.length(addressChangesPerHour);
  });

  it('POST /api/users/me/email returns 422 for an invalid address', async () => {
    const user = await aVerifiedUser(service);
    const reply = await user.post('/api/users/me/email', { email: 'nowhere' });
    expectProblem(reply, 422, 'validation-failed', ['email: email.syntax']);
  });

  it('needs a confirmed session, which the password gives', async () => {
    const user = await aVerifiedUser(service);
    forgetSignIns(user);
    const refused = await user.post('/api/users/me/email', { email: anEmail() });
    expectProblem(refused, 403, 'confirmation-required');
    expect(refused.json()).to.deep.include({ methods: ['password'] });
    expectProblem(await user.post('/api/auth/confirm', { password: 'Wrong-Horse-7' }), 401, 'invalid-credentials');
    for (const proofs of [{}, { password, code: '123456' }]) {
      expectProblem(await user.post('/api/auth/confirm', proofs), 400, 'validation-failed', [': proof.single']);
    }
    expect((await user.post('/api/auth/confirm', { password })).status).to.equal(204);
    expect((await user.post('/api/users/me/email', { email: anEmail() })).status).to.equal(202);
  });

  it('is in the log of the account, which shows nobody else’s', async () => {
    const user = await aVerifiedUser(service);
    await aVerifiedUser(service);
    const { confirmation } = await changed(user);
    await anonymous.post('/api/auth/confirm-email', { token: confirmation });
    const entries = (await user.get('/api/users/me/audit-log')).json() as { action: string; actor: string }[];
    expect(entries.slice(0, 2).map(({ action }) => action)).to.deep.equal([
      'account.emailChanged',
      'account.emailChangeRequested',
    ]);
    expect(new Set(entries.map(({ actor }) => actor))).to.deep.equal(new Set([`/api/users/${user.id}`]));
    const path = '/api/users/me/audit-log?action=account.emailChanged&itemsPerPage=1';
    expect((await user.get(path)).json()).to.have.length(1);
  });
});
