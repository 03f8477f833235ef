import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { postgresExpiry } from '../src/index.ts';
import { sqlFile } from '../src/sql-file.ts';
import { statementFile } from '../src/statement-file.ts';
import { cleanUp } from './support/clean-up.ts';
import { migratedDatabase } from './support/database.ts';
import { expectTalliesToHold } from './support/stored-bytes.ts';

const user = '01900000-0000-7000-8000-000000000001';
const batch = 100;

/** A kind of rows that is deleted some time after expiry. */
interface Kind {
  readonly table: string;
  readonly column: 'expires_at' | 'undo_until' | 'done_at' | 'ends_at' | 'created_at';
  /** How long rows are kept after expiry. */
  readonly kept: string;
  /** Inserts rows that expired some time ago; `n` is 1, 2, 3, … */
  readonly insert: string;
}

const kinds: readonly Kind[] = [
  {
    table: 'mailed_tokens',
    column: 'expires_at',
    kept: '1 day',
    insert: `INSERT INTO mailed_tokens (hash, user_id, purpose, email_key, credentials_version, expires_at, used_at)
      SELECT gen_random_uuid(), $(user), 'verify-email', 'ada@example.org', 1, now() - $(ago)::interval, now()`,
  },
  {
    table: 'address_changes',
    column: 'undo_until',
    kept: '1 day',
    insert: `INSERT INTO address_changes (confirm_hash, undo_hash, user_id, session_id, old_email, old_email_key, new_email,
        new_email_key, credentials_version, confirm_until, undo_until)
      SELECT gen_random_uuid(), gen_random_uuid(), $(user), gen_random_uuid(), 'a@example.org', 'a@example.org',
        'b@example.org', 'b@example.org', 1, now(), now() - $(ago)::interval`,
  },
  {
    table: 'challenges',
    column: 'expires_at',
    kept: '1 day',
    insert: `INSERT INTO challenges (hash, user_id, credentials_version, expires_at, spent_at)
      SELECT gen_random_uuid(), $(user), 1, now() - $(ago)::interval, now()`,
  },
  {
    table: 'passkey_challenges',
    column: 'expires_at',
    kept: '1 day',
    insert: `INSERT INTO passkey_challenges (hash, expires_at) SELECT gen_random_uuid(), now() - $(ago)::interval`,
  },
  {
    table: 'sessions',
    column: 'expires_at',
    kept: '1 day',
    insert: `INSERT INTO sessions (id, user_id, methods, expires_at)
      SELECT gen_random_uuid(), $(user), '{pwd}', now() - $(ago)::interval`,
  },
  {
    table: 'outbox_mails',
    column: 'done_at',
    kept: '7 days',
    insert: 'INSERT INTO outbox_mails (done_at) SELECT now() - $(ago)::interval',
  },
  {
    table: 'idempotency_keys',
    column: 'created_at',
    kept: '24 hours',
    insert: `INSERT INTO idempotency_keys (scope, key, created_at) SELECT '', gen_random_uuid(), now() - $(ago)::interval`,
  },
  {
    table: 'change_sets',
    column: 'ends_at',
    kept: '30 days',
    insert: `INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_at, updated_at, ends_at)
      SELECT gen_random_uuid(), (SELECT id FROM zones), '', '', '', 1, '{}', now(), now(), now() - $(ago)::interval`,
  },
];

describe('cleanUp', () => {
  let url: string;
  let database: Database;
  let other: Database;

  before(async function () {
    this.timeout(60_000);
    url = await migratedDatabase();
    [database, other] = [openDatabase({ url }), openDatabase({ url })];
    await database.none(
      `WITH organization AS (INSERT INTO organizations (name, name_key) VALUES ('Wright', 'wright') RETURNING id)
       INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash)
       SELECT gen_random_uuid(), id, 'shop', 'shop', 'prod', 'ban_1' FROM organization`,
    );
  });
  afterEach(() => expectTalliesToHold(database));
  beforeEach(async () => {
    await database.none(
      `DELETE FROM users; DELETE FROM passkey_challenges; DELETE FROM outbox_mails; DELETE FROM idempotency_keys;
       DELETE FROM change_sets`,
    );
    await database.none(
      `INSERT INTO users (id, email, email_key, first_name, last_name, email_verified_at)
       VALUES ($1, 'ada@example.org', 'ada@example.org', 'Ada', 'Lovelace', now())`,
      [user],
    );
  });
  after(() => Promise.all([database?.$pool.end(), other?.$pool.end()]));

  const insert = (kind: Kind, count: number, ago: string) =>
    database.none(`${kind.insert} FROM generate_series(1, $(count))`, { user, ago, count });
  const count = async (table: string, where = 'true'): Promise<number> =>
    (await database.one<{ count: number }>(`SELECT count(*)::int FROM ${table} WHERE ${where}`)).count;
  const counts = async () =>
    Object.fromEntries(await Promise.all(kinds.map(async ({ table }) => [table, await count(table)])));
  const eachTable = (rows: number) => Object.fromEntries(kinds.map(({ table }) => [table, rows]));

  for (const kind of kinds) {
    it(`deletes rows of ${kind.table} ${kind.kept} after expiry, and no later ones`, async () => {
      await insert(kind, 3, `${kind.kept} 1 minute`);
      await insert(kind, 2, `${kind.kept} -1 minute`);
      await insert(kind, 1, '-1 hour');
      expect(await cleanUp(database)).to.equal(3);
      expect(await count(kind.table)).to.equal(3);
      expect(await count(kind.table, `${kind.column} < now() - interval '${kind.kept}'`)).to.equal(0);
      expect(await cleanUp(database)).to.equal(0);
    });
  }

  it('keeps a mail awaiting delivery, however old', async () => {
    await database.none(
      "INSERT INTO outbox_mails (payload, due_at, created_at) VALUES ('sealed', now() - interval '1 year', now() - interval '1 year')",
    );
    expect(await cleanUp(database)).to.equal(0);
    expect(await count('outbox_mails')).to.equal(1);
  });

  it('keeps an ended session and its used tokens until their expiry, so that reuse is still recognized', async () => {
    const token = `INSERT INTO refresh_tokens (hash, session_id, expires_at, used_at)
      SELECT id::text, id, now() - interval '1 year', now() FROM sessions`;
    const sessions = kinds.find(({ table }) => table === 'sessions') as Kind;
    await insert(sessions, 1, '-1 day');
    await database.none(`UPDATE sessions SET ended_at = now() - interval '1 year'; ${token}`);
    expect(await cleanUp(database)).to.equal(0);
    expect(await count('refresh_tokens')).to.equal(1);
    await database.none("UPDATE sessions SET expires_at = now() - interval '2 days'");
    expect(await cleanUp(database)).to.equal(1);
    expect(await count('refresh_tokens')).to.equal(0);
  });

  it('keeps the account whose rows it deletes', async () => {
    for (const kind of kinds) await insert(kind, 1, '1 year');
    await cleanUp(database);
    expect(await count('users')).to.equal(1);
  });

  it('deletes a hundred of each kind at a time', async () => {
    for (const kind of kinds) await insert(kind, batch + 50, '1 year');
    expect(await cleanUp(database)).to.equal(kinds.length * batch);
    expect(await counts()).to.deep.equal(eachTable(50));
    expect(await cleanUp(database)).to.equal(kinds.length * 50);
    expect(await counts()).to.deep.equal(eachTable(0));
  });

  it('deletes a forgotten history that is longer than a batch, although its revisions refer to older ones', async () => {
    await database.none(
      `INSERT INTO zone_identities (id) VALUES ($(user));
       INSERT INTO zone_revisions (zone_id, number, action, objects, inverse, snapshot)
       VALUES ($(user), 1, 'zone.created', '{}', '{}', '{}'), ($(user), 2, 'zone.changed', '{}', '{}', '{}');
       INSERT INTO zone_revisions (zone_id, number, action, objects, inverse, contents_from, rest_from)
       SELECT $(user), n, 'zone.restored', '{}', '{}', 1, 2 FROM generate_series(3, 1100) AS n`,
      { user },
    );
    const left = async () =>
      (await database.one<{ n: number }>('SELECT count(*)::int AS n FROM zone_revisions WHERE zone_id = $1', user)).n;
    let before = 1101;
    for (let rest = await left(); rest > 0; rest = await left()) {
      expect(rest).to.be.below(before);
      before = rest;
      await cleanUp(database);
    }
  });

  it('returns immediately while another instance holds the lock', async () => {
    for (const kind of kinds) await insert(kind, 1, '1 year');
    await other.tx(async (transaction) => {
      expect(await transaction.one(sqlFile('clean-up/lock.sql'))).to.deep.equal({ locked: true });
      expect(await cleanUp(database)).to.equal(0);
    });
    expect(await counts()).to.deep.equal(eachTable(1));
    expect(await cleanUp(database)).to.equal(kinds.length);
  });

  it('skips locked rows without waiting', async () => {
    for (const kind of kinds) await insert(kind, 2, '1 year');
    await other.tx(async (transaction) => {
      for (const { table } of kinds) await transaction.any(`SELECT 1 FROM ${table} LIMIT 1 FOR UPDATE`);
      expect(await cleanUp(database)).to.equal(kinds.length);
    });
    expect(await counts()).to.deep.equal(eachTable(1));
  });

  it('deletes each row once in concurrent calls of two instances', async () => {
    for (const kind of kinds) await insert(kind, 3 * batch, '1 year');
    const work = async (instance: Database): Promise<number> => {
      const deleted = await cleanUp(instance);
      return Object.values(await counts()).every((left) => left === 0) ? deleted : deleted + (await work(instance));
    };
    const deleted = await Promise.all([database, other, database, other].map(work));
    expect(deleted.reduce((sum, each) => sum + each)).to.equal(kinds.length * 3 * batch);
  });

  describe('of a batch that fails', () => {
    const failing = kinds.find(({ table }) => table === 'sessions') as Kind;
    before(() =>
      database.none(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$refused$$; END';
         CREATE TRIGGER refuse BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION refuse();
         CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(10); RETURN OLD; END';
         CREATE TRIGGER slow_down BEFORE DELETE ON challenges FOR EACH ROW EXECUTE FUNCTION slow_down()`,
      ),
    );
    after(() =>
      database.none(
        `DROP TRIGGER refuse ON sessions; DROP FUNCTION refuse;
         DROP TRIGGER slow_down ON challenges; DROP FUNCTION slow_down`,
      ),
    );

    it('deletes the others and makes the months of the audit log, whether it is refused or takes too long', async () => {
      for (const kind of kinds) await insert(kind, 2, '1 year');
      const failures = new Map<string, string>();
      const ahead = `SELECT to_regclass(to_char(now() AT TIME ZONE 'UTC' + interval '3 months', '"audit_log_months.from_"YYYY_MM')) AS partition`;
      await database.none(`DO $$ BEGIN EXECUTE 'DROP TABLE ' || (${ahead}); END $$`);
      const impatient = openDatabase({
        url: `${url}?options=-c%20statement_timeout%3D300`,
        pooler: 'prepared',
      });
      try {
        const expiry = postgresExpiry(impatient, (batch, failure) => failures.set(batch, String(failure)));
        expect(await expiry.removeExpired()).to.equal((kinds.length - 2) * 2);
      } finally {
        await impatient.$pool.end();
      }
      expect([...failures.keys()]).to.have.members(['challenges', failing.table]);
      expect(failures.get('challenges')).to.include('statement timeout');
      expect(failures.get(failing.table)).to.include('refused');
      expect(await counts()).to.deep.equal({ ...eachTable(0), challenges: 2, sessions: 2 });
      expect((await database.one(ahead)).partition).to.be.a('string');
    });
  });

  describe('of large rows', () => {
    const text = `to_json((SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 1000)))`;
    const large: readonly [statement: string, insert: string][] = [
      [
        'change-sets',
        `INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_at, updated_at, ends_at)
         SELECT gen_random_uuid(), (SELECT id FROM zones), '', '', '', 1, ${text}, now(), now(), now() - interval '1 year'`,
      ],
      [
        'forgotten-revisions',
        `INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse)
         SELECT (SELECT id FROM zone_identities WHERE organization_id IS NULL), 100 + n, 'zone.updated', '{}', ${text}, '{}'`,
      ],
      [
        'forgotten-change-sets',
        `INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_at, updated_at, ends_at)
         SELECT gen_random_uuid(), (SELECT id FROM zone_identities WHERE organization_id IS NULL), '', '', '', 1, ${text}, now(), now(), now()`,
      ],
      [
        'forgotten-rules',
        `INSERT INTO rules (id, zone_id, kind, name_key, content, rank)
         SELECT gen_random_uuid(), (SELECT id FROM zone_identities WHERE organization_id IS NULL), 'accessRule', n, ${text}, n`,
      ],
    ];
    before(() => database.none('INSERT INTO zone_identities (id) VALUES (gen_random_uuid())'));

    const deletedBy = async (name: string, bytes: number): Promise<number> =>
      (await database.any(statementFile(`clean-up/${name}.sql`).prepared({ batch, bytes, lifetimeSeconds: 0 }))).length;

    for (const [name, rows] of large) {
      it(`deletes no more ${name} at once than a number of bytes, but always one`, async () => {
        await database.none(`${rows} FROM generate_series(1, 5) AS n`);
        expect(await deletedBy(name, 1)).to.equal(1);
        expect(await deletedBy(name, 50_000)).to.equal(2);
        expect(await deletedBy(name, 1_000_000)).to.equal(2);
        expect(await deletedBy(name, 1)).to.equal(0);
      });
    }

    it('deletes forgotten zones by the bytes of their settings, after everything else that is large', async () => {
      await database.none(
        `INSERT INTO zone_identities (id) SELECT gen_random_uuid() FROM generate_series(1, 4);
         INSERT INTO zone_settings (zone_id, settings) SELECT id, ${text} FROM zone_identities WHERE organization_id IS NULL;
         INSERT INTO rules (id, zone_id, kind, name_key, content, rank)
         SELECT gen_random_uuid(), id, 'accessRule', '', '{}', 1 FROM zone_identities WHERE organization_id IS NULL`,
      );
      expect(await deletedBy('forgotten-zones', 1_000_000)).to.equal(0);
      expect(await deletedBy('forgotten-rules', 1_000_000)).to.equal(5);
      expect(await deletedBy('forgotten-zones', 1)).to.equal(1);
      expect(await deletedBy('forgotten-zones', 50_000)).to.equal(2);
      expect(await deletedBy('forgotten-zones', 1_000_000)).to.equal(2);
      expect(await count('zone_settings')).to.equal(0);
    });
  });
});
