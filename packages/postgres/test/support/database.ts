import { testDatabases } from '@zonewright/dev-postgres';
import { migrate } from '../../src/index.ts';

export const { empty: emptyDatabase, migrated: migratedDatabase } = testDatabases(migrate);
