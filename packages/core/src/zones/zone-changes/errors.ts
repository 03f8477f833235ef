import type { OrganizationId } from '../../kernel/shared/ids.ts';

/** The user is not a member of the organization that the zone belongs to, so nothing in it was read. */
export const notAMember = (organization: OrganizationId) => ({ type: 'NotAMember', organization }) as const;
export type NotAMember = ReturnType<typeof notAMember>;
