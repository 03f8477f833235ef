import {
  emailKey,
  type Invitation,
  type Invitations,
  invitationEnded,
  invitationNotFound,
  invitationPending,
  invitationTokenInvalid,
  type OrganizationId,
  type TokenHash,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from './pages.ts';
import { type InvitationRow, later, type Unit } from './tables.ts';

export const memoryInvitations = ({ tables: { invitations }, now }: Unit): Invitations => {
  const invitationOf = ({ invitedBy: _, hash: __, ...row }: InvitationRow): Invitation => ({
    ...row,
    status: row.status === 'pending' && row.expiresAt <= now() ? 'expired' : row.status,
  });
  const isPending = (row: InvitationRow) => invitationOf(row).status === 'pending';
  const ofOrganization = (organization: OrganizationId) =>
    [...invitations.values()].filter(({ organizationId }) => organizationId === organization);
  const byToken = (hash: TokenHash) =>
    [...invitations.values()].find((invitation) => invitation.hash === hash && isPending(invitation));
  return {
    add: ({ lifetimeSeconds, ...invitation }) => {
      const isTaken = [...invitations.values()].some(
        (other) =>
          other.organizationId === invitation.organizationId &&
          emailKey(other.email) === emailKey(invitation.email) &&
          isPending(other),
      );
      if (isTaken) return errAsync(invitationPending());
      const expiresAt = later(now(), lifetimeSeconds);
      const added = { ...invitation, status: 'pending' as const, createdAt: now(), expiresAt, resends: 0 };
      invitations.set(invitation.id, added);
      return okAsync(invitationOf(added));
    },
    list: (organization, page) => {
      const newestFirst = sortedBy(ofOrganization(organization), ({ createdAt, id }) => [createdAt, id]).toReversed();
      return okAsync(pageOf(newestFirst.map(invitationOf), page));
    },
    byId: (organization, id) => {
      const row = invitations.get(id);
      return row?.organizationId === organization ? okAsync(invitationOf(row)) : errAsync(invitationNotFound());
    },
    pendingCount: (organization) => okAsync(ofOrganization(organization).filter(isPending).length),
    renew: (id, { hash, lifetimeSeconds }) => {
      const row = invitations.get(id);
      if (row === undefined || !isPending(row)) return errAsync(invitationEnded());
      const renewed = { ...row, hash, expiresAt: later(now(), lifetimeSeconds), resends: row.resends + 1 };
      invitations.set(id, renewed);
      return okAsync(invitationOf(renewed));
    },
    revoke: (id) => {
      const row = invitations.get(id);
      if (row !== undefined && isPending(row)) invitations.set(id, { ...row, status: 'revoked' });
      return okAsync();
    },
    byToken: (hash) => {
      const row = byToken(hash);
      return row === undefined ? errAsync(invitationTokenInvalid()) : okAsync(invitationOf(row));
    },
    accept: (hash) => {
      const row = byToken(hash);
      if (row === undefined) return errAsync(invitationTokenInvalid());
      invitations.set(row.id, { ...row, status: 'accepted' });
      return okAsync();
    },
  };
};
