import type { ResultAsync } from 'neverthrow';
import type { InvitationId, OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { Role } from '../access/role.ts';
import type { InvitationEnded, InvitationNotFound, InvitationPending, InvitationTokenInvalid } from './errors.ts';
import type { Invitation, SentInvitation } from './invitation.ts';

/** The token of a pending invitation. */
export interface InvitationToken {
  readonly hash: TokenHash;
  readonly lifetimeSeconds: number;
}

/**
 * Invitations to organizations; their tokens are stored as hashes. An address has at most one pending invitation per
 * organization. Pending invitations of a blocked or deleted account count as revoked.
 */
export interface Invitations {
  /** Adds a pending invitation; of concurrent ones for one address, exactly one succeeds. */
  add(
    invitation: Pick<SentInvitation, 'id' | 'organizationId' | 'email' | 'role' | 'invitedBy'> & InvitationToken,
  ): ResultAsync<Invitation, InvitationPending>;
  /** Newest first. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<Invitation>, never>;
  byId(organization: OrganizationId, id: InvitationId): ResultAsync<Invitation, InvitationNotFound>;
  /** The number of pending invitations of the organization. */
  pendingCount(organization: OrganizationId): ResultAsync<number, never>;
  /** Replaces a pending invitation's token, lifetime and inviter, and counts that. */
  renew(
    id: InvitationId,
    renewed: Pick<SentInvitation, 'invitedBy'> & InvitationToken,
  ): ResultAsync<Invitation, InvitationEnded>;
  /** Revokes a pending invitation; does nothing if it has already ended. */
  revoke(id: InvitationId): ResultAsync<void, never>;
  /** Revokes the inviter's pending invitations with any of the roles; resolves to their ids. */
  revokeAllOf(
    organization: OrganizationId,
    invitedBy: UserId,
    roles: readonly Role[],
  ): ResultAsync<readonly InvitationId[], never>;
}

/** The mailed tokens of invitations, as hashes; a token is valid while its invitation is pending. */
export interface InvitationTokens {
  /** The pending invitation of a token; the token is not redeemed. */
  byHash(hash: TokenHash): ResultAsync<SentInvitation, InvitationTokenInvalid>;
  /** Accepts the pending invitation of a token; of concurrent calls, exactly one succeeds. */
  accept(hash: TokenHash): ResultAsync<void, InvitationTokenInvalid>;
}
