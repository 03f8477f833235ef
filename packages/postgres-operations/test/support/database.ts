import { testDatabases } from '@zonewright/dev-postgres';
import { migrate } from '@zonewright/postgres';

export const { empty: emptyDatabase, migrated: migratedDatabase } = testDatabases(migrate);
