import { BackendId, OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import { cleanUp } from './support/clean-up.ts';
import { cutting } from './support/cutting.ts';

describe('applyRetention of backend history', function () {
  this.timeout(60_000);
  const { database, unitOfWork, anOrganization, keep, cut, uuid } = cutting();

  /** An origin server changed daily, optionally deleted an hour ago; its port equals the revision number. */
  async function aServer(organization: number, revisions: number, isDeleted = false): Promise<string> {
    const backend = uuid();
    await database().none(
      `INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, state, created_at)
       SELECT $(backend), n, $(organization), 'origin_server', 'originServer.changed',
         CASE WHEN n < $(revisions) OR NOT $(isDeleted) THEN json_build_object('port', n) END,
         now() - ($(revisions) - n) * interval '1 day' - interval '1 hour'
       FROM generate_series(1, $(revisions)) AS n`,
      { backend, organization, revisions, isDeleted },
    );
    return backend;
  }

  /** A zone that uses the backend, with revisions that are this many days old. */
  async function aZoneOf(organization: number, backend: string, ages: readonly number[]): Promise<void> {
    await database().none(
      `INSERT INTO zone_identities (id, organization_id) VALUES ($(zone), $(organization));
       INSERT INTO zone_backends (backend_id, zone_id) VALUES ($(backend), $(zone));
       INSERT INTO zone_revisions (zone_id, number, action, objects, patch, inverse, snapshot, created_at)
       SELECT $(zone), n, 'zone.changed', '{}', '{}', '{}', '{}', now() - make_interval(days => age)
       FROM unnest($(ages)::int[]) WITH ORDINALITY AS aged (age, n)`,
      { zone: uuid(), organization, backend, ages },
    );
  }

  const numbers = async (backend: string) =>
    (
      await database().any<{ number: number }>(
        'SELECT number FROM backend_revisions WHERE backend_id = $1 ORDER BY number',
        backend,
      )
    ).map(({ number }) => number);
  const revision = async (organizationId: number, id: string, number: number) => {
    const backend = {
      organizationId: OrganizationId.parse(organizationId),
      kind: 'origin_server' as const,
      id: BackendId.parse(id),
    };
    const read = await unitOfWork().view(({ backendHistory }) => backendHistory.byNumber(backend, number));
    return read.map(({ before, state }) => [before, state]).unwrapOr(undefined);
  };

  it('keeps every state in the retention period, and each revision shows its change', async () => {
    const organization = await anOrganization();
    const [server, quiet] = [await aServer(organization, 40), await aServer(organization, 3)];
    await database().none(
      `UPDATE backend_revisions SET created_at = created_at - interval '1 year' WHERE backend_id = $1`,
      quiet,
    );
    await cut({ history: 10 });
    const [first = 0, ...others] = await numbers(server);
    expect(first).to.be.within(28, 30);
    expect(others).to.deep.equal(Array.from({ length: 40 - first }, (_, index) => first + 1 + index));
    expect(await revision(organization, server, first)).to.deep.equal([{ port: first - 1 }, { port: first }]);
    expect(await revision(organization, server, 40)).to.deep.equal([{ port: 39 }, { port: 40 }]);
    expect(await revision(organization, server, first - 1)).to.equal(undefined);
    expect(await numbers(quiet)).to.deep.equal([3]);
  });

  it('thins out older details: keeps the first revision and every hundredth', async () => {
    const organization = await anOrganization();
    const server = await aServer(organization, 2250);
    await cut({ historyDetail: 20 });
    const kept = await numbers(server);
    const whole = kept.findIndex((number, index) => kept[index + 1] === number + 1);
    expect(kept.slice(0, whole)).to.deep.equal([1, ...Array.from({ length: 22 }, (_, index) => (index + 1) * 100)]);
    expect(kept[whole]).to.be.within(2228, 2230);
    expect(await revision(organization, server, 200)).to.deep.equal([{ port: 199 }, { port: 200 }]);
  });

  it('keeps what a kept zone revision used', async () => {
    const organization = await anOrganization();
    const server = await aServer(organization, 100);
    // As old as revisions 70, the oldest one kept, and 97: each uses the state created an hour earlier.
    await aZoneOf(organization, server, [30, 3]);
    await aZoneOf(organization, server, [2]);
    await cut({ history: 10 });
    const kept = await numbers(server);
    expect(kept.slice(0, 2)).to.deep.equal([70, kept[1]]);
    expect(kept[1]).to.be.within(88, 90);
    expect(kept).to.have.length(100 - (kept[1] ?? 0) + 2);
    expect(await revision(organization, server, 70)).to.deep.equal([{ port: 69 }, { port: 70 }]);
  });

  it('deletes the history of a deleted backend when its deletion is old enough, whatever names it', async () => {
    const organization = await anOrganization();
    const server = await aServer(organization, 5, true);
    await aZoneOf(organization, server, [0]);
    await cut({ history: 30 });
    expect(await numbers(server)).to.deep.equal([1, 2, 3, 4, 5]);
    await database().none(
      `UPDATE backend_revisions SET created_at = created_at - interval '1 year' WHERE backend_id = $1`,
      server,
    );
    await cut({ history: 30 });
    await cleanUp(database());
    expect(await numbers(server)).to.deep.equal([]);
  });

  it("follows an organization's own retention", async () => {
    const [usual, longer, shorter] = [await anOrganization(), await anOrganization(), await anOrganization()];
    await keep(longer, 'history', null);
    await keep(shorter, 'history', 3);
    const servers = [await aServer(usual, 40), await aServer(longer, 40), await aServer(shorter, 40)];
    await cut({ history: 20 });
    const lengths = (await Promise.all(servers.map(numbers))).map(({ length }) => length);
    expect(lengths[0]).to.be.within(21, 23);
    expect(lengths[1]).to.equal(40);
    expect(lengths[2]).to.be.within(4, 6);
  });
});
