import { MailedToken, roles, useCases } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { block, callerWith, storedAccount, storedMember, storedOwner } from '../../arrangements/index.ts';
import { unique } from '../../builders/index.ts';
import { casesOn, fakePorts } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import { errorOf, okOf, readView, rounds, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { invited, renew, statusOf } from './invited.ts';

/** An invitation by an admin, a person who may accept it, and how they do. */
async function invitedByAdmin(storage: Storage) {
  const owner = await storedOwner(storage);
  const admin = await storedMember(storage, owner.organizationId, 'admin');
  const { id, email } = await storedAccount(storage);
  const token = MailedToken.parse(`invitation-${unique()}`);
  const hash = fakePorts.tokenHashes.of(token);
  const invitation = await invited(storage, { owner, invitedBy: admin.userId, email, hash });
  const joining = { ...callerWith(id, owner.organizationId, 'viewer'), memberships: new Map() };
  const join = () => useCases({ unitOfWork: storage.unitOfWork, ...fakePorts }).acceptInvitation(joining, token);
  return { owner, admin, invitation, join };
}

/** Invitations by somebody who may no longer invite. */
export function lostRights(storage: () => Storage): void {
  it('leaves their invitations revoked when the account is blocked and unblocked', async () => {
    const { owner, admin, invitation, join } = await invitedByAdmin(storage());
    await block(storage(), admin.userId);
    await runUnit(storage(), ({ accountBlocks }) => accountBlocks.unblock(admin.userId));
    expect(await statusOf(storage(), invitation)).to.equal('revoked');
    expect(await errorOf(join())).to.deep.equal({ type: 'InvitationTokenInvalid' });
    expect(await errorOf(renew(storage(), invitation))).to.deep.equal({ type: 'InvitationEnded' });
    await invited(storage(), { owner, email: invitation.email });
  });

  for (const role of ['viewer', undefined] as const) {
    it(`admits nobody if the inviter is ${role === undefined ? 'removed' : 'demoted'} concurrently`, async () => {
      const { owner, admin, invitation, join } = await invitedByAdmin(storage());
      const { organizationId } = owner;
      const held = await hold(storage(), ({ organizations, members, invitations }) =>
        organizations
          .lock(organizationId)
          .andThen(() => invitations.revokeAllOf(organizationId, admin.userId, roles))
          .andThen(
            (): ResultAsync<unknown, unknown> =>
              role === undefined
                ? members.remove(organizationId, admin.userId)
                : members.setRole(organizationId, admin.userId, role),
          ),
      );
      const joined = join();
      await held.endBefore(joined);
      expect(await errorOf(joined)).to.deep.equal({ type: 'InvitationTokenInvalid' });
      expect(await statusOf(storage(), invitation)).to.equal('revoked');
    });

    it(`admits nobody after the inviter was ${role === undefined ? 'removed' : 'demoted'}, bypassing the use cases`, async () => {
      const { owner, admin, join } = await invitedByAdmin(storage());
      await storage().setRole(owner.organizationId, admin.userId, role);
      expect(await errorOf(join())).to.deep.equal({ type: 'InvitationTokenInvalid' });
    });
  }

  it('makes the removal of the inviter wait for an acceptance in progress, which succeeds', async () => {
    const { owner, admin, invitation } = await invitedByAdmin(storage());
    const held = await hold(storage(), ({ organizations, invitationTokens }) =>
      organizations.lock(owner.organizationId).andThen(() => invitationTokens.accept(invitation.hash)),
    );
    const remove = casesOn(storage()).removeMember;
    const removal = remove(owner.caller, owner.organizationId, admin.userId, undefined);
    await held.endBefore(removal);
    await okOf(removal);
    expect(await statusOf(storage(), invitation)).to.equal('accepted');
  });

  it('accepts an invitation entirely or not at all when the inviter is removed', async () => {
    for (const _ of rounds) {
      const { owner, admin, invitation, join } = await invitedByAdmin(storage());
      const remove = casesOn(storage()).removeMember;
      const [joined] = await Promise.all([
        join(),
        okOf(remove(owner.caller, owner.organizationId, admin.userId, undefined)),
      ]);
      expect(await statusOf(storage(), invitation)).to.equal(joined.isOk() ? 'accepted' : 'revoked');
      const count = await readView(storage(), ({ members }) => members.count(owner.organizationId));
      expect(count).to.equal(joined.isOk() ? 2 : 1);
    }
  });
}
