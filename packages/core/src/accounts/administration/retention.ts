import { z } from 'zod';

/** What is subject to retention. */
export const retainedData = ['auditLog', 'history', 'historyDetail'] as const;
/** Audit log entries; states of zones; and states of zones between snapshots, which are kept for a shorter time. */
export type RetainedData = (typeof retainedData)[number];

/** Whatever is beyond its retention is looked for once a day. */
export const retentionPauseSeconds = 24 * 60 * 60;

/** A number of days, or forever. */
export const Retention = z.union([z.int().min(1).max(36_500), z.literal('forever')]);
export type Retention = z.infer<typeof Retention>;

/** The installation's retention periods. */
export type InstallationRetention = Readonly<Record<RetainedData, Retention>>;

/** The retention periods that an organization sets for itself. */
export type RetentionOverrides = Readonly<Partial<Record<RetainedData, Retention>>>;
