import { InvitationId, type OrganizationId, type Role, roles, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedMember, storedOwner } from '../../arrangements/index.ts';
import { aTokenHash, uuid } from '../../builders/index.ts';
import { okOf, rounds, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { accept, byHash, endings, invited, isInvalid, renew, revoke, statusOf } from './invited.ts';

/** The revocation of one invitation. */
export function revocation(storage: () => Storage): void {
  it('revokes a pending invitation, and no other', async () => {
    const [first, second] = [await invited(storage()), await invited(storage())];
    await revoke(storage(), first.id);
    await isInvalid(storage(), first.hash);
    expect(await statusOf(storage(), first)).to.equal('revoked');
    expect(await statusOf(storage(), second)).to.equal('pending');
  });

  for (const [status, end] of endings) {
    it(`succeeds without changes if the invitation was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      await revoke(storage(), invitation.id);
      expect(await statusOf(storage(), invitation)).to.equal(status);
    });
  }

  it('succeeds if there is no such invitation', async () => {
    await revoke(storage(), InvitationId.parse(uuid()));
  });

  it('lets either the acceptance or the revocation win', async () => {
    for (const _ of rounds) {
      const invitation = await invited(storage());
      const [accepted] = await Promise.all([accept(storage(), invitation.hash), revoke(storage(), invitation.id)]);
      expect(await statusOf(storage(), invitation)).to.equal(accepted.isOk() ? 'accepted' : 'revoked');
    }
  });
}

/** The revocation of what a member has invited to. */
export function revocationOfAll(storage: () => Storage): void {
  const revokeAll = (organization: OrganizationId, inviter: UserId, among: readonly Role[]) =>
    runUnit(storage(), ({ invitations }) => invitations.revokeAllOf(organization, inviter, among));

  it('revokes the inviter’s pending invitations to the organization with one of the roles', async () => {
    const [owner, elsewhere] = [await storedOwner(storage()), await storedOwner(storage())];
    const other = await storedMember(storage(), owner.organizationId, 'owner');
    const own = [];
    for (const role of roles) own.push(await invited(storage(), { owner, role }));
    const kept = [
      await invited(storage(), { owner, invitedBy: other.userId }),
      await invited(storage(), { owner: elsewhere, invitedBy: owner.userId }),
    ];
    const ended = await revokeAll(owner.organizationId, owner.userId, ['owner', 'editor']);
    expect(ended.toSorted()).to.deep.equal(
      own.filter(({ role }) => ['owner', 'editor'].includes(role)).map(({ id }) => id),
    );
    const statuses = [];
    for (const invitation of [...own, ...kept]) statuses.push(await statusOf(storage(), invitation));
    expect(statuses).to.deep.equal(['revoked', 'pending', 'revoked', 'pending', 'pending', 'pending']);
    expect(await revokeAll(owner.organizationId, owner.userId, [])).to.deep.equal([]);
  });

  for (const [status, end] of endings) {
    it(`does not change an invitation that was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      expect(await revokeAll(invitation.organizationId, invitation.invitedBy, roles)).to.deep.equal([]);
      expect(await statusOf(storage(), invitation)).to.equal(status);
    });
  }

  it('attributes an invitation to the member who last renewed it', async () => {
    const invitation = await invited(storage());
    const { organizationId, invitedBy } = invitation;
    const other = await storedMember(storage(), organizationId, 'admin');
    const hash = aTokenHash();
    await okOf(renew(storage(), { ...invitation, invitedBy: other.userId }, hash));
    expect(await revokeAll(organizationId, invitedBy, roles)).to.deep.equal([]);
    expect((await okOf(byHash(storage(), hash))).invitedBy).to.equal(other.userId);
    expect(await revokeAll(organizationId, other.userId, roles)).to.deep.equal([invitation.id]);
    await isInvalid(storage(), hash);
  });
}
