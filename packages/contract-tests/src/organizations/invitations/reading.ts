import { InvitationId, type OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import { storedOwner } from '../../arrangements/index.ts';
import { type NewInvitation, uuid, wholeList } from '../../builders/index.ts';
import { readInPages } from '../../pages.ts';
import { errorOf, readView } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { endings, invited, statusOf } from './invited.ts';

/** All invitations of an organization. */
export function lists(storage: () => Storage): void {
  const listOf = (organization: OrganizationId, page = wholeList) =>
    readView(storage(), ({ invitations }) => invitations.list(organization, page));

  it('lists every invitation of the organization with its status page by page, newest first', async () => {
    const owner = await storedOwner(storage());
    const old: NewInvitation[] = [];
    for (const [, end] of endings) {
      const invitation = await invited(storage(), { owner });
      await end(storage(), invitation);
      old.unshift(invitation);
      await storage().passTime(1);
    }
    const pending = await invited(storage(), { owner });
    await invited(storage());
    const items = await readInPages((page) => listOf(owner.organizationId, page));
    expect(items.map(({ id }) => id)).to.deep.equal([pending, ...old].map(({ id }) => id));
    expect(items.map(({ status }) => status)).to.deep.equal(['pending', 'expired', 'revoked', 'accepted']);
  });
}

/** One invitation of an organization. */
export function lookup(storage: () => Storage): void {
  it('finds the invitation only in its own organization', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { id, email } = await invited(storage(), { owner: own });
    const found = await readView(storage(), ({ invitations }) => invitations.byId(own.organizationId, id));
    expect(found).to.include({ id, email, status: 'pending', organizationId: own.organizationId });
    for (const [organization, wanted] of [
      [other.organizationId, id],
      [own.organizationId, InvitationId.parse(uuid())],
    ] as const) {
      const missing = storage().unitOfWork.view(({ invitations }) => invitations.byId(organization, wanted));
      expect(await errorOf(missing)).to.deep.equal({ type: 'InvitationNotFound' });
    }
  });

  for (const [status, end] of endings) {
    it(`reports that an invitation was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      expect(await statusOf(storage(), invitation)).to.equal(status);
    });
  }
}
