import {
  emailKey,
  type Invitation,
  type InvitationStatus,
  type Invitations,
  type InvitationTokens,
  invitationEnded,
  invitationNotFound,
  invitationPending,
  invitationTokenInvalid,
  type OrganizationId,
  type TokenHash,
  type UserId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from '../pages.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { InvitationRow } from '../tables/organization-rows.ts';
import type { Unit } from '../tables/tables.ts';

export const memoryInvitations = (unit: Unit): Invitations => {
  const { now } = unit;
  const { invitations } = unit.tables;
  const { invitationOf, isPending, ofOrganization } = lookups(unit);
  return {
    add: ({ lifetimeSeconds, ...invitation }) => {
      const isTaken = [...invitations.values()].some(
        (other) =>
          other.organizationId === invitation.organizationId &&
          emailKey(other.email) === emailKey(invitation.email) &&
          isPending(other),
      );
      if (isTaken) return errAsync(invitationPending());
      const expiresAt = secondsAfter(now(), lifetimeSeconds);
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
    renew: (id, { hash, lifetimeSeconds, invitedBy }) => {
      const row = invitations.get(id);
      if (row === undefined || !isPending(row)) return errAsync(invitationEnded());
      const resends = row.resends + 1;
      const renewed = { ...row, hash, invitedBy, expiresAt: secondsAfter(now(), lifetimeSeconds), resends };
      invitations.set(id, renewed);
      return okAsync(invitationOf(renewed));
    },
    revoke: (id) => {
      const row = invitations.get(id);
      if (row !== undefined && isPending(row)) invitations.set(id, { ...row, status: 'revoked' });
      return okAsync();
    },
    revokeAllOf: (organization, invitedBy, roles) => {
      const ended = ofOrganization(organization).filter(
        (row) => isPending(row) && row.invitedBy === invitedBy && roles.includes(row.role),
      );
      for (const row of ended) invitations.set(row.id, { ...row, status: 'revoked' });
      return okAsync(ended.map(({ id }) => id));
    },
  };
};

export const memoryInvitationTokens = (unit: Unit): InvitationTokens => {
  const { invitations } = unit.tables;
  const { invitationOf, isPending } = lookups(unit);
  const byHash = (hash: TokenHash) =>
    [...invitations.values()].find((invitation) => invitation.hash === hash && isPending(invitation));
  return {
    byHash: (hash) => {
      const row = byHash(hash);
      if (row === undefined) return errAsync(invitationTokenInvalid());
      return okAsync({ ...invitationOf(row), invitedBy: row.invitedBy });
    },
    accept: (hash) => {
      const row = byHash(hash);
      if (row === undefined) return errAsync(invitationTokenInvalid());
      invitations.set(row.id, { ...row, status: 'accepted' });
      return okAsync();
    },
  };
};

/** Revokes the pending invitations of an inviter in all organizations. */
export function revokeInvitationsBy(unit: Unit, inviter: UserId): void {
  const { invitations } = unit.tables;
  const { isPending } = lookups(unit);
  for (const [id, row] of invitations) {
    if (row.invitedBy === inviter && isPending(row)) invitations.set(id, { ...row, status: 'revoked' });
  }
}

const lookups = ({ tables: { invitations }, now }: Unit) => {
  const invitationOf = (row: InvitationRow): Invitation => {
    const { invitedBy: _, hash: __, ...members } = row;
    return { ...members, status: statusAt(now(), row) };
  };
  return {
    invitationOf,
    isPending: (row: InvitationRow) => invitationOf(row).status === 'pending',
    ofOrganization: (organization: OrganizationId) =>
      [...invitations.values()].filter(({ organizationId }) => organizationId === organization),
  };
};

/** The current status: a pending invitation also expires by itself. */
const statusAt = (now: Date, { status, expiresAt }: InvitationRow): InvitationStatus =>
  status === 'pending' && expiresAt <= now ? 'expired' : status;
