import type { InstallationRetention } from '@zonewright/core';
import { nodeRandomness } from '@zonewright/crypto';
import { type Database, openDatabase, PostgresUnitOfWork } from '@zonewright/postgres';
import { testBoxes } from '../../../postgres/test/support/postgres-storage.ts';
import { applyRetention } from '../../src/index.ts';
import { migratedDatabase } from './database.ts';

const everything: InstallationRetention = { auditLog: 'forever', history: 'forever', historyDetail: 'forever' };

/** A separate database for tests of retention. */
export function cutting() {
  let database: Database;
  let other: Database;
  let unitOfWork: PostgresUnitOfWork;
  before(async () => {
    const url = await migratedDatabase();
    [database, other] = [openDatabase({ url, connections: 3 }), openDatabase({ url, connections: 2 })];
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
  });
  after(() => Promise.all([database?.$pool.end(), other?.$pool.end()]));
  return {
    database: () => database,
    unitOfWork: () => unitOfWork,
    uuid: () => nodeRandomness().uuid(),
    anOrganization: async () =>
      (
        await database.one<{ id: number }>(
          `INSERT INTO organizations (name, name_key) VALUES ('Wright', 'wright') RETURNING id`,
        )
      ).id,
    keep: (organization: number, what: string, days: number | null) =>
      database.none('INSERT INTO organization_retention VALUES ($1, $2, $3)', [organization, what, days]),
    /** Runs a whole day's work, with two concurrent instances. */
    cut: async (retention: Partial<InstallationRetention>): Promise<void> => {
      await database.none(`UPDATE clean_up_walks SET began_at = '-infinity'`);
      const work = async (instance: Database): Promise<void> => {
        if (await applyRetention(instance, { ...everything, ...retention })) await work(instance);
      };
      await Promise.all([work(database), work(other)]);
      await work(database);
    },
  };
}
