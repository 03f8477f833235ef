import { z } from 'zod';
import { type Role, roles } from '../access/role.ts';
import { Email } from '../mail/email.ts';
import type { InvitationId, OrganizationId, UserId } from '../shared/ids.ts';
import type { Version } from '../shared/version.ts';

/** Seven days; sending an invitation again begins them anew. */
export const invitationLifetimeSeconds = 7 * 24 * 60 * 60;

/** How often one invitation is sent again: nobody's mailbox is to be filled. */
export const resendsPerInvitation = 10;

/** `pending` is the only one that can change, `expired` the only one that nobody writes: time alone brings it about. */
export const invitationStatuses = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** What a client writes of an invitation. */
export const InvitationDraft = z.strictObject({ email: Email, role: z.enum(roles) });
export type InvitationDraft = z.output<typeof InvitationDraft>;

/** An offer to join an organization, sent to an e-mail address. It does not reveal whether the address has an account. */
export interface Invitation {
  readonly id: InvitationId;
  readonly organizationId: OrganizationId;
  readonly email: Email;
  readonly role: Role;
  readonly status: InvitationStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** How often it was sent again; each time has a token and a lifetime of its own. */
  readonly resends: number;
}

/** A pending invitation with the member it depends on: it is worth no more than their right to send it. */
export interface SentInvitation extends Invitation {
  readonly invitedBy: UserId;
}

/** For entity tags: an invitation changes only by being sent again and by ending. */
export const invitationVersion = ({ resends, status }: Pick<Invitation, 'resends' | 'status'>): Version =>
  `${resends}.${status}`;
