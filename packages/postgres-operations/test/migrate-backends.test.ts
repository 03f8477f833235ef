import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BackendId, OrganizationId, ZoneId } from '@zonewright/core';
import { type Database, migrate, openDatabase, PostgresUnitOfWork } from '@zonewright/postgres';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { runner } from 'node-pg-migrate';
import { testBoxes } from '../../postgres/test/support/postgres-storage.ts';
import { cleanUp } from './support/clean-up.ts';
import { emptyDatabase } from './support/database.ts';

const directory = fileURLToPath(new URL('../../postgres/migrations', import.meta.url));
const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
/** The number of migrations before backends have a history. */
const earlier = readdirSync(directory).filter((name) => name < '0062').length;

const organizationId = OrganizationId.parse(1);
const zone = ZoneId.parse('01900000-0000-7000-8000-000000000001');
const uuid = (last: number) => BackendId.parse(`01900000-0000-7000-8000-00000000001${last}`);
const [server, named, balancer] = [uuid(1), uuid(2), uuid(3)];

/** Two origin servers; the second belongs to a load balancer named by an old zone revision. */
async function fill(database: Database): Promise<void> {
  await database.none(
    `INSERT INTO organizations (name, name_key) VALUES ('Team', 'team');
     INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token, revision)
     SELECT $(zone), id, 'Shop', 'shop', 'prod', 'ban_1', 2 FROM organizations;
     INSERT INTO zone_settings (zone_id, settings) VALUES ($(zone), '{}');
     INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse, snapshot) VALUES
       ($(zone), 1, 'zone.created', '{}', '{}', '{}', '{"zone_settings": {"defaultBackend": {"type": "load_balancer", "id": "$(balancer:value)"}}}'),
       ($(zone), 2, 'zone.changed', '{}', '{"zone_settings": {"defaultBackend": null}}', '{}', NULL);
     INSERT INTO origin_servers (id, organization_id, name, name_key, protocol, address, address_key, port, request_hostname, revision)
     SELECT $(server)::uuid, id, 'One', 'one', 'https', 'One.example.net', 'one.example.net', 443, NULL, 3 FROM organizations
     UNION ALL SELECT $(named), id, 'Two', 'two', 'http', '8.8.8.8', '8.8.8.8', 80, 'shop.example.com', 1 FROM organizations;
     INSERT INTO load_balancers (id, organization_id, name, name_key, method)
     SELECT $(balancer), id, 'All', 'all', 'random' FROM organizations;
     INSERT INTO load_balancer_origins (load_balancer_id, position, origin_server_id, organization_id, weight, enabled)
     SELECT $(balancer), 1, $(named), id, 7, true FROM organizations`,
    { zone, server, named, balancer },
  );
}

describe('migrate, on a database without a history of backends,', function () {
  this.timeout(60_000);
  let database: Database;
  let unitOfWork: PostgresUnitOfWork;

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
    database = openDatabase({ url, connections: 2 });
    await fill(database);
    await migrate(url);
    unitOfWork = new PostgresUnitOfWork(database, testBoxes());
  });
  after(() => database?.$pool.end());

  it('starts it with the current backends', async () => {
    const found = await unitOfWork.view(({ backendHistory }) =>
      backendHistory.asOf({ id: zone, organizationId }, { whenMade: 3 }, [server, balancer]),
    );
    const [one, two] = await unitOfWork
      .view(({ originServers }) => originServers.list(organizationId, { page: 1, itemsPerPage: 2 }))
      .map(({ items }) => items.map(({ createdAt: _, updatedAt: __, revision: ___, ...written }) => written))
      .unwrapOr([]);
    expect(found.map(({ originServers }) => originServers)).to.deep.equal(ok([one, two]));
    expect(found.map(({ loadBalancers }) => loadBalancers.map(({ origins }) => origins))).to.deep.equal(
      ok([[{ originServer: named, weight: 7, enabled: true }]]),
    );
  });

  it('keeps the history of deleted backends named by a zone revision, and no others', async () => {
    const left = async () =>
      (await database.any<{ id: string }>('SELECT DISTINCT backend_id AS id FROM backend_revisions ORDER BY 1')).map(
        ({ id }) => id,
      );
    await unitOfWork.run(({ originServers, loadBalancers }) =>
      loadBalancers
        .remove(balancer, undefined)
        .andThen(() => originServers.remove(named, undefined))
        .andThen(() => originServers.remove(server, undefined)),
    );
    expect(await left()).to.deep.equal([server, named, balancer]);
    await cleanUp(database);
    expect(await left()).to.deep.equal([named, balancer]);
    await unitOfWork.run(({ zones }) => zones.remove(zone, undefined));
    await cleanUp(database);
    expect(await left()).to.deep.equal([named, balancer]);
    await database.none("UPDATE zone_deletions SET expires_at = now() - interval '2 hours'");
    while ((await cleanUp(database)) > 0);
    expect(await left()).to.deep.equal([]);
  });
});
