import type { Invitation, InvitationId, TokenHash } from '@zonewright/core';
import { expect } from 'chai';
import { type Owner, storedOwner } from '../../arrangements/index.ts';
import { anInvitation, aTokenHash, type NewInvitation } from '../../builders/index.ts';
import { errorOf, okOf, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** Adds an invitation in its own unit. */
export const add = ({ unitOfWork }: Storage, invitation: NewInvitation) =>
  unitOfWork.run(({ invitations }) => invitations.add(invitation));

/** Accepts the invitation in its own unit. */
export const accept = ({ unitOfWork }: Storage, hash: TokenHash) =>
  unitOfWork.run(({ invitationTokens }) => invitationTokens.accept(hash));

/** Looks up the token without accepting. */
export const byHash = ({ unitOfWork }: Storage, hash: TokenHash) =>
  unitOfWork.view(({ invitationTokens }) => invitationTokens.byHash(hash));

/** Sets a new token and lifetime in its own unit. */
export const renew = (
  { unitOfWork }: Storage,
  { id, invitedBy }: Pick<NewInvitation, 'id' | 'invitedBy'>,
  hash = aTokenHash(),
  lifetimeSeconds = 1000,
) => unitOfWork.run(({ invitations }) => invitations.renew(id, { hash, lifetimeSeconds, invitedBy }));

/** Revokes the invitation in its own unit. */
export const revoke = (storage: Storage, id: InvitationId) =>
  runUnit(storage, ({ invitations }) => invitations.revoke(id));

/** The current status. */
export const statusOf = async (
  storage: Storage,
  { organizationId, id }: Pick<NewInvitation, 'organizationId' | 'id'>,
) => (await readView(storage, ({ invitations }) => invitations.byId(organizationId, id))).status;

/** An invitation of a new person, by default with a new owner. */
export async function invited(storage: Storage, given: Partial<NewInvitation> & { owner?: Owner } = {}) {
  const { owner, ...members } = given;
  const { organizationId, userId } = owner ?? (await storedOwner(storage));
  const invitation = anInvitation({ organizationId, invitedBy: userId, ...members });
  await okOf(add(storage, invitation));
  return invitation;
}

/** Asserts that the token can be neither looked up nor accepted. */
export const isInvalid = async (storage: Storage, hash: TokenHash) => {
  expect(await errorOf(byHash(storage, hash)), 'byHash').to.deep.equal({ type: 'InvitationTokenInvalid' });
  expect(await errorOf(accept(storage, hash)), 'accept').to.deep.equal({ type: 'InvitationTokenInvalid' });
};

/** All ways in which an invitation ends. */
export const endings: readonly (readonly [
  status: Invitation['status'],
  end: (storage: Storage, invitation: NewInvitation) => Promise<unknown>,
])[] = [
  ['accepted', (storage, { hash }) => okOf(accept(storage, hash))],
  ['revoked', (storage, { id }) => revoke(storage, id)],
  ['expired', (storage, { lifetimeSeconds }) => storage.passTime(lifetimeSeconds)],
];
