import type { ResultAsync } from 'neverthrow';
import type { Role } from '../access/role.ts';
import type { Email } from '../mail/email.ts';
import type { InvitationId, OrganizationId, UserId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { TokenHash } from '../shared/token-hash.ts';
import type { InvitationEnded, InvitationNotFound, InvitationPending, InvitationTokenInvalid } from './errors.ts';
import type { Invitation, SentInvitation } from './invitation.ts';

/**
 * Invitations to organizations; their tokens are stored as hashes. One is pending per organization and address. When the
 * account of the inviter is blocked or deleted, their pending invitations count as revoked.
 */
export interface Invitations {
  /** Adds a pending invitation; of several simultaneous ones for one address exactly one succeeds. */
  add(invitation: {
    readonly id: InvitationId;
    readonly organizationId: OrganizationId;
    readonly email: Email;
    readonly role: Role;
    readonly invitedBy: UserId;
    readonly hash: TokenHash;
    readonly lifetimeSeconds: number;
  }): ResultAsync<Invitation, InvitationPending>;
  /** Newest first. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<Invitation>, never>;
  byId(organization: OrganizationId, id: InvitationId): ResultAsync<Invitation, InvitationNotFound>;
  /** Number of pending invitations of the organization. */
  pendingCount(organization: OrganizationId): ResultAsync<number, never>;
  /** Gives a pending invitation a new token, lifetime and inviter, and counts that; the old token dies. */
  renew(
    id: InvitationId,
    token: { readonly hash: TokenHash; readonly lifetimeSeconds: number; readonly invitedBy: UserId },
  ): ResultAsync<Invitation, InvitationEnded>;
  /** Ends a pending invitation; succeeds without a change when it has ended. */
  revoke(id: InvitationId): ResultAsync<void, never>;
  /** Ends the inviter's pending invitations with one of the roles; resolves to their ids. */
  revokeAllOf(
    organization: OrganizationId,
    invitedBy: UserId,
    roles: readonly Role[],
  ): ResultAsync<readonly InvitationId[], never>;
}

/** The tokens that are mailed to those who are invited, as hashes; each works while its invitation is pending. */
export interface InvitationTokens {
  /** The pending invitation of a token; nothing is spent. */
  byHash(hash: TokenHash): ResultAsync<SentInvitation, InvitationTokenInvalid>;
  /** Spends the pending invitation of a token; of any number of simultaneous calls exactly one succeeds. */
  accept(hash: TokenHash): ResultAsync<void, InvitationTokenInvalid>;
}
