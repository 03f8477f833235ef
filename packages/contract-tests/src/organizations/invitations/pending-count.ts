import { defaultUsageLimits, InvitationDraft, type OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import { storedOwner } from '../../arrangements/index.ts';
import { anEmail, anInvitation } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { expectOneWinner } from '../../races.ts';
import { readView, rounds, runUnit, sequentially } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { endings, invited } from './invited.ts';

/** The number of pending invitations, which counts towards the limit of members. */
export function pendingCount(storage: () => Storage): void {
  const countOf = (organization: OrganizationId) =>
    readView(storage(), ({ invitations }) => invitations.pendingCount(organization));

  for (const [status, end] of endings) {
    it(`counts the pending invitations of the organization, but not one that was ${status}`, async () => {
      const owner = await storedOwner(storage());
      expect(await countOf(owner.organizationId)).to.equal(0);
      const ended = await invited(storage(), { owner, lifetimeSeconds: 100 });
      await invited(storage(), { owner });
      await invited(storage());
      expect(await countOf(owner.organizationId)).to.equal(2);
      await end(storage(), ended);
      expect(await countOf(owner.organizationId)).to.equal(1);
    });
  }

  it('keeps the limit of members when twenty people are invited to the last place', async () => {
    for (const _ of rounds) {
      const { caller, organizationId, userId: invitedBy } = await storedOwner(storage());
      const few = Array.from({ length: defaultUsageLimits.members - 2 }, () =>
        anInvitation({ organizationId, invitedBy }),
      );
      await runUnit(storage(), ({ invitations }) => sequentially(few, (each) => invitations.add(each)));
      const create = casesOn(storage()).createInvitation;
      await expectOneWinner('organization.members.limit', () =>
        create(caller, organizationId, InvitationDraft.parse({ email: anEmail(), role: 'viewer' })),
      );
    }
  });
}
