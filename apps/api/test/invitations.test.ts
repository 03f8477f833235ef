import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  aMember,
  anInvitation,
  aVerifiedUser,
  type InvitationBody,
  invitationsOf,
  type User,
  unique,
} from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';
import { enforceTwoFactor } from './support/two-factor.ts';

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
  const address = () => `guest${unique()}@example.com`;
  const invite = (body: unknown, user = owner) => user.post(collection(), body);
  const accept = (user: User, token: unknown) => user.post('/api/invitations/accept', { token });
  const tokenFor = async ({ email }: { readonly email: string }) => tokenIn(await service.mails.nextMailTo(email));
  const expire = ({ id }: { readonly id: string }) =>
    service.inTables(({ invitations }) => changeRows(invitations, (row) => row.id === id, { expiresAt: new Date(0) }));
  const pathOf = ({ id }: { readonly id: string }) => `${collection()}/${id}`;
  const statuses = async () => ((await owner.get(collection())).json() as InvitationBody[]).map(({ status }) => status);

  describe('POST /api/organizations/{id}/invitations', () => {
    it('answers 201 with the invitation, whose token is only in the mail', async () => {
      const email = address();
      const reply = await invite({ email, role: 'editor' });
      expect(reply.status).to.equal(201);
      const { id, createdAt, expiresAt, ...rest } = reply.json() as InvitationBody;
      expect(id).to.match(uuid);
      expect(reply.headers.get('location')).to.equal(`${collection()}/${id}`);
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
      expect(reply.text).not.to.include(tokenIn(mail));
    });

    it('answers 409 while the address has a pending one, ignoring case, and 201 once that has ended', async () => {
      const email = address();
      const first = await anInvitation(owner, { email });
      const again = () => invite({ email: email.toUpperCase(), role: 'admin' });
      expectProblem(await again(), 409, 'invitation-pending');
      expire(first);
      expect((await again()).status).to.equal(201);
      expect(await statuses()).to.deep.equal(['pending', 'expired']);
      expect((await invite({ email, role: 'viewer' }, await aVerifiedUser(service))).status).to.equal(403);
    });

    it("answers 403 to a role above the caller's, 201 to the caller's", async () => {
      const admin = await aMember(service, owner, 'admin');
      expectProblem(await invite({ email: address(), role: 'owner' }, admin), 403, 'forbidden');
      expect((await invite({ email: address(), role: 'admin' }, admin)).status).to.equal(201);
      expect((await invite({ email: address(), role: 'owner' })).status).to.equal(201);
    });

    const refused: readonly (readonly [what: string, body: unknown, violations: readonly string[]])[] = [
      ['an empty body', {}, ['email: member.required', 'role: member.required']],
      ['an invalid address', { email: 'guest', role: 'viewer' }, ['email: email.syntax']],
      ['an unknown role', { email: 'a@example.com', role: 'king' }, ['role: value.choice']],
      ['an unknown member', { email: 'a@example.com', role: 'viewer', note: 'x' }, ['note: member.unknown']],
    ];
    for (const [what, body, violations] of refused) {
      it(`answers 422 to ${what}`, async () => {
        expectProblem(await invite(body), 422, 'validation-failed', violations);
      });
    }
  });

  describe('GET /api/organizations/{id}/invitations', () => {
    it('answers 200 with all of them, newest first, with status, without tokens', async () => {
      const guest = await aVerifiedUser(service);
      const [accepted, expired, revoked] = [
        await anInvitation(owner, guest),
        await anInvitation(owner),
        await anInvitation(owner),
      ];
      await anInvitation(owner);
      const token = await tokenFor(guest);
      expect((await accept(guest, token)).status).to.equal(200);
      expire(expired);
      expect((await owner.delete(`${collection()}/${revoked.id}`)).status).to.equal(204);
      const reply = await owner.get(collection());
      expect((reply.json() as InvitationBody[]).map(({ status }) => status)).to.deep.equal([
        'pending',
        'revoked',
        'expired',
        'accepted',
      ]);
      expect((reply.json() as InvitationBody[]).at(-1)?.id).to.equal(accepted.id);
      expect(reply.text).not.to.include(token);
      expect((await owner.get(`${collection()}?itemsPerPage=1&page=4`)).json()).to.have.nested.property(
        '[0].id',
        accepted.id,
      );
    });
  });

  describe('GET /api/organizations/{id}/invitations/{invitation}', () => {
    it('answers 200 at the Location from POST, without the token', async () => {
      const guest = await aVerifiedUser(service);
      const created = await invite({ email: guest.email, role: 'viewer' });
      const reply = await owner.get(created.headers.get('location') ?? '');
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.deep.equal(created.json());
      expect(reply.text).not.to.include(await tokenFor(guest));
    });
  });

  describe('POST /api/organizations/{id}/invitations/{invitation}/resend', () => {
    const resend = (invitation: { readonly id: string }, headers = {}) =>
      owner.post(`${pathOf(invitation)}/resend`, undefined, headers);

    it('answers 200 with a new expiry, and mails a new token that invalidates the old one', async () => {
      const guest = await aVerifiedUser(service);
      const invitation = await anInvitation(owner, guest);
      const first = await tokenFor(guest);
      const reply = await resend(invitation);
      expect(reply.status).to.equal(200);
      const renewed = reply.json() as InvitationBody;
      expect(renewed).to.include({ id: invitation.id, status: 'pending' });
      expect(Date.parse(renewed.expiresAt)).to.be.at.least(Date.parse(invitation.expiresAt));
      const second = await tokenFor(guest);
      expectProblem(await accept(guest, first), 400, 'invalid-token');
      expect((await accept(guest, second)).status).to.equal(200);
    });

    it('answers 404 if it does not exist, belongs to another organization, or has an invalid id', async () => {
      const foreign = await anInvitation(await aVerifiedUser(service));
      for (const id of [randomUUID(), foreign.id, '1']) {
        expectProblem(await resend({ id }), 404, 'not-found');
        expectProblem(await owner.get(`${collection()}/${id}`), 404, 'not-found');
        expectProblem(await owner.delete(`${collection()}/${id}`), 404, 'not-found');
      }
    });
  });

  describe('DELETE /api/organizations/{id}/invitations/{invitation}', () => {
    it('answers 204 and invalidates the token', async () => {
      const guest = await aVerifiedUser(service);
      const { id } = await anInvitation(owner, guest);
      const token = await tokenFor(guest);
      const reply = await owner.delete(`${collection()}/${id}`);
      expect([reply.status, reply.text]).to.deep.equal([204, '']);
      expectProblem(await accept(guest, token), 400, 'invalid-token');
      expect(await statuses()).to.deep.equal(['revoked']);
    });
  });

  describe('POST /api/invitations/accept', () => {
    it('answers 200 with the membership in the role of the invitation', async () => {
      const guest = await aVerifiedUser(service);
      const email = guest.email.replace('user', 'USER');
      await anInvitation(owner, { email, role: 'editor' });
      const reply = await accept(guest, await tokenFor({ email }));
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json()).to.include({ id: guest.id, user: `/api/users/${guest.id}`, role: 'editor' });
      expect(reply.json()).not.to.have.property('twoFactorEnabled');
      const body = { name: `zone-${unique()}`, organization: owner.organization };
      expect((await guest.post('/api/zones', body)).status).to.equal(201);
    });

    it('answers 200 where a second factor is required; everything else there needs it first', async () => {
      const guest = await aVerifiedUser(service);
      await anInvitation(owner, guest);
      enforceTwoFactor(service, owner);
      expect((await accept(guest, await tokenFor(guest))).status).to.equal(200);
      expectProblem(await guest.get(`/api/organizations/${owner.organization}`), 403, 'two-factor-required');
    });

    it('answers 400 to a used token', async () => {
      const guest = await aVerifiedUser(service);
      await anInvitation(owner, guest);
      const token = await tokenFor(guest);
      expect((await accept(guest, token)).status).to.equal(200);
      expectProblem(await accept(guest, token), 400, 'invalid-token');
    });

    it('answers 400 to an unknown token, 422 if it is missing or not a string', async () => {
      expectProblem(await accept(owner, 'never-issued'), 400, 'invalid-token');
      expectProblem(await owner.post('/api/invitations/accept', {}), 422, 'validation-failed', [
        'token: member.required',
      ]);
      for (const token of [1, [], null, '']) expect((await accept(owner, token)).status).to.equal(422);
    });

    it('answers 403 to another user, and the invited one can still accept', async () => {
      const [guest, eve] = [await aVerifiedUser(service), await aVerifiedUser(service)];
      await anInvitation(owner, guest);
      const token = await tokenFor(guest);
      expectProblem(await accept(eve, token), 403, 'invitation-for-another');
      expect((await accept(guest, token)).status).to.equal(200);
    });
  });
});
