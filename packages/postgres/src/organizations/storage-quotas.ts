import { bytesWithoutQueue, type OrganizationId, type StorageQuotas, type Usage } from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { many, one } from '../connection/query.ts';
import { sql } from '../sql.ts';
import type { StoredLimits } from './limits.ts';

/** Quotas by the tallies that triggers keep. */
export const postgresStorageQuotas = (on: Connection, limits: StoredLimits): StorageQuotas => {
  const of = (organization: OrganizationId): ResultAsync<Usage, never> =>
    one<{ readonly used: number; readonly ownLimits: string | null }>(on, sql.storageQuotas.of, { organization }).map(
      ({ used, ownLimits }) => ({ used, limit: limits.with(ownLimits).storageBytes }),
    );
  return {
    of,
    lock: (organization, more) =>
      of(organization).andThen((usage) =>
        usage.used + more <= bytesWithoutQueue(usage.limit)
          ? okAsync(usage)
          : // What others have stored meanwhile is read by a statement of its own.
            many(on, sql.storageQuotas.lock, { organization }).andThen(() => of(organization)),
      ),
  };
};
