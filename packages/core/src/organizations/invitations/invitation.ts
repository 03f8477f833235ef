import { z } from 'zod';
import { Email } from '../../kernel/mail/email.ts';
import type { InvitationId, OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { Version } from '../../kernel/shared/version.ts';
import { type Role, roles } from '../access/role.ts';

/** Seven days, starting over when the invitation is resent. */
export const invitationLifetimeSeconds = 7 * 24 * 60 * 60;

/** How often an invitation can be resent, so that nobody can flood a mailbox. */
export const resendsPerInvitation = 10;

/** Only `pending` can change. `expired` is never stored: it follows from the time. */
export const invitationStatuses = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** The client-supplied part of an invitation. */
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
  /** How often it was resent; each time starts a new token and lifetime. */
  readonly resends: number;
}

/** A pending invitation with its inviter, who must still be allowed to send it. */
export interface SentInvitation extends Invitation {
  readonly invitedBy: UserId;
}

/** For entity tags: an invitation only changes by being resent and by ending. */
export const invitationVersion = ({ resends, status }: Pick<Invitation, 'resends' | 'status'>): Version =>
  `${resends}.${status}`;
