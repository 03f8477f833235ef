import type { InstallationRetention, Retention } from '@zonewright/core';
import { retention } from './config-values.ts';

/** The variables that configure retention. */
export const retentionVariables = {
  AUDIT_RETENTION: retention.optional(),
  HISTORY_RETENTION: retention.optional(),
  HISTORY_DETAIL_RETENTION: retention.optional(),
};

/** The retention periods they set; forever by default. */
export const retentionIn = (
  given: Readonly<Partial<Record<keyof typeof retentionVariables, Retention | undefined>>>,
): InstallationRetention => ({
  auditLog: given.AUDIT_RETENTION ?? 'forever',
  history: given.HISTORY_RETENTION ?? 'forever',
  historyDetail: given.HISTORY_DETAIL_RETENTION ?? 'forever',
});
