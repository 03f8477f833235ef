import { BackendName, LoadBalancerDraft, type WrittenLoadBalancer } from '@zonewright/core';
import { expect } from 'chai';
import { storedLoadBalancer, storedOriginServer, storedOwner } from '../arrangements/index.ts';
import { aBackendId, aLoadBalancer, anOrigin, newOrigins, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { expectOneWinner } from '../races.ts';
import { concurrently, errorOf, okOf, readView, rejectionOf, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const loadBalancersContract = contract('LoadBalancers contract', (storage) => {
  describe('add and byId', () => additions(storage));
  describe('uniqueness', () => uniqueness(storage));
  describe('list', () => lists(storage));
  describe('lock', () => locks(storage));
  describe('save and remove', () => changes(storage));
});

const add = ({ unitOfWork }: Storage, balancer: WrittenLoadBalancer) =>
  unitOfWork.run(({ loadBalancers }) => loadBalancers.add(balancer, undefined));
const read = (storage: Storage, { organizationId, id }: WrittenLoadBalancer) =>
  readView(storage, ({ loadBalancers }) => loadBalancers.byId(organizationId, id));

/** Three origins that differ in every property, over origin servers of the organization. */
async function threeOrigins(storage: Storage, organizationId: WrittenLoadBalancer['organizationId']) {
  const ids = await concurrently(3, async () => (await storedOriginServer(storage, { organizationId })).id);
  const [first, second, third] = ids.toSorted();
  return [anOrigin(second!, { weight: 1000 }), anOrigin(third!, { enabled: false }), anOrigin(first!, { weight: 7 })];
}

function additions(storage: () => Storage): void {
  it('stores everything as written, including the order of the origins', async () => {
    const { organizationId } = await storedOwner(storage());
    const origins = await threeOrigins(storage(), organizationId);
    const full = LoadBalancerDraft.parse({
      name: 'Ärger',
      method: 'ip_hash',
      requestHostname: 'Shop.example.com',
      origins,
    });
    for (const balancer of [
      aLoadBalancer({ organizationId, ...full }),
      aLoadBalancer({ organizationId, origins: [origins[0]!] }),
    ]) {
      const stamp = await okOf(add(storage(), balancer));
      expect(stamp.revision).to.equal(1);
      expect(stamp.updatedAt).to.deep.equal(stamp.createdAt);
      expect(await read(storage(), balancer)).to.deep.equal({ ...balancer, ...stamp });
    }
  });

  it('finds it only in its own organization', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { id } = await storedLoadBalancer(storage(), own);
    for (const [organization, wanted] of [
      [other.organizationId, id],
      [own.organizationId, aBackendId()],
    ] as const) {
      const missing = storage().unitOfWork.view(({ loadBalancers }) => loadBalancers.byId(organization, wanted));
      expect(await errorOf(missing)).to.deep.equal({ type: 'LoadBalancerNotFound' });
    }
  });

  it('is a defect with an origin server of another organization, or of none', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const foreign = await storedOriginServer(storage(), other);
    for (const id of [foreign.id, aBackendId()]) {
      const balancer = aLoadBalancer({ organizationId: own.organizationId, origins: [anOrigin(id)] });
      expect(await rejectionOf(add(storage(), balancer))).to.be.an.instanceOf(Error);
    }
    expect(await readView(storage(), ({ backends }) => backends.count(own.organizationId))).to.equal(0);
  });
}

function uniqueness(storage: () => Storage): void {
  it('refuses the name of another one in any case, on add and save', async () => {
    const { organizationId } = await storedOwner(storage());
    const { origins } = await storedLoadBalancer(storage(), { organizationId, name: BackendName.parse('Main') });
    const balancer = aLoadBalancer({ organizationId, origins, name: BackendName.parse('mAIN') });
    const clashes = await readView(storage(), ({ loadBalancers }) => loadBalancers.clashes(balancer));
    expect(clashes).to.deep.equal([{ type: 'BackendNameTaken' }]);
    expect(tally([await add(storage(), balancer)])).to.deep.equal({ BackendNameTaken: 1 });
    const other = await storedLoadBalancer(storage(), { organizationId });
    const saved = storage().unitOfWork.run(({ loadBalancers }) =>
      loadBalancers.save({ ...other, name: balancer.name }, { ...newOrigins, originsChange: false }),
    );
    expect(tally([await saved])).to.deep.equal({ BackendNameTaken: 1 });
  });

  it('is limited to one organization and kind, and excludes itself', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const name = BackendName.parse('Main');
    const balancer = await storedLoadBalancer(storage(), { organizationId: own.organizationId, name });
    await storedLoadBalancer(storage(), { organizationId: other.organizationId, name });
    await storedOriginServer(storage(), { organizationId: own.organizationId, name });
    expect(await readView(storage(), ({ loadBalancers }) => loadBalancers.clashes(balancer))).to.deep.equal([]);
  });

  it('lets exactly one of twenty concurrent additions of one name succeed', async () => {
    for (const _ of rounds) {
      const { organizationId } = await storedOwner(storage());
      const origins = [anOrigin((await storedOriginServer(storage(), { organizationId })).id)];
      const name = BackendName.parse('Main');
      await expectOneWinner('BackendNameTaken', () => add(storage(), aLoadBalancer({ organizationId, origins, name })));
    }
  });
}

function lists(storage: () => Storage): void {
  it('lists those of the organization ordered by name ignoring case, each with its origins', async () => {
    const { organizationId } = await storedOwner(storage());
    await storedLoadBalancer(storage(), await storedOwner(storage()));
    const origins = await threeOrigins(storage(), organizationId);
    for (const name of ['delta', 'Beta', 'alpha', 'GAMMA'])
      await storedLoadBalancer(storage(), { organizationId, name: BackendName.parse(name), origins });
    const listOf = async (page = wholeList) => {
      const found = await readView(storage(), ({ loadBalancers }) => loadBalancers.list(organizationId, page));
      expect(found.totalItems).to.equal(4);
      return found.items;
    };
    const all = await listOf();
    expect(all.map(({ name }) => name)).to.deep.equal(['alpha', 'Beta', 'delta', 'GAMMA']);
    for (const each of all) expect(each).to.deep.equal(await read(storage(), each));
    expect((await listOf({ page: 2, itemsPerPage: 3 })).map(({ name }) => name)).to.deep.equal(['GAMMA']);
    expect(await listOf({ page: 1, itemsPerPage: 0 })).to.deep.equal([]);
  });
}

function locks(storage: () => Storage): void {
  it('lock finds the load balancer only in its own organization', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const balancer = await storedLoadBalancer(storage(), own);
    const lock = (organization: typeof own.organizationId) =>
      storage().unitOfWork.run(({ loadBalancers }) => loadBalancers.lock(organization, balancer.id));
    expect(await okOf(lock(own.organizationId))).to.deep.equal(await read(storage(), balancer));
    expect(await errorOf(lock(other.organizationId))).to.deep.equal({ type: 'LoadBalancerNotFound' });
  });

  it('lock shows the name and origins written by a unit it waited for', async () => {
    const balancer = await storedLoadBalancer(storage(), await storedOwner(storage()));
    const { organizationId, id } = balancer;
    const changed = {
      ...balancer,
      name: BackendName.parse('New'),
      origins: await threeOrigins(storage(), organizationId),
    };
    const held = await hold(storage(), ({ loadBalancers }) => loadBalancers.lock(organizationId, id));
    const second = storage().unitOfWork.run(({ loadBalancers }) => loadBalancers.lock(organizationId, id));
    await okOf(held.endBefore(second, ({ loadBalancers }) => loadBalancers.save(changed, newOrigins)));
    const { name, origins, revision } = await okOf(second);
    expect({ name, origins, revision }).to.deep.equal({ name: 'New', origins: changed.origins, revision: 2 });
  });
}

function changes(storage: () => Storage): void {
  it('save without origins replaces everything else, and affects no other load balancer', async () => {
    const { organizationId } = await storedOwner(storage());
    const balancer = await storedLoadBalancer(storage(), { organizationId });
    const other = await storedLoadBalancer(storage(), { organizationId });
    await storage().passTime(10);
    const changed = { ...balancer, name: BackendName.parse('New'), method: 'round_robin' as const };
    await runUnit(storage(), ({ loadBalancers }) =>
      loadBalancers.save(changed, { ...newOrigins, originsChange: false }),
    );
    const { createdAt, updatedAt, ...rest } = await read(storage(), balancer);
    expect(rest).to.deep.equal({ ...changed, revision: 2 });
    expect(updatedAt.getTime() - createdAt.getTime()).to.be.at.least(10_000);
    expect((await read(storage(), other)).revision).to.equal(1);
  });

  it('save sets exactly these origins, and does not affect others', async () => {
    const { organizationId } = await storedOwner(storage());
    const origins = await threeOrigins(storage(), organizationId);
    const balancer = await storedLoadBalancer(storage(), { organizationId, origins });
    const other = await storedLoadBalancer(storage(), { organizationId, origins });
    const replaced = [anOrigin(origins[2]!.originServer, { enabled: false }), { ...origins[0]!, weight: 2 }];
    await runUnit(storage(), ({ loadBalancers }) => loadBalancers.save({ ...balancer, origins: replaced }, newOrigins));
    expect((await read(storage(), balancer)).origins).to.deep.equal(replaced);
    expect((await read(storage(), other)).origins).to.deep.equal(origins);
  });

  it('save is a defect with an origin server of another organization', async () => {
    const balancer = await storedLoadBalancer(storage(), await storedOwner(storage()));
    const foreign = await storedOriginServer(storage(), await storedOwner(storage()));
    const replacing = storage().unitOfWork.run(({ loadBalancers }) =>
      loadBalancers.save({ ...balancer, origins: [anOrigin(foreign.id)] }, newOrigins),
    );
    expect(await rejectionOf(replacing)).to.be.an.instanceOf(Error);
    expect((await read(storage(), balancer)).origins).to.deep.equal(balancer.origins);
  });

  it('remove deletes it, and keeps its origin servers', async () => {
    const { organizationId, id } = await storedLoadBalancer(storage(), await storedOwner(storage()));
    const ofOrganization = () =>
      readView(storage(), ({ originServers }) => originServers.list(organizationId, wholeList));
    const [server] = (await ofOrganization()).items;
    await runUnit(storage(), ({ loadBalancers }) => loadBalancers.remove(id, undefined));
    expect(await readView(storage(), ({ backends }) => backends.count(organizationId))).to.equal(1);
    expect((await ofOrganization()).items).to.deep.equal([server]);
    await runUnit(storage(), ({ originServers }) => originServers.remove(server!.id, undefined));
  });
}
