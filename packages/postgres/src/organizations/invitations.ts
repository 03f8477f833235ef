import {
  emailKey,
  type Invitation,
  type InvitationId,
  type Invitations,
  type InvitationTokens,
  invitationEnded,
  invitationNotFound,
  invitationPending,
  invitationTokenInvalid,
  type SentInvitation,
} from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { asSelected, change, column, pageOf, required, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

export const postgresInvitations = (on: Connection): Invitations => ({
  add: ({ email, organizationId, ...invitation }) => {
    const place = { organizationId, emailKey: emailKey(email) };
    return run(on, sql.invitations.expire, place).andThen(() =>
      required<Invitation>(on, sql.invitations.add, { ...invitation, ...place, email }).mapErr(invitationPending),
    );
  },
  list: (organization, page) => pageOf(on, sql.invitations, { organization }, page, asSelected<Invitation>),
  byId: (organization, id) =>
    required<Invitation>(on, sql.invitations.byId, { organization, id }).mapErr(invitationNotFound),
  pendingCount: (organization) => value<number>(on, sql.invitations.pendingCount, { organization }),
  renew: (id, { hash, lifetimeSeconds, invitedBy }) =>
    required<Invitation>(on, sql.invitations.renew, { id, hash, lifetimeSeconds, invitedBy }).mapErr(invitationEnded),
  revoke: (id) => run(on, sql.invitations.revoke, { id }),
  revokeAllOf: (organization, invitedBy, roles) =>
    column<InvitationId>(on, sql.invitations.revokeAllOf, { organization, invitedBy, roles }),
});

export const postgresInvitationTokens = (on: Connection): InvitationTokens => ({
  byHash: (hash) => required<SentInvitation>(on, sql.invitationTokens.byHash, { hash }).mapErr(invitationTokenInvalid),
  accept: (hash) => change(on, sql.invitationTokens.accept, { hash }).mapErr(invitationTokenInvalid),
});
