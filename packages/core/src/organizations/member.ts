import { z } from 'zod';
import { permits, type Role, roles } from '../access/role.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { Version } from '../shared/version.ts';

/** A user in an organization. */
export interface Member {
  readonly organizationId: OrganizationId;
  readonly user: UserId;
  readonly role: Role;
  readonly joinedAt: Date;
  /** Absent for those who may not know. */
  readonly twoFactorEnabled: boolean | undefined;
}

/** A member as shown to users with the role: who has a second factor is for those who manage members. */
export const memberSeenBy = (role: Role, member: Member): Member =>
  permits(role, 'members.readTwoFactor') ? member : { ...member, twoFactorEnabled: undefined };

/**
 * Distinguishes what is shown of a member from everything that was ever shown to the same reader: who left and joined
 * again joined at another moment.
 */
export const memberVersion = ({
  role,
  joinedAt,
  twoFactorEnabled,
}: Pick<Member, 'role' | 'joinedAt' | 'twoFactorEnabled'>): Version =>
  [role, joinedAt.getTime(), twoFactorEnabled ?? 'hidden'].join('.');

/** What can be changed of a member. */
export const MemberSettings = z.strictObject({ role: z.enum(roles) });
export type MemberSettings = z.output<typeof MemberSettings>;
