import { z } from 'zod';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import { type Role, roles } from './role.ts';

/** A user in an organization. */
export interface Member {
  readonly organizationId: OrganizationId;
  readonly user: UserId;
  readonly role: Role;
  readonly joinedAt: Date;
  /** Absent for those who may not know. */
  readonly twoFactorEnabled: boolean | undefined;
}

/** What can be changed of a member. */
export const MemberSettings = z.strictObject({ role: z.enum(roles) });
export type MemberSettings = z.output<typeof MemberSettings>;
