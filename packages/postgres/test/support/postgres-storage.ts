import type { Changes, OpenKeyedStorage, OpenLimiterStorage, Storage } from '@zonewright/contract-tests';
import { aesSecretBox, comparableSecretBox } from '@zonewright/crypto';
import {
  type Database,
  openDatabase,
  PostgresUnitOfWork,
  postgresIdempotencyKeys,
  postgresRateLimiter,
  type SecretBoxes,
} from '../../src/index.ts';

/** Encrypts test data. */
export const testBoxes = (): SecretBoxes => ({
  outbox: aesSecretBox(ringOf(7)),
  totp: aesSecretBox(ringOf(8)),
  banTokens: comparableSecretBox(ringOf(9)),
});

const ringOf = (byte: number) => ({ current: 'test', keys: new Map([['test', new Uint8Array(32).fill(byte)]]) });

/** One database, emptied whenever storage is opened, so that connections are reused. */
export interface StorageServer {
  readonly open: OpenKeyedStorage;
  readonly openLimiter: OpenLimiterStorage;
  close(): Promise<void>;
}

/**
 * Empties the tables that migrations leave empty. As a procedure on one connection, which keeps its plans: sent every
 * time, these statements would take several times as long.
 */
async function createEmptying(database: Database): Promise<void> {
  const tables = await database.map<string>(
    `SELECT format('%I', table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    [],
    ({ name }: { readonly name: string }) => name,
  );
  const emptiness = tables.map((table) => `SELECT '${table}' AS name WHERE NOT EXISTS (SELECT FROM ${table})`);
  const empty = await database.many<{ readonly name: string }>(emptiness.join(' UNION ALL '));
  const deletions = empty.map(({ name }) => `DELETE FROM ${name};`).join(' ');
  await database.none(`CREATE PROCEDURE empty_tables() LANGUAGE plpgsql AS 'BEGIN ${deletions} END'`);
}

/** Without triggers and foreign keys: those of the audit log would reject changes, and the others take time. */
function withoutTriggers(url: string): string {
  const bare = new URL(url);
  bare.searchParams.set('options', '-c session_replication_role=replica');
  return bare.href;
}

/** Storage in the fully migrated database at `url`, which must not be shared. */
export function storageIn(url: string): StorageServer {
  // Half as many as concurrent units: each connection prepares all statements, which takes most of the server's time.
  const units = openDatabase({ url: patient(url), connections: 10 });
  // Separate connections, available while units wait for each other.
  const aside = openDatabase({ url: patient(url), connections: 3 });
  const bare = openDatabase({ url: withoutTriggers(patient(url)), connections: 1 });
  const unitOfWork = new PostgresUnitOfWork(units, testBoxes());
  let emptying: Promise<void> | undefined;
  let ageing: Promise<string> | undefined;
  const passTime = async (seconds: number): Promise<void> => {
    ageing ??= ageingStatements(aside);
    await bare.none((await ageing).replaceAll('SECONDS', String(seconds)));
  };
  return {
    open: async () => {
      await (emptying ??= createEmptying(bare));
      await bare.none('CALL empty_tables()');
      const idempotencyKeys = postgresIdempotencyKeys(units, testBoxes().outbox);
      const rest = { passTime, ...observation(aside), ...changes(aside), close: async () => {} };
      return { unitOfWork, idempotencyKeys, unitsOverlap: true, ...rest };
    },
    openLimiter: async () => {
      await aside.none('DELETE FROM rate_limits');
      const instances = [limiterOn(units), limiterOn(aside)] as const;
      return { instances, ...limiterObservation(aside), close: async () => {} };
    },
    close: async () => {
      await Promise.all([units.$pool.end(), aside.$pool.end(), bare.$pool.end()]);
    },
  };
}

const limiterOn = (database: Database) => postgresRateLimiter(database, { key: new Uint8Array(32).fill(7) });

const limiterObservation = (database: Database) => ({
  passTime: async (seconds: number) => {
    const older = 'UPDATE rate_limits SET expire = expire - $1, window_end = window_end - $1';
    await database.none(older, [seconds * 1000]);
  },
  count: async () => (await database.one<{ count: number }>('SELECT count(*)::int FROM rate_limits')).count,
});

/** Lifts timeouts: twenty consecutive units may take long on a busy machine, which the contracts do not test. */
function patient(url: string): string {
  const limited = new URL(url);
  const limits = { lock_timeout: '20000', statement_timeout: '20000', query_timeout: '30000' };
  for (const [name, milliseconds] of Object.entries(limits)) limited.searchParams.set(name, milliseconds);
  return limited.href;
}

function observation(database: Database) {
  const count = async (statement: string, values: object = {}) =>
    (await database.one<{ count: number }>(statement, values)).count;
  return {
    isWaiting: async () => {
      const waiting = `SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await count(waiting)) > 0;
    },
    liveRefreshTokens: (user) =>
      count(
        `SELECT count(*)::int FROM refresh_tokens AS t JOIN sessions AS s ON s.id = t.session_id
         WHERE s.user_id = $(user) AND s.ended_at IS NULL AND t.used_at IS NULL AND t.expires_at > now()`,
        { user },
      ),
    basicAuthHash: async (user) =>
      (
        await database.one<{ hash: string }>('SELECT password_hash AS hash FROM basic_auth_users WHERE id = $(user)', {
          user,
        })
      ).hash,
    mailContents: () => count('SELECT count(payload)::int FROM outbox_mails'),
  } satisfies Partial<Storage>;
}

/** Statements that shift all stored times into the past, by `SECONDS`. */
async function ageingStatements(database: Database): Promise<string> {
  const columns = await database.many<{ statement: string }>(
    `SELECT format('UPDATE %I SET %s', table_name, string_agg(format('%1$I = %1$I - interval ''SECONDS s''', column_name), ', ')) AS statement
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'timestamp with time zone' GROUP BY table_name`,
  );
  return columns.map(({ statement }) => statement).join('; ');
}

const changes = (database: Database): Changes => ({
  changeCredentials: (user) =>
    run(database, 'UPDATE users SET credentials_version = credentials_version + 1 WHERE id = $(user)', { user }),
  changeAddress: (user, email) =>
    run(
      database,
      'UPDATE users SET email = $(email), email_key = lower($(email)), email_verified_at = NULL WHERE id = $(user)',
      {
        user,
        email,
      },
    ),
  forgetPassword: (user) => run(database, 'UPDATE users SET password_hash = NULL WHERE id = $(user)', { user }),
  setRole: (organization, user, role) =>
    role === undefined
      ? run(database, 'DELETE FROM memberships WHERE user_id = $(user) AND organization_id = $(organization)', {
          organization,
          user,
        })
      : run(
          database,
          `INSERT INTO memberships (organization_id, user_id, role) VALUES ($(organization), $(user), $(role))
           ON CONFLICT (user_id, organization_id) DO UPDATE SET role = $(role)`,
          { organization, user, role },
        ),
});

const run = async (database: Database, statement: string, values: object): Promise<void> => {
  await database.none(statement, values);
};
