import type { z } from 'zod';
import { text } from '../shared/text.ts';

export const OrganizationName = text({ min: 1, max: 255 }).brand<'OrganizationName'>();
export type OrganizationName = z.infer<typeof OrganizationName>;

/** What an organization may hold at most. */
export const organizationLimits = { zones: 500 } as const;
