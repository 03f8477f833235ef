import {
  type BackendId,
  type BackendOfOrganization,
  loadBalancerDocument,
  originServerDocument,
  type WrittenLoadBalancer,
  type WrittenOriginServer,
  type ZoneMoment,
} from '@zonewright/core';
import { expect } from 'chai';
import { type Owner, removeOrganization, storedOwner, storedZone } from '../arrangements/index.ts';
import { aLoadBalancer, anOrigin, anOriginServer, aRevision, newOrigins, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { concurrently, errorOf, okOf, raceSize, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const backendHistoryContract = contract('BackendHistory contract', (storage) => {
  describe('list and byNumber', () => reading(storage));
  describe('asOf', () => moments(storage));
});

const historyOf = async (storage: Storage, backend: BackendOfOrganization) => {
  const { items, totalItems } = await readView(storage, ({ backendHistory }) =>
    backendHistory.list(backend, wholeList),
  );
  expect(totalItems).to.equal(items.length);
  return items.map(({ number, action, author }) => [number, action, author]);
};
const byNumber = (storage: Storage, backend: BackendOfOrganization, number: number) =>
  storage.unitOfWork.view(({ backendHistory }) => backendHistory.byNumber(backend, number));

/** An origin server and a load balancer over it, each created, changed and deleted by the owner. */
async function livesOf(storage: Storage, { organizationId, userId }: Owner) {
  const server = anOriginServer({ organizationId });
  const balancer = aLoadBalancer({ organizationId, origins: [anOrigin(server.id)] });
  const [moved, disabled] = [
    { ...server, port: 8443 },
    { ...balancer, origins: [anOrigin(server.id, { enabled: false })] },
  ];
  await runUnit(storage, ({ originServers }) => originServers.add(server, userId));
  await runUnit(storage, ({ loadBalancers }) => loadBalancers.add(balancer, userId));
  await runUnit(storage, ({ originServers }) => originServers.save(moved, userId));
  await runUnit(storage, ({ loadBalancers }) => loadBalancers.save(disabled, { ...newOrigins, author: userId }));
  await runUnit(storage, ({ loadBalancers }) => loadBalancers.remove(balancer.id, userId));
  await runUnit(storage, ({ originServers }) => originServers.remove(server.id, userId));
  return {
    originServer: { kind: 'origin_server', states: [server, moved].map(originServerDocument), id: server.id },
    loadBalancer: { kind: 'load_balancer', states: [balancer, disabled].map(loadBalancerDocument), id: balancer.id },
  } as const;
}

function reading(storage: () => Storage): void {
  for (const what of ['originServer', 'loadBalancer'] as const) {
    it(`has every write of a ${what}, even after its deletion`, async () => {
      const owner = await storedOwner(storage());
      const {
        [what]: { kind, id, states },
      } = await livesOf(storage(), owner);
      const backend = { organizationId: owner.organizationId, kind, id };
      const [first, second] = states;
      const rows = [
        ['created', {}, first],
        ['changed', first, second],
        ['deleted', second, {}],
      ] as const;
      expect(await historyOf(storage(), backend)).to.deep.equal(
        rows.map(([verb], index) => [index + 1, `${what}.${verb}`, owner.userId]).toReversed(),
      );
      for (const [index, [, before, state]] of rows.entries()) {
        const revision = await okOf(byNumber(storage(), backend, index + 1));
        expect(revision).to.deep.include({ backend, before, state });
        expect(revision.createdAt).to.be.an.instanceOf(Date);
      }
      expect(await errorOf(byNumber(storage(), backend, 4))).to.deep.equal({ type: 'RevisionNotFound' });
      const page = readView(storage(), ({ backendHistory }) =>
        backendHistory.list(backend, { page: 2, itemsPerPage: 2 }),
      );
      expect((await page).items.map(({ number }) => number)).to.deep.equal([1]);
    });
  }

  it('shows a backend only in its own organization and under its own kind', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { originServer } = await livesOf(storage(), owner);
    for (const [organizationId, kind] of [
      [owner.organizationId, 'load_balancer'],
      [other.organizationId, 'origin_server'],
    ] as const) {
      const backend = { organizationId, kind, id: originServer.id };
      expect(await historyOf(storage(), backend)).to.deep.equal([]);
      expect(await errorOf(byNumber(storage(), backend, 1))).to.deep.equal({ type: 'RevisionNotFound' });
    }
  });

  it('numbers concurrent writes without gaps', async () => {
    const { organizationId } = await storedOwner(storage());
    const server = anOriginServer({ organizationId });
    await runUnit(storage(), ({ originServers }) => originServers.add(server, undefined));
    await concurrently(raceSize, (index) =>
      runUnit(storage(), ({ originServers }) =>
        originServers
          .lock(organizationId, server.id)
          .andThen(() => originServers.save({ ...server, port: 1000 + index }, undefined)),
      ),
    );
    const numbers = (await historyOf(storage(), { organizationId, kind: 'origin_server', id: server.id })).map(
      ([number]) => number,
    );
    expect(numbers).to.deep.equal(Array.from({ length: raceSize + 1 }, (_, index) => raceSize + 1 - index));
  });

  it('is deleted with the organization', async () => {
    const owner = await storedOwner(storage());
    const { originServer } = await livesOf(storage(), owner);
    await removeOrganization(storage(), owner.organizationId);
    const backend = { organizationId: owner.organizationId, kind: originServer.kind, id: originServer.id };
    expect(await historyOf(storage(), backend)).to.deep.equal([]);
  });
}

function moments(storage: () => Storage): void {
  /** A zone with two revisions: the load balancer had the first server before and after one, then the second. */
  async function aZoneBesideBackends() {
    const { organizationId, zone, ...owner } = await storedZone(storage());
    const [first, second] = [anOriginServer({ organizationId }), anOriginServer({ organizationId })];
    const balancer = aLoadBalancer({ organizationId, origins: [anOrigin(first.id)] });
    const later = { ...balancer, origins: [anOrigin(second.id, { weight: 7 })] };
    const changed = { ...first, port: 8443 };
    const revision = (number: number) =>
      runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: zone.id, number })));
    for (const server of [first, second])
      await runUnit(storage(), ({ originServers }) => originServers.add(server, undefined));
    await runUnit(storage(), ({ loadBalancers }) => loadBalancers.add(balancer, undefined));
    await revision(1);
    await runUnit(storage(), ({ originServers }) => originServers.save(changed, undefined));
    await revision(2);
    await runUnit(storage(), ({ loadBalancers }) => loadBalancers.save(later, newOrigins));
    await runUnit(storage(), ({ originServers }) => originServers.remove(first.id, undefined));
    return { ...owner, organizationId, zone, first, changed, second, balancer, later };
  }

  it('returns the backends at a revision with their origin servers', async () => {
    const { zone, first, changed, second, balancer, later } = await aZoneBesideBackends();
    const cases: readonly (readonly [
      ZoneMoment,
      readonly BackendId[],
      readonly WrittenOriginServer[],
      readonly WrittenLoadBalancer[],
    ])[] = [
      [{ whenMade: 1 }, [balancer.id], [first], [balancer]],
      [{ lastDuring: 1 }, [balancer.id], [changed], [balancer]],
      [{ whenMade: 2 }, [balancer.id, first.id], [changed], [balancer]],
      [{ lastDuring: 2 }, [balancer.id, first.id], [second], [later]],
      [{ whenMade: 1 }, [second.id], [second], []],
      [{ lastDuring: 2 }, [first.id], [], []],
      [{ whenMade: 1 }, [], [], []],
    ];
    for (const [moment, ids, originServers, loadBalancers] of cases) {
      const found = await readView(storage(), ({ backendHistory }) => backendHistory.asOf(zone, moment, ids));
      expect(found, JSON.stringify(moment)).to.deep.equal({ originServers, loadBalancers });
    }
  });

  it('returns only those of the zone’s organization', async () => {
    const { balancer } = await aZoneBesideBackends();
    const { zone } = await storedZone(storage());
    const found = readView(storage(), ({ backendHistory }) =>
      backendHistory.asOf(zone, { lastDuring: 1 }, [balancer.id]),
    );
    expect(await found).to.deep.equal({ originServers: [], loadBalancers: [] });
  });
}
