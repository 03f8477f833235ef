import { z } from 'zod';

/** What can be kept for a time only. */
export const retainedThings = ['auditLog', 'history', 'historyDetail'] as const;
/**
 * Entries of the audit log; states of zones; and all of the states between those that have a snapshot, which are kept for
 * longer.
 */
export type Retained = (typeof retainedThings)[number];

/** For how many days, or for ever. */
export const Retention = z.union([z.int().min(1).max(36_500), z.literal('forever')]);
export type Retention = z.infer<typeof Retention>;

/** What an installation keeps for how long. */
export type InstallationRetention = Readonly<Record<Retained, Retention>>;

/** What an organization keeps for another time than its installation. */
export type OwnRetention = Readonly<Partial<Record<Retained, Retention>>>;
