import { BackendAddress, BackendName, OriginServerDraft, type WrittenOriginServer } from '@zonewright/core';
import { expect } from 'chai';
import { removeOrganization, storedLoadBalancer, storedOriginServer, storedOwner } from '../arrangements/index.ts';
import { aBackendId, anOrigin, anOriginServer, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { expectOneWinner } from '../races.ts';
import { errorOf, okOf, readView, rejectionOf, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const originServersContract = contract('OriginServers contract', (storage) => {
  describe('add and byId', () => additions(storage));
  describe('uniqueness', () => uniqueness(storage));
  describe('list', () => lists(storage));
  describe('lock', () => locks(storage));
  describe('save and remove', () => changes(storage));
});

const add = ({ unitOfWork }: Storage, server: WrittenOriginServer) =>
  unitOfWork.run(({ originServers }) => originServers.add(server, undefined));
const read = (storage: Storage, { organizationId, id }: WrittenOriginServer) =>
  readView(storage, ({ originServers }) => originServers.byId(organizationId, id));

/** A server with an unusual spelling of its address, and all optional members. */
const aFullServer = (organizationId: WrittenOriginServer['organizationId']): WrittenOriginServer =>
  anOriginServer({
    organizationId,
    ...OriginServerDraft.parse({
      name: 'Ärger',
      protocol: 'http',
      address: '2001:DB8::A',
      port: 8080,
      requestHostname: 'Shop.example.com',
    }),
  });

function additions(storage: () => Storage): void {
  it('stores everything as written', async () => {
    const { organizationId } = await storedOwner(storage());
    for (const server of [aFullServer(organizationId), anOriginServer({ organizationId })]) {
      const stamp = await okOf(add(storage(), server));
      expect(stamp.revision).to.equal(1);
      expect(stamp.updatedAt).to.deep.equal(stamp.createdAt);
      expect(await read(storage(), server)).to.deep.equal({ ...server, ...stamp });
    }
  });

  it('finds it only in its own organization', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { id } = await storedOriginServer(storage(), own);
    for (const [organization, wanted] of [
      [other.organizationId, id],
      [own.organizationId, aBackendId()],
    ] as const) {
      const missing = storage().unitOfWork.view(({ originServers }) => originServers.byId(organization, wanted));
      expect(await errorOf(missing)).to.deep.equal({ type: 'OriginServerNotFound' });
    }
  });
}

function uniqueness(storage: () => Storage): void {
  const address = (text: string) => BackendAddress.parse(text);
  const taken = { name: BackendName.parse('Main'), address: address('origin.example.net'), port: 443 };
  const cases: readonly (readonly [what: string, changes: Partial<WrittenOriginServer>, clashes: readonly string[]])[] =
    [
      ['the name of another one in another case', { name: BackendName.parse('mAIN') }, ['BackendNameTaken']],
      ['its address and port', { address: address('ORIGIN.example.net'), port: 443 }, ['OriginAddressTaken']],
      ['both', { ...taken }, ['BackendNameTaken', 'OriginAddressTaken']],
      ['its address with another port', { address: taken.address, port: 444 }, []],
      ['its port with another address', { port: 443 }, []],
    ];
  for (const [what, changes, clashes] of cases) {
    it(`${clashes.length > 0 ? 'refuses' : 'accepts'} ${what}`, async () => {
      const { organizationId } = await storedOwner(storage());
      await storedOriginServer(storage(), { organizationId, ...taken });
      const server = anOriginServer({ organizationId, ...changes });
      const found = await readView(storage(), ({ originServers }) => originServers.clashes(server));
      expect(found.map(({ type }) => type)).to.deep.equal(clashes);
      expect(tally([await add(storage(), server)])).to.deep.equal({ [clashes[0] ?? 'Ok']: 1 });
      const other = await storedOriginServer(storage(), { organizationId });
      const saved = storage().unitOfWork.run(({ originServers }) =>
        originServers.save({ ...other, ...(clashes.length > 0 ? changes : {}) }, undefined),
      );
      expect(tally([await saved])).to.deep.equal({ [clashes[0] ?? 'Ok']: 1 });
    });
  }

  it('refuses a taken IP address in another spelling', async () => {
    const { organizationId } = await storedOwner(storage());
    await storedOriginServer(storage(), { organizationId, address: address('8.8.4.4') });
    const mapped = anOriginServer({ organizationId, address: address('::FFFF:8.8.4.4') });
    expect(tally([await add(storage(), mapped)])).to.deep.equal({ OriginAddressTaken: 1 });
  });

  it('is limited to one organization, and excludes itself', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const server = await storedOriginServer(storage(), { ...taken, organizationId: own.organizationId });
    await okOf(add(storage(), anOriginServer({ ...taken, organizationId: other.organizationId })));
    expect(await readView(storage(), ({ originServers }) => originServers.clashes(server))).to.deep.equal([]);
  });

  for (const [what, error, same] of [
    ['name', 'BackendNameTaken', { name: taken.name }],
    ['address and port', 'OriginAddressTaken', { address: taken.address, port: 443 }],
  ] as const) {
    it(`lets exactly one of twenty concurrent additions with one ${what} succeed`, async () => {
      for (const _ of rounds) {
        const { organizationId } = await storedOwner(storage());
        await expectOneWinner(error, () => add(storage(), anOriginServer({ organizationId, ...same })));
      }
    });
  }
}

function lists(storage: () => Storage): void {
  it('lists those of the organization page by page, ordered by name ignoring case', async () => {
    const { organizationId } = await storedOwner(storage());
    await storedOriginServer(storage(), await storedOwner(storage()));
    for (const name of ['delta', 'Beta', 'alpha', 'Éclair', 'GAMMA'])
      await storedOriginServer(storage(), { organizationId, name: BackendName.parse(name) });
    const namesOn = async (page = wholeList) => {
      const { items, totalItems } = await readView(storage(), ({ originServers }) =>
        originServers.list(organizationId, page),
      );
      expect(totalItems).to.equal(5);
      return items.map(({ name }) => name);
    };
    expect(await namesOn()).to.deep.equal(['alpha', 'Beta', 'delta', 'GAMMA', 'Éclair']);
    expect(await namesOn({ page: 2, itemsPerPage: 2 })).to.deep.equal(['delta', 'GAMMA']);
    expect(await namesOn({ page: 1, itemsPerPage: 0 })).to.deep.equal([]);
  });
}

function locks(storage: () => Storage): void {
  it('lock finds the origin server only in its own organization', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const server = await storedOriginServer(storage(), own);
    const lock = (organization: typeof own.organizationId) =>
      storage().unitOfWork.run(({ originServers }) => originServers.lock(organization, server.id));
    expect(await okOf(lock(own.organizationId))).to.deep.equal(await read(storage(), server));
    expect(await errorOf(lock(other.organizationId))).to.deep.equal({ type: 'OriginServerNotFound' });
  });

  it('lock shows what a unit it waited for has written', async () => {
    const server = await storedOriginServer(storage(), await storedOwner(storage()));
    const name = BackendName.parse('Renamed');
    const held = await hold(storage(), ({ originServers }) => originServers.lock(server.organizationId, server.id));
    const second = storage().unitOfWork.run(({ originServers }) =>
      originServers.lock(server.organizationId, server.id),
    );
    await okOf(held.endBefore(second, ({ originServers }) => originServers.save({ ...server, name }, undefined)));
    expect(await okOf(second)).to.include({ name, revision: 2 });
  });
}

function changes(storage: () => Storage): void {
  it('save replaces what was written, and nothing else', async () => {
    const { organizationId } = await storedOwner(storage());
    const server = await storedOriginServer(storage(), { organizationId });
    const other = await storedOriginServer(storage(), { organizationId });
    const [before, untouched] = [await read(storage(), server), await read(storage(), other)];
    await storage().passTime(10);
    const written = { ...aFullServer(organizationId), id: server.id };
    const stamp = await runUnit(storage(), ({ originServers }) => originServers.save(written, undefined));
    expect(stamp.revision).to.equal(2);
    const { createdAt, updatedAt, ...rest } = await read(storage(), server);
    expect(rest).to.deep.equal({ ...written, revision: 2 });
    expect(updatedAt.getTime() - createdAt.getTime()).to.be.at.least(10_000);
    expect(createdAt.getTime()).to.be.at.most(before.createdAt.getTime());
    expect((await read(storage(), other)).revision).to.equal(untouched.revision);
  });

  it('remove deletes it', async () => {
    const server = await storedOriginServer(storage(), await storedOwner(storage()));
    await runUnit(storage(), ({ originServers }) => originServers.remove(server.id, undefined));
    expect(await readView(storage(), ({ backends }) => backends.count(server.organizationId))).to.equal(0);
  });

  it('remove is a defect while a load balancer uses it', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id } = await storedOriginServer(storage(), { organizationId });
    await storedLoadBalancer(storage(), { organizationId, origins: [anOrigin(id)] });
    const removal = storage().unitOfWork.run(({ originServers }) => originServers.remove(id, undefined));
    expect(await rejectionOf(removal)).to.be.an.instanceOf(Error);
    expect(await readView(storage(), ({ backends }) => backends.count(organizationId))).to.equal(2);
  });

  it('is deleted with its organization, whether or not a load balancer uses it', async () => {
    const { organizationId } = await storedOwner(storage());
    const server = await storedOriginServer(storage(), { organizationId });
    await storedLoadBalancer(storage(), { organizationId, origins: [anOrigin(server.id)] });
    await storedOriginServer(storage(), { organizationId });
    await removeOrganization(storage(), organizationId);
    expect(await readView(storage(), ({ backends }) => backends.count(organizationId))).to.equal(0);
  });
}
