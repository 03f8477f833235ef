import { expiryContract, type StoredCounts } from '@zonewright/contract-tests';
import { type Database, openDatabase } from '@zonewright/postgres';
import { type StorageServer, storageIn } from '../../postgres/test/support/postgres-storage.ts';
import { postgresExpiry } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';
import { expectTalliesToHold } from './support/stored-bytes.ts';

const tables: Readonly<Record<keyof StoredCounts, string>> = {
  accounts: 'users',
  organizations: 'organizations',
  sessions: 'sessions',
  refreshTokens: 'refresh_tokens',
  challenges: 'challenges',
  passkeyChallenges: 'passkey_challenges',
  mailedTokens: 'mailed_tokens',
  mails: 'outbox_mails',
  idempotencyKeys: 'idempotency_keys',
  deletedZones: 'zone_deletions',
  rules: 'rules',
  basicAuthUsers: 'basic_auth_users',
  zoneRevisions: 'zone_revisions',
  changeSets: 'change_sets',
  domains: 'domains',
};

describe('PostgreSQL', () => {
  let server: StorageServer | undefined;
  let database: Database | undefined;

  before(async function () {
    this.timeout(60_000);
    const url = await migratedDatabase();
    server = storageIn(url);
    database = openDatabase({ url, connections: 1 });
  });
  // The contract deletes zones, organizations and what is left of them.
  afterEach(async () => database && expectTalliesToHold(database));
  after(() => Promise.all([server?.close(), database?.$pool.end()]));

  expiryContract('postgres', async () => {
    if (server === undefined || database === undefined) throw new Error('The database is not open.');
    const counting = Object.entries(tables).map(([kind, table]) => `(SELECT count(*)::int FROM ${table}) AS "${kind}"`);
    const counts = database;
    return {
      ...(await server.open()),
      expiry: postgresExpiry(database),
      stored: () => counts.one<StoredCounts>(`SELECT ${counting.join(', ')}`),
    };
  });
});
