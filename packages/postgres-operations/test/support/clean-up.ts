import type { Database } from '@zonewright/postgres';
import { postgresExpiry } from '../../src/index.ts';

/** Deletes a batch of what has expired. */
export const cleanUp = (database: Database): Promise<number> => postgresExpiry(database).removeExpired();
