import { z } from 'zod';
import { type OrganizationId, ProviderId } from '../../kernel/shared/ids.ts';
import { text } from '../../kernel/shared/text.ts';
import type { Version } from '../../kernel/shared/version.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';

/** 1 to 255 code points, trimmed. Organizations may share a name. */
export const OrganizationName = text({ min: 1, max: 255 }).brand<'OrganizationName'>();
export type OrganizationName = z.infer<typeof OrganizationName>;

/** The violation when an organization is full; pending invitations count as members. */
export const tooManyMembers = ({ members }: UsageLimits): InvalidInput =>
  invalidAt(
    '',
    'organization.members.limit',
    fullMessage('An organization', members, 'members, including pending invitations'),
  );

/** Owns zones; its members have roles and share its policies. */
export interface Organization {
  readonly id: OrganizationId;
  readonly name: OrganizationName;
  /** Members without two-factor authentication have no access (interface, "Authentication", rule 6). */
  readonly enforceTwoFactor: boolean;
  /** Members have access only by sessions that came from this identity provider; undefined: by any. */
  readonly requiredProvider?: ProviderId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
  /** The limits in force. */
  readonly limits: UsageLimits;
}

/** For entity tags: covers name and settings, but neither members nor zones. */
export const organizationVersion = ({ revision }: Pick<Organization, 'revision'>): Version => String(revision);

/** The client-supplied part of a new organization; its creator becomes its owner. */
export const OrganizationDraft = z.strictObject({
  name: OrganizationName,
  /** Two-factor authentication can only be required once the organization exists. */
  enforceTwoFactor: z.literal(false).optional(),
});
export type OrganizationDraft = z.output<typeof OrganizationDraft>;

/** What can be changed about an organization. */
export const OrganizationSettings = z.strictObject({
  name: OrganizationName,
  enforceTwoFactor: z.boolean(),
  requiredProvider: ProviderId.exactOptional(),
});
export type OrganizationSettings = z.output<typeof OrganizationSettings>;
