import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runner } from 'node-pg-migrate';
import { type Database, migrate, openDatabase } from '../src/index.ts';
import { emptyDatabase } from './support/database.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
/** The last migration before known sign-in networks and inviters' permissions. */
const earlier = 14;

describe('migrate, on a database in use,', () => {
  let database: Database;

  before(async () => {
    const url = await emptyDatabase();
    await runner({
      databaseUrl: url,
      dir: directory,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      count: earlier,
      singleTransaction: true,
      verbose: false,
      logger: silent,
    });
    database = openDatabase({ url });
    await database.none(arrangement);
    await migrate(url);
  });
  after(() => database?.$pool.end());

  it('imports the networks of earlier sign-ins', async () => {
    const rows = await database.any(
      'SELECT email, network FROM sign_in_networks JOIN users ON id = user_id ORDER BY 2',
    );
    expect(rows).to.deep.equal([
      { email: 'owner', network: '192.0.2.1' },
      { email: 'owner', network: '192.0.2.2' },
    ]);
  });

  it('revokes pending invitations whose inviter has lost permission', async () => {
    const rows = await database.any('SELECT email, status FROM invitations ORDER BY email');
    expect(rows).to.deep.equal([
      { email: 'accepted, by nobody', status: 'accepted' },
      { email: 'admin, by an admin', status: 'pending' },
      { email: 'editor, by a former member', status: 'revoked' },
      { email: 'editor, by an editor', status: 'revoked' },
      { email: 'editor, by nobody', status: 'revoked' },
      { email: 'owner, by an admin', status: 'revoked' },
      { email: 'owner, by an owner', status: 'pending' },
    ]);
  });
});

const arrangement = `
  INSERT INTO users (id, email, email_key, first_name, last_name, email_verified_at)
  SELECT gen_random_uuid(), name, name, 'A', 'B', now()
  FROM unnest(ARRAY['owner', 'admin', 'editor', 'former']) AS name;
  INSERT INTO organizations (name, name_key) VALUES ('Team', 'team');
  INSERT INTO memberships (organization_id, user_id, role) SELECT 1, id, email FROM users WHERE email <> 'former';
  INSERT INTO audit_log (action, actor_id, objects, network)
  SELECT action, id, '{}', network
  FROM users, (VALUES ('session.opened', '192.0.2.1'), ('session.opened', '192.0.2.1'), ('session.opened', '192.0.2.2'),
    ('session.opened', NULL), ('session.ended', '192.0.2.3')) AS events (action, network)
  WHERE email = 'owner';
  INSERT INTO audit_log (action, actor_id, objects, network)
  VALUES ('session.opened', gen_random_uuid(), '{}', '192.0.2.4');
  INSERT INTO invitations (id, organization_id, email, email_key, role, invited_by, hash, status, expires_at)
  SELECT gen_random_uuid(), 1, name, name, role, (SELECT id FROM users WHERE email = inviter), name, status, now() + interval '1 day'
  FROM (VALUES
    ('owner, by an owner', 'owner', 'owner', 'pending'),
    ('owner, by an admin', 'owner', 'admin', 'pending'),
    ('admin, by an admin', 'admin', 'admin', 'pending'),
    ('editor, by an editor', 'editor', 'editor', 'pending'),
    ('editor, by a former member', 'editor', 'former', 'pending'),
    ('editor, by nobody', 'editor', NULL, 'pending'),
    ('accepted, by nobody', 'editor', NULL, 'accepted')
  ) AS sent (name, role, inviter, status)`;
