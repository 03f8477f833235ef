import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  anInvitation,
  aVerifiedUser,
  type InvitationBody,
  invitationsOf,
  type User,
  unique,
} from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Invitations', () => {
  let service: MemoryService;
  let owner: User;

  before(async () => {
    service = await openMemoryService();
  });
  beforeEach(async () => {
    owner = await aVerifiedUser(service);
  });
  after(() => service.close());

  const collection = () => invitationsOf(owner);
  const invite = (body: unknown) => owner.post(collection(), body);
  const accept = (user: User, token: unknown) => user.post('/api/invitations/accept', { token });
  const tokenFor = async ({ email }: { readonly email: string }) => tokenIn(await service.mails.nextMailTo(email));
  const pathOf = ({ id }: { readonly id: string }) => `${collection()}/${id}`;
  const resend = (invitation: { readonly id: string }) => owner.post(`${pathOf(invitation)}/resend`);

  describe('POST /api/organizations/{id}/invitations', () => {
    it('returns 201 with the invitation, whose token is only in the mail', async () => {
      const email = `guest${unique()}@example.com`;
      const reply = await invite({ email, role: 'editor' });
      expect(reply.status).to.equal(201);
      const { id, createdAt, expiresAt, ...rest } = reply.json() as InvitationBody;
      expect(id).to.match(uuid);
      expect(reply.headers.get('location')).to.equal(pathOf({ id }));
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.be.closeTo(7 * 86_400_000, 1000);
      expect(rest).to.deep.equal({
        organization: `/api/organizations/${owner.organization}`,
        email,
        role: 'editor',
        status: 'pending',
      });
      const mail = await service.mails.nextMailTo(email);
      expect(mail.text).to.include(`${service.url}/accept-invitation#token=`);
      expect(mail.text).to.include('Ada Lovelace invited you');
      const read = await owner.get(pathOf({ id }));
      expect(read.json()).to.deep.equal(reply.json());
      for (const { text } of [reply, read, await owner.get(collection())]) expect(text).not.to.include(tokenIn(mail));
    });

    it('returns 409 while the address has a pending one', async () => {
      const { email } = await anInvitation(owner);
      expectProblem(await invite({ email, role: 'admin' }), 409, 'invitation-pending');
    });

    it('returns 422 with all violations at once', async () => {
      expectProblem(await invite({ email: 'guest', role: 'king', note: 'x' }), 422, 'validation-failed', [
        'email: email.syntax',
        'role: value.choice',
        'note: member.unknown',
      ]);
    });
  });

  it('GET /api/organizations/{id}/invitations returns 200, newest first, page by page', async () => {
    const first = await anInvitation(owner);
    await anInvitation(owner);
    expect((await owner.get(`${collection()}?itemsPerPage=1&page=2`)).json()).to.deep.equal([first]);
  });

  it('POST /api/organizations/{id}/invitations/{invitation}/resend returns 200, and mails a new token', async () => {
    const guest = await aVerifiedUser(service);
    const invitation = await anInvitation(owner, guest);
    const first = await tokenFor(guest);
    const reply = await resend(invitation);
    expect(reply.status).to.equal(200);
    const { expiresAt, ...renewed } = reply.json() as InvitationBody;
    expect({ ...renewed, expiresAt: invitation.expiresAt }).to.deep.equal(invitation);
    expect(Date.parse(expiresAt)).to.be.at.least(Date.parse(invitation.expiresAt));
    expect(await tokenFor(guest)).not.to.equal(first);
  });

  it('DELETE /api/organizations/{id}/invitations/{invitation} returns 204, and resending returns 409', async () => {
    const invitation = await anInvitation(owner);
    const reply = await owner.delete(pathOf(invitation));
    expect([reply.status, reply.text]).to.deep.equal([204, '']);
    expect((await owner.get(pathOf(invitation))).json()).to.include({ status: 'revoked' });
    expectProblem(await resend(invitation), 409, 'invitation-ended');
  });

  it('returns 404 for an invitation that does not exist, is of another organization, or has an invalid id', async () => {
    const foreign = await anInvitation(await aVerifiedUser(service));
    for (const id of [randomUUID(), foreign.id, '1']) {
      for (const reply of [await resend({ id }), await owner.get(pathOf({ id })), await owner.delete(pathOf({ id }))]) {
        expectProblem(reply, 404, 'not-found');
      }
    }
  });

  describe('POST /api/invitations/accept', () => {
    it('returns 200 with the membership in the role of the invitation', async () => {
      const guest = await aVerifiedUser(service);
      await anInvitation(owner, { email: guest.email, role: 'editor' });
      const reply = await accept(guest, await tokenFor(guest));
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json()).to.include({ id: guest.id, user: `/api/users/${guest.id}`, role: 'editor' });
      expect(reply.json()).not.to.have.property('twoFactorEnabled');
    });

    it('returns 400 for an unknown token, 422 if it is missing or not a string, and 403 to another user', async () => {
      expectProblem(await accept(owner, 'never-issued'), 400, 'invalid-token');
      expectProblem(await accept(owner, undefined), 422, 'validation-failed', ['token: member.required']);
      expectProblem(await accept(owner, 1), 422, 'validation-failed', ['token: member.type']);
      expectProblem(await accept(owner, await tokenFor(await anInvitation(owner))), 403, 'invitation-for-another');
    });
  });
});
