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
import type { Connection } from './database.ts';
import { asSelected, many, one, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

export const postgresInvitations = (on: Connection): Invitations => ({
  add: ({ email, organizationId, ...invitation }) => {
    const place = { organizationId, emailKey: emailKey(email) };
    return run(on, sql.invitations.expire, place).andThen(() =>
      required<Invitation, ReturnType<typeof invitationPending>>(
        on,
        sql.invitations.add,
        { ...invitation, ...place, email },
        invitationPending,
      ),
    );
  },
  list: (organization, page) => pageOf(on, sql.invitations, { organization }, page, asSelected<Invitation>),
  byId: (organization, id) =>
    required<Invitation, ReturnType<typeof invitationNotFound>>(
      on,
      sql.invitations.byId,
      { organization, id },
      invitationNotFound,
    ),
  pendingCount: (organization) =>
    one<{ count: number }>(on, sql.invitations.pendingCount, { organization }).map(({ count }) => count),
  renew: (id, { hash, lifetimeSeconds, invitedBy }) =>
    required<Invitation, ReturnType<typeof invitationEnded>>(
      on,
      sql.invitations.renew,
      { id, hash, lifetimeSeconds, invitedBy },
      invitationEnded,
    ),
  revoke: (id) => run(on, sql.invitations.revoke, { id }),
  revokeAllOf: (organization, invitedBy, roles) =>
    many<{ id: InvitationId }>(on, sql.invitations.revokeAllOf, { organization, invitedBy, roles }).map((rows) =>
      rows.map(({ id }) => id),
    ),
});

export const postgresInvitationTokens = (on: Connection): InvitationTokens => ({
  byHash: (hash) =>
    required<SentInvitation, ReturnType<typeof invitationTokenInvalid>>(
      on,
      sql.invitationTokens.byHash,
      { hash },
      invitationTokenInvalid,
    ),
  accept: (hash) => required(on, sql.invitationTokens.accept, { hash }, invitationTokenInvalid).map(() => undefined),
});
