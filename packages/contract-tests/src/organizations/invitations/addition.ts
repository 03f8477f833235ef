import { Email, InvitationDraft, roles } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { storedOwner } from '../../arrangements/index.ts';
import { anEmail, anInvitation, unique, wholeList } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import { expectOneWinner } from '../../races.ts';
import { errorOf, okOf, readView, rounds } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { add, endings, invited, statusOf } from './invited.ts';

/** Whom an organization can invite, and how often. */
export function addition(storage: () => Storage): void {
  for (const role of roles) {
    it(`adds a pending invitation with a role of ${role}`, async () => {
      const { organizationId, userId } = await storedOwner(storage());
      const email = Email.parse(`Grace-${unique()}@Example.org`);
      const { id, ...invitation } = anInvitation({ organizationId, invitedBy: userId, email, role });
      const { createdAt, expiresAt, ...rest } = await okOf(add(storage(), { id, ...invitation }));
      expect(rest).to.deep.equal({ id, organizationId, email, role, status: 'pending', resends: 0 });
      expect(expiresAt.getTime() - createdAt.getTime()).to.equal(1000 * invitation.lifetimeSeconds);
    });
  }

  it('refuses a second pending invitation of an address in any case', async () => {
    const { organizationId, invitedBy, email } = await invited(storage(), { email: Email.parse('grace@example.org') });
    for (const again of [email, Email.parse('GRACE@Example.ORG')]) {
      const refused = add(storage(), anInvitation({ organizationId, invitedBy, email: again }));
      expect(await errorOf(refused)).to.deep.equal({ type: 'InvitationPending' });
    }
    expect(
      (await readView(storage(), ({ invitations }) => invitations.list(organizationId, wholeList))).totalItems,
    ).to.equal(1);
  });

  it('lets other organizations invite the same address', async () => {
    const { email } = await invited(storage());
    await invited(storage(), { email });
  });

  for (const [status, end] of endings) {
    it(`invites the address again after the invitation was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      const { organizationId, invitedBy, email } = invitation;
      const next = anInvitation({ organizationId, invitedBy, email });
      await okOf(add(storage(), next));
      expect(await statusOf(storage(), invitation)).to.equal(status);
      expect(await statusOf(storage(), next)).to.equal('pending');
    });
  }

  it('lets exactly one of twenty concurrent invitations of an address succeed', async () => {
    for (const _ of rounds) {
      const { caller, organizationId } = await storedOwner(storage());
      const email = anEmail();
      const create = casesOn(storage()).createInvitation;
      await expectOneWinner('InvitationPending', (index) => {
        const spelled = index % 2 === 0 ? email : email.toUpperCase();
        return create(caller, organizationId, InvitationDraft.parse({ email: spelled, role: 'viewer' }));
      });
    }
    expect(await storage().mailContents()).to.equal(rounds.length);
  });

  it('lets exactly one of twenty concurrent additions in the place of an expired one succeed', async () => {
    for (const _ of rounds) {
      const { organizationId, invitedBy, email, lifetimeSeconds } = await invited(storage());
      await storage().passTime(lifetimeSeconds);
      await expectOneWinner('InvitationPending', () =>
        add(storage(), anInvitation({ organizationId, invitedBy, email })),
      );
    }
  });

  it('makes a second addition wait for the first, and succeed if that is rolled back', async () => {
    const { organizationId, userId: invitedBy } = await storedOwner(storage());
    const [first, second] = [anEmail(), anEmail()].map(() => anInvitation({ organizationId, invitedBy }));
    const held = await hold(storage(), ({ invitations }) => invitations.add(first!));
    const adding = add(storage(), { ...second!, email: first!.email });
    await held.endBefore(adding, () => errAsync('undo'));
    expect((await adding).isOk()).to.equal(true);
  });
}
