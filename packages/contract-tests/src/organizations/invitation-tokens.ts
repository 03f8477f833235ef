import { MailedToken } from '@zonewright/core';
import { expect } from 'chai';
import { callerWith, removeOrganization, storedAccount, storedOwner } from '../arrangements/index.ts';
import { aTokenHash, unique } from '../builders/index.ts';
import { casesOn, fakePorts } from '../fakes.ts';
import { contract } from '../fresh-storage.ts';
import { expectOneWinner, happensOnce } from '../races.ts';
import { okOf, readView, rounds } from '../results.ts';
import type { Storage } from '../storage.ts';
import { byHash, endings, invited, isInvalid } from './invitations/invited.ts';

/** Every adapter of the port must pass this unchanged. */
export const invitationTokensContract = contract('InvitationTokens contract', (storage) => {
  describe('byHash', () => tokens(storage));
  describe('accept', () => acceptance(storage));
});

function tokens(storage: () => Storage): void {
  it('finds the pending invitation of a token', async () => {
    const { id, hash, organizationId, email, role } = await invited(storage());
    expect(await okOf(byHash(storage(), hash))).to.include({ id, organizationId, email, role, status: 'pending' });
  });

  it('finds nothing for a token that was never sent', async () => {
    await isInvalid(storage(), aTokenHash());
  });

  for (const [status, end] of endings) {
    it(`finds nothing for the token of an invitation that was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      await isInvalid(storage(), invitation.hash);
    });
  }

  it('finds nothing once the organization has been deleted', async () => {
    const { hash, organizationId } = await invited(storage());
    await removeOrganization(storage(), organizationId);
    await isInvalid(storage(), hash);
  });
}

function acceptance(storage: () => Storage): void {
  happensOnce(storage, {
    arrange: () => invited(storage()),
    call: ({ invitationTokens }, { hash }) => invitationTokens.accept(hash),
    loser: 'InvitationTokenInvalid',
  });

  it('adds one member when twenty requests accept an invitation', async () => {
    for (const _ of rounds) {
      const owner = await storedOwner(storage());
      const { id, email } = await storedAccount(storage());
      const token = MailedToken.parse(`invitation-${unique()}`);
      await invited(storage(), { owner, email, hash: fakePorts.tokenHashes.of(token) });
      const join = casesOn(storage()).acceptInvitation;
      const caller = { ...callerWith(id, owner.organizationId, 'viewer'), memberships: new Map() };
      await expectOneWinner('InvitationTokenInvalid', () => join(caller, token));
      const count = await readView(storage(), ({ members }) => members.count(owner.organizationId));
      expect(count).to.equal(2);
    }
  });
}
