import { OrganizationId } from '@zonewright/core';
import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { removeOrganization } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';
import { expectTalliesToHold } from './support/stored-bytes.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const operator = { network: undefined, userAgent: 'a test' };

/** Two organizations; the second has a zone, a deleted zone, backends that use each other, and a member. */
const organizations = `
  INSERT INTO users (id, email, email_key, first_name, last_name) VALUES ('${id(1)}', 'a@example.com', 'a@example.com', 'A', 'A');
  INSERT INTO organizations (name, name_key) VALUES ('Other', 'other'), ('Wright', 'wright');
  INSERT INTO memberships VALUES (1, '${id(1)}', 'owner'), (2, '${id(1)}', 'owner');
  INSERT INTO origin_servers (id, organization_id, name, name_key, protocol, address, address_key, port)
  VALUES ('${id(20)}', 2, 'Web', 'web', 'https', 'web.example', 'web.example', 443);
  INSERT INTO load_balancers (id, organization_id, name, name_key, method) VALUES ('${id(21)}', 2, 'LB', 'lb', 'random');
  INSERT INTO load_balancer_origins VALUES ('${id(21)}', 1, '${id(20)}', 2, 5, true);
  INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, state)
  VALUES ('${id(20)}', 1, 2, 'origin_server', 'originServer.created', '{}');
  INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash)
  VALUES ('${id(30)}', 1, 'z', 'z', 'prod', 'a'), ('${id(31)}', 2, 'z', 'z', 'prod', 'b');
  INSERT INTO zone_settings (zone_id, settings) VALUES ('${id(30)}', '{}'), ('${id(31)}', '{}');
  INSERT INTO zone_backends VALUES ('${id(21)}', '${id(31)}');
  INSERT INTO zone_identities (id, organization_id) VALUES ('${id(32)}', 2);
  INSERT INTO zone_deletions (id, organization_id, name, tag, hostnames, created_at, updated_at, revision, search_key, expires_at)
  VALUES ('${id(32)}', 2, 'gone', 'dev', '{}', now(), now(), 1, 'gone', now());
`;

describe('removeOrganization', function () {
  this.timeout(60_000);
  let url: string;
  let database: Database;

  before(async () => {
    url = await migratedDatabase();
    database = openDatabase({ url, connections: 2 });
    await database.none(organizations);
  });
  after(() => database?.$pool.end());

  const organizationsIn = (table: string) =>
    database.map<number | null>(
      `SELECT DISTINCT organization_id AS id FROM ${table} ORDER BY 1`,
      [],
      (row: { id: number | null }) => row.id,
    );
  const untilWaiting = async (): Promise<void> => {
    const { waiting } = await database.one<{ waiting: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting`,
    );
    if (!waiting) await untilWaiting();
  };

  it('waits for a running write, then removes everything, and leaves the history of zones to the clean-up', async () => {
    const pending = await database.tx(async (writer) => {
      await writer.any('SELECT FROM organizations WHERE id = 2 FOR SHARE');
      const started = removeOrganization(url, OrganizationId.parse(2), operator);
      await untilWaiting();
      await writer.none(
        `INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash) VALUES ('${id(33)}', 2, 'late', 'late', 'prod', 'c')`,
      );
      return { started };
    });
    await pending.started;
    const tables = ['memberships', 'zones', 'zone_deletions', 'origin_servers', 'load_balancers', 'backend_revisions'];
    expect(await Promise.all(tables.map(organizationsIn))).to.deep.equal([[1], [1], [], [], [], []]);
    expect(await organizationsIn('zone_identities')).to.deep.equal([1, null]);
    await expectTalliesToHold(database);
  });

  it('is recorded once, and succeeds if there is no such organization', async () => {
    await removeOrganization(url, OrganizationId.parse(2), operator);
    expect(
      await database.any(`SELECT objects, user_agent AS agent FROM audit_log WHERE action = 'organization.deleted'`),
    ).to.deep.equal([{ objects: { organization: '2', name: 'Wright' }, agent: 'a test' }]);
  });
});
