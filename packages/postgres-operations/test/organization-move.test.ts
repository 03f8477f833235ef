import { OrganizationId } from '@zonewright/core';
import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { moveOrganization, removeOrganization } from '../src/index.ts';
import { movedTables, namesOf } from '../src/moved-tables.ts';
import { adapterSql } from './support/adapter-sql.ts';
import { migratedDatabase } from './support/database.ts';
import { expectTalliesToHold } from './support/stored-bytes.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const operator = { network: undefined, userAgent: 'a test' };

/** A row in every table with data of an organization; JSON is formatted as the service would never write it. */
const everything = `
  INSERT INTO users (id, email, email_key, first_name, last_name, email_verified_at) VALUES
    ('${id(1)}', 'Ada@example.com', 'ada@example.com', 'Ada', 'L', now()), ('${id(2)}', 'bob@example.com', 'bob@example.com', 'Bob', 'B', now());
  INSERT INTO organizations (name, name_key) VALUES ('Other', 'other');
  INSERT INTO organizations (name, name_key, enforce_two_factor, revision, limits, created_at)
  VALUES ('Wright', 'wright', true, 7, '{"zones": 9}', '2020-02-29T01:02:03.456Z');
  INSERT INTO memberships VALUES (2, '${id(1)}', 'owner');
  INSERT INTO invitations (id, organization_id, email, email_key, role, invited_by, hash, expires_at)
  VALUES ('${id(10)}', 2, 'eve@example.com', 'eve@example.com', 'viewer', '${id(1)}', 'hash', now());
  INSERT INTO organization_retention VALUES (2, 'history', 30);
  INSERT INTO origin_servers (id, organization_id, name, name_key, protocol, address, address_key, port)
  VALUES ('${id(20)}', 2, 'Web', 'web', 'https', 'web.example', 'web.example', 443);
  INSERT INTO load_balancers (id, organization_id, name, name_key, method) VALUES ('${id(21)}', 2, 'LB', 'lb', 'random');
  INSERT INTO load_balancer_origins VALUES ('${id(21)}', 1, '${id(20)}', 2, 5, true);
  INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, author, state, before)
  VALUES ('${id(20)}', 3, 2, 'origin_server', 'originServer.changed', '${id(2)}', '{"a":  1.0}', '{"a":0}');
  INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash, created_by, revision)
  VALUES ('${id(30)}', 2, 'ä"\\n', 'ä"\\n', 'prod', 'secret', '${id(2)}', 5);
  INSERT INTO domains (id, organization_id, name, proof, next_check_at) VALUES ('${id(70)}', 2, 'a.example', 'p', now());
  UPDATE zones SET hostnames = '{a.example}';
  INSERT INTO host_names VALUES ('a.example', '${id(30)}', '${id(70)}');
  UPDATE zone_identities SET history_whole_from = 4, history_kept_before = 1;
  INSERT INTO zone_settings (zone_id, settings) VALUES ('${id(30)}', '{"z":1,  "a":1e2}');
  INSERT INTO rules (id, zone_id, kind, name_key, unique_hash, content, rank)
  VALUES ('${id(40)}', '${id(30)}', 'rewriteRule', 'r', '\\x00ff', '{"name":"r",  "x":1.50}', 1);
  INSERT INTO rule_lists (zone_id, kind, revision) VALUES ('${id(30)}', 'rewriteRule', 3);
  INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash)
  VALUES ('${id(50)}', '${id(30)}', 'u', 'u', '', '$2y$10$x');
  INSERT INTO zone_revisions (zone_id, number, action, objects, author, patch, inverse, snapshot, created_at)
  VALUES ('${id(30)}', 5, 'zone.changed', '{}', '${id(1)}', '{"a":  1}', '{}', '{"b" :2}', '2024-01-01T00:00:00.123456Z');
  INSERT INTO zone_revisions (zone_id, number, action, objects, inverse, contents_from, rest_from, adjustment)
  SELECT '${id(30)}', 200 - n, 'zone.restored', '{}', '{}', CASE WHEN n = 100 THEN 5 ELSE 199 - n END, 5, '{"c":  1}'
  FROM generate_series(1, 100) AS n ORDER BY random();
  INSERT INTO retired_rules VALUES ('${id(30)}', '${id(41)}', 'accessRule', 4);
  INSERT INTO zone_backends VALUES ('${id(21)}', '${id(30)}');
  INSERT INTO change_sets (id, zone_id, title, title_key, description, base, patch, created_by, created_at, updated_at, ends_at)
  VALUES ('${id(60)}', '${id(30)}', 't', 't', '', 5, '{}', '${id(1)}', now(), now(), now());
  INSERT INTO promotions (id, zone_id, change_set_id, source_id, from_revision, to_revision, request, report, created_at)
  VALUES ('${id(61)}', '${id(30)}', '${id(60)}', '${id(30)}', 1, 1, '', '[]', now());
  INSERT INTO zone_identities (id, organization_id) VALUES ('${id(31)}', 2);
  INSERT INTO zone_deletions (id, organization_id, name, tag, hostnames, created_at, updated_at, revision, search_key, expires_at)
  VALUES ('${id(31)}', 2, 'gone', 'dev', '{gone.example.com}', now(), now(), 1, 'gone', now());
  INSERT INTO zone_settings (zone_id, settings) VALUES ('${id(31)}', '{"gone":  true}');
  INSERT INTO rules (id, zone_id, kind, name_key, content, rank)
  VALUES ('${id(42)}', '${id(31)}', 'rewriteRule', 'r', '{"name":"r"}', 1);
  INSERT INTO rule_lists (zone_id, kind, revision) VALUES ('${id(31)}', 'rewriteRule', 3);
  INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash)
  VALUES ('${id(51)}', '${id(31)}', 'u', 'u', '', '$2y$10$x');
  INSERT INTO audit_log (action, objects, organization_id, actor_id, at)
  VALUES ('zone.changed', '{"zone":"x"}', 2, '${id(2)}', '2021-01-01T00:00:00Z');
`;

describe('moveOrganization', function () {
  this.timeout(60_000);
  // The tests are one story in one pair of databases.
  let urls: readonly [string, string];
  let source: Database;
  let target: Database;

  before(async () => {
    urls = [await migratedDatabase(), await migratedDatabase()];
    [source, target] = [openDatabase({ url: urls[0], connections: 2 }), openDatabase({ url: urls[1], connections: 2 })];
    await source.none(everything);
    await target.none(
      `INSERT INTO users (id, email, email_key, first_name, last_name)
       VALUES ('${id(9)}', 'ADA@example.com', 'ada@example.com', 'Ada', 'L')`,
    );
  });
  after(() => Promise.all([source.$pool.end(), target.$pool.end()]));

  const move = async (change: Partial<Parameters<typeof moveOrganization>[0]> = {}) => {
    const [from, to] = urls;
    const organization = OrganizationId.parse(2);
    const options = { organization, from, to, keepsNumber: false, isRehearsal: false, operator, ...change };
    return (await moveOrganization(options)).match(
      (moved): unknown => moved,
      (error) => error,
    );
  };
  /** All moved rows as text. */
  const contents = async (on: Pick<Database, 'any'>, number: number): Promise<string> => {
    const lines: string[] = [];
    const itself = { table: 'organizations', owners: 'organizations', key: 'id', ownerKey: 'id' };
    for (const { table, owners, key, ownerKey } of [itself, ...movedTables.map(namesOf)]) {
      const condition =
        owners === 'organizations' ? `${key} = $1` : `${key} IN (SELECT id FROM ${owners} WHERE ${ownerKey} = $1)`;
      const query = `SELECT row_to_json(t)::text AS row FROM ${table} AS t WHERE ${condition} ORDER BY 1`;
      lines.push(...(await on.any<{ row: string }>(query, number)).map(({ row }) => `${table} ${row}`));
    }
    return lines.join('\n');
  };
  /** The audit log without ids, which each database assigns. */
  const log = (database: Database, number: number) =>
    database.map('SELECT action FROM audit_log WHERE organization_id = $1 ORDER BY at', number, ({ action }) => action);
  /** What the clean-up does in batches. */
  const forgetZones = (database: Database) =>
    database.none('DELETE FROM zone_identities WHERE organization_id IS NULL');

  it('changes nothing if it is rejected', async () => {
    const original = await contents(source, 2);
    const errors: unknown[] = [await move({ organization: OrganizationId.parse(77) }), await move({ to: urls[0] })];
    errors.push(await move());
    await target.none('UPDATE users SET email_verified_at = now()');
    await source.none(`UPDATE users SET active = false WHERE id = '${id(1)}'`);
    errors.push(await move());
    await source.none('UPDATE users SET active = true');
    await target.none(`INSERT INTO zone_identities (id) VALUES ('${id(30)}')`);
    errors.push(await move());
    await forgetZones(target);
    await target.none(`UPDATE schema_migrations SET name = 'x' WHERE name LIKE '0006%'`);
    errors.push(await move());
    await target.none('ALTER TABLE schema_migrations RENAME TO none');
    errors.push(await move());
    await target.none(
      `ALTER TABLE none RENAME TO schema_migrations; UPDATE schema_migrations SET name = '0006_delivery' WHERE name = 'x'`,
    );
    expect(errors).to.deep.equal([
      { type: 'OrganizationNotFound' },
      { type: 'SameDatabase' },
      { type: 'AccountsMissing', emails: ['Ada@example.com'] },
      { type: 'AccountsNotBlocked', emails: ['Ada@example.com'] },
      { type: 'KeyTaken', constraint: 'zone_identities_pkey' },
      { type: 'SchemasDiffer' },
      { type: 'SchemasDiffer' },
    ]);
    expect(await move({ keepsNumber: true, isRehearsal: true })).to.deep.include({ number: 2 });
    expect([await contents(source, 2), await contents(target, 2)]).to.deep.equal([original, '']);
  });

  it('waits for a running write, then moves every row with its ids, and matches users by verified address', async () => {
    const { pending, original } = await source.tx(async (writer) => {
      await writer.any('SELECT FROM organizations WHERE id = 2 FOR SHARE');
      const started = move();
      await untilWaiting();
      await writer.none(`UPDATE zones SET name = 'late' WHERE id = $1`, id(30));
      return { pending: started, original: await contents(writer, 2) };
    });
    const moved = await pending;
    expect(moved).to.deep.include({ name: 'Wright' });
    const { number, rows } = moved as { number: number; rows: object }; // As shown by the previous line.
    expect(Object.values(rows).filter((count) => count === 0)).to.deep.equal([]);
    const expected = original
      .replaceAll('"organization_id":2', `"organization_id":${number}`)
      .replace('organizations {"id":2', `organizations {"id":${number}`)
      .replaceAll(id(1), id(9))
      // Bob has no account in the target, and remains only in the log.
      .replaceAll(`"created_by":"${id(2)}"`, '"created_by":null')
      .replaceAll(`"author":"${id(2)}"`, '"author":null');
    const withoutNumbers = (text: string) => text.replaceAll(/audit_log \{"id":\d+/g, 'audit_log {');
    const copy = (await contents(target, number)).split('\n').filter((row) => !row.includes('organization.moved'));
    expect(withoutNumbers(copy.join('\n'))).to.equal(withoutNumbers(expected));
    expect(copy.join('\n')).to.include('"name":"late"');
    expect(await source.any('SELECT id FROM organizations')).to.deep.equal([{ id: 1 }]);
    expect(await source.any('SELECT FROM zones')).to.deep.equal([]);
    expect(await source.any(`SELECT objects FROM audit_log WHERE action = 'organization.moved'`)).to.deep.equal([
      { objects: { organization: '2', name: 'Wright' } },
    ]);
    expect(await target.any('SELECT tag, zones FROM zone_tallies')).to.deep.equal([{ tag: 'prod', zones: 1 }]);
    for (const database of [source, target]) await expectTalliesToHold(database);
  });
  const untilWaiting = async (): Promise<void> => {
    const { waiting } = await source.one<{ waiting: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting`,
    );
    if (!waiting) await untilWaiting();
  };

  it('can be repeated after a lost commit, once the copy is deleted, and reverted', async () => {
    const { id: number } = await target.one<{ id: number }>('SELECT id FROM organizations');
    const organization = OrganizationId.parse(number);
    const [to, from] = urls;
    const back = { organization, from, to };
    await source.none('DELETE FROM organizations');
    await forgetZones(source);
    await target.none(`
      CREATE FUNCTION lose_connection() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER lost AFTER DELETE ON organizations DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION lose_connection()`);
    expect(await move({ ...back, keepsNumber: true })).to.deep.equal({ type: 'CommitUnconfirmed', number });
    const both = [await source.any('SELECT id FROM zones'), await target.any('SELECT id FROM zones')];
    expect(both).to.deep.equal([[{ id: id(30) }], [{ id: id(30) }]]);
    await target.none('DROP TRIGGER lost ON organizations');

    await removeOrganization(urls[0], organization, operator);
    await forgetZones(source);
    expect(await move({ ...back, keepsNumber: true })).to.deep.include({ number });
    await forgetZones(target);
    expect(await move({ organization, keepsNumber: true })).to.deep.include({ number });
    // Neither attempt has repeated an entry.
    const moves = Array<string>(4).fill('organization.moved');
    expect(await log(target, number)).to.deep.equal(['zone.changed', ...moves]);
  });

  it('covers every table that belongs to an organization, and no value that depends on keys except ban tokens', async () => {
    const tables = await source.map<string>(
      `WITH RECURSIVE referring (id) AS (
         VALUES ('organizations'::regclass) UNION
         SELECT k.conrelid::regclass FROM pg_constraint AS k JOIN referring ON k.confrelid = referring.id WHERE k.contype = 'f'
       )
       SELECT id::text AS name FROM referring UNION
       SELECT c.oid::regclass::text FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
       WHERE a.attname = 'organization_id' AND c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
      [],
      ({ name }) => name,
    );
    // The first is moved separately, the others by triggers; the last is what edges of an installation are told.
    const others = ['organizations', 'zone_tallies', 'zone_change_marks', 'stored_bytes', 'edge_zones'];
    expect(tables).to.have.members([...others, ...movedTables.map(({ name }) => name)]);
    const withKeys = [...adapterSql('kernel/keys/uses.sql').matchAll(/FROM (\w+)/g)].map(([, name]) => name);
    expect(withKeys).to.have.length(5);
    expect(tables.filter((name) => withKeys.includes(name))).to.deep.equal(['zones']);
  });

  it('is reverted by removeOrganization', async () => {
    const { id: number } = await target.one<{ id: number }>('SELECT id FROM organizations');
    await removeOrganization(urls[1], OrganizationId.parse(number), operator);
    expect(await target.any('SELECT FROM organizations')).to.deep.equal([]);
    expect(await target.any('SELECT FROM backend_revisions')).to.deep.equal([]);
    expect(await target.any('SELECT FROM zone_identities WHERE organization_id IS NOT NULL')).to.deep.equal([]);
    await removeOrganization(urls[1], OrganizationId.parse(number), operator);
    expect(await target.any(`SELECT FROM audit_log WHERE action = 'organization.deleted'`)).to.have.length(1);
  });
});
