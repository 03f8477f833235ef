import { z } from 'zod';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { Version } from '../../kernel/shared/version.ts';
import { permits, type Role, roles } from '../access/role.ts';

/** A user in an organization. */
export interface Member {
  readonly organizationId: OrganizationId;
  readonly user: UserId;
  readonly role: Role;
  readonly joinedAt: Date;
  /** Absent if the reader may not know. */
  readonly twoFactorEnabled: boolean | undefined;
}

/** A member as shown to users with the role: only those who manage members see who uses two-factor authentication. */
export const memberSeenBy = (role: Role, member: Member): Member =>
  permits(role, 'members.readTwoFactor') ? member : { ...member, twoFactorEnabled: undefined };

/**
 * Differs from every version ever shown to the same reader: a member who left and rejoined has a different join time.
 */
export const memberVersion = ({
  role,
  joinedAt,
  twoFactorEnabled,
}: Pick<Member, 'role' | 'joinedAt' | 'twoFactorEnabled'>): Version =>
  [role, joinedAt.getTime(), twoFactorEnabled ?? 'hidden'].join('.');

/** What can be changed about a member. */
export const MemberSettings = z.strictObject({ role: z.enum(roles) });
export type MemberSettings = z.output<typeof MemberSettings>;
