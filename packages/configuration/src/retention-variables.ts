import type { InstallationRetention, Retention } from '@zonewright/core';
import { retention } from './config-values.ts';

/** The variables that configure retention; forever by default. */
export const retentionVariables = {
  AUDIT_RETENTION: retention.default('forever'),
  HISTORY_RETENTION: retention.default('forever'),
  HISTORY_DETAIL_RETENTION: retention.default('forever'),
};

/** The retention periods they set. */
export const retentionIn = (
  given: Readonly<Record<keyof typeof retentionVariables, Retention>>,
): InstallationRetention => ({
  auditLog: given.AUDIT_RETENTION,
  history: given.HISTORY_RETENTION,
  historyDetail: given.HISTORY_DETAIL_RETENTION,
});
