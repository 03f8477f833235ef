import { expect } from 'chai';
import { type Database, migrate, openDatabase } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';

describe('migrate', function () {
  this.timeout(30_000);
  let url: string;
  let database: Database;

  beforeEach(async () => {
    url = await emptyDatabase();
    database = openDatabase({ url });
  });
  afterEach(() => database.$pool.end());

  const migrations = () => database.any('SELECT id, name, run_on FROM schema_migrations ORDER BY id');
  const columns = () =>
    database.any(
      `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
       WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
    );
  const tables = async (): Promise<string[]> =>
    (
      await database.any<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
      )
    ).map(({ name }) => name);

  it('fills an empty database', async () => {
    await migrate(url);
    expect(await tables()).to.include.members(['users', 'sessions', 'zones', 'rules', 'outbox_mails']);
  });

  it('says of every table what a row of it is', async () => {
    await migrate(url);
    const silent = await database.map<string>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND obj_description(oid, 'pg_class') IS NULL`,
      [],
      ({ name }) => name,
    );
    expect(silent).to.deep.equal(['schema_migrations']);
  });

  it('changes nothing the second time', async () => {
    await migrate(url);
    const before = [await migrations(), await columns()];
    await migrate(url);
    expect([await migrations(), await columns()]).to.deep.equal(before);
  });

  it('serializes concurrent instances', async () => {
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    const names = (await migrations()).map(({ name }: { name: string }) => name);
    expect(names).to.deep.equal([...new Set(names)]);
    expect(await tables()).to.include('outbox_mails');
  });

  it('does nothing for an unprivileged role, which cannot bypass the audit log', async () => {
    await migrate(url);
    const role = `user_${new URL(url).pathname.slice(1)}`;
    for (const statement of [
      `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
      `REVOKE UPDATE, DELETE ON audit_log FROM ${role}`,
    ]) {
      await database.none(statement);
    }
    const itsUrl = new URL(url);
    [itsUrl.username, itsUrl.password] = [role, 'secret'];
    await migrate(itsUrl.href);
    const its = openDatabase({ url: itsUrl.href, connections: 1 });
    await its.none(`INSERT INTO audit_log (action, objects) VALUES ('zone.created', '{}')`);
    await its.any('SELECT make_audit_log_months(4)');
    const forbidden = [
      'UPDATE audit_log SET actor_id = NULL',
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
      'ALTER TABLE audit_log DISABLE TRIGGER USER',
      'DROP TABLE audit_log',
      'DELETE FROM audit_log_months.rest',
    ];
    for (const statement of forbidden) {
      const failure: unknown = await its.none(statement).catch((reason: unknown) => reason);
      expect(failure, statement).to.have.property('code', '42501');
    }
    await its.$pool.end();
    await database.none(`DROP OWNED BY ${role}`);
    await database.none(`DROP ROLE ${role}`);
  });

  it('rolls back a whole run when one migration fails, and succeeds once the cause is fixed', async () => {
    await database.none('CREATE TABLE outbox_mails (in_the_way integer)');
    const failure = await migrate(url).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', '42P07');
    expect(await tables()).to.not.include.members(['users']);
    await database.none('DROP TABLE outbox_mails');
    await migrate(url);
    expect(await tables()).to.include.members(['users', 'outbox_mails']);
  });

  it('rejects when the database is unreachable', async () => {
    const failure = await migrate(`${url}_missing`).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', '3D000');
  });
});
