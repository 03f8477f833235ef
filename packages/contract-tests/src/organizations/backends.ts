import {
  BackendAddress,
  BackendReference,
  type BackendUser,
  backendKind,
  HostName,
  maxUsers,
  type OrganizationId,
} from '@zonewright/core';
import { expect } from 'chai';
import { storedHost } from '../arrangements/edges.ts';
import {
  addRules,
  backendKinds,
  type Owner,
  overridesWith,
  referenceTo,
  storedBackend,
  storedLoadBalancer,
  storedOriginServer,
  storedOwner,
  storedZone,
  zoneSettingsWith,
} from '../arrangements/index.ts';
import { aBackendId, anOrigin, aRule, aZoneName } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const backendsContract = contract('Backends contract', (storage) => {
  describe('lockPresent', () => presence(storage));
  describe('lockLoadBalancersWith', () => balancersOver(storage));
  describe('count', () => counting(storage));
  describe('users', () => users(storage));
});

function presence(storage: () => Storage): void {
  /** The origins of each existing backend, in the given order; undefined for missing backends. */
  const locked = (organization: OrganizationId, ...backends: readonly BackendReference[]) =>
    runUnit(storage(), (repositories) => repositories.backends.lockPresent(organization, backends)).then((present) =>
      backends.map((backend) => present[backendKind(backend)].get(backend.id)),
    );
  const at = (organizationId: OrganizationId, address: string) =>
    storedOriginServer(storage(), { organizationId, address: BackendAddress.parse(address) });

  it('returns nothing for no backends', async () => {
    const { organizationId } = await storedOwner(storage());
    expect(await locked(organizationId)).to.deep.equal([]);
  });

  for (const type of backendKinds) {
    it(`finds a backend of the kind ${type} only in its own organization`, async () => {
      const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
      const backend = await storedBackend(storage(), type, owner.organizationId);
      const unknown = referenceTo(type, { id: aBackendId() });
      const [found, none] = await locked(owner.organizationId, backend, unknown);
      expect(found).to.have.length(1);
      expect(none).to.equal(undefined);
      expect(await locked(other.organizationId, backend)).to.deep.equal([undefined]);
    });
  }

  it('resolves an origin server to itself, with its canonical address', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id } = await at(organizationId, 'Origin.Example.NET');
    const [reference, synonym] = ['origin_server', 'origin'].map((type) => BackendReference.parse({ type, id }));
    const itself = [{ addressKey: 'origin.example.net', enabled: true }];
    expect(await locked(organizationId, reference!, synonym!)).to.deep.equal([itself, itself]);
  });

  it('never confuses the kinds', async () => {
    const { organizationId } = await storedOwner(storage());
    const server = await storedOriginServer(storage(), { organizationId });
    const balancer = await storedLoadBalancer(storage(), { organizationId });
    const swapped = [referenceTo('load_balancer', server), referenceTo('origin_server', balancer)];
    expect(await locked(organizationId, ...swapped)).to.deep.equal([undefined, undefined]);
  });

  it('finds all origins of each load balancer in order, including disabled ones', async () => {
    const { organizationId } = await storedOwner(storage());
    const [first, second] = [await at(organizationId, 'first.example.net'), await at(organizationId, '2001:DB8:0::1')];
    const origins = [anOrigin(second.id, { enabled: false }), anOrigin(first.id)];
    const both = await storedLoadBalancer(storage(), { organizationId, origins });
    const one = await storedLoadBalancer(storage(), { organizationId, origins: [anOrigin(first.id)] });
    const references = [both, one].map((balancer) => referenceTo('load_balancer', balancer));
    const firstOrigin = { addressKey: 'first.example.net', enabled: true };
    expect(await locked(organizationId, ...references, referenceTo('origin_server', first))).to.deep.equal([
      [{ addressKey: '2001:db8::1', enabled: false }, firstOrigin],
      [firstOrigin],
      [firstOrigin],
    ]);
  });

  it('waits for a change of an origin server, and returns the new address', async () => {
    const server = await storedOriginServer(storage(), await storedOwner(storage()));
    const { organizationId, id } = server;
    const held = await hold(storage(), ({ originServers }) => originServers.lock(organizationId, id));
    const locking = locked(organizationId, referenceTo('origin_server', server));
    await okOf(
      held.endBefore(locking, ({ originServers }) =>
        originServers.save({ ...server, address: BackendAddress.parse('new.example.net') }, undefined),
      ),
    );
    expect(await locking).to.deep.equal([[{ addressKey: 'new.example.net', enabled: true }]]);
  });

  it('makes changes and removals of an origin server wait', async () => {
    const server = await storedOriginServer(storage(), await storedOwner(storage()));
    const held = await hold(storage(), ({ backends }) =>
      backends.lockPresent(server.organizationId, [referenceTo('origin_server', server)]),
    );
    const locking = storage().unitOfWork.run(({ originServers }) =>
      originServers.lock(server.organizationId, server.id),
    );
    await okOf(held.endBefore(locking));
    await okOf(locking);
  });
}

function balancersOver(storage: () => Storage): void {
  it('finds those with the origin server, enabled or not', async () => {
    const { organizationId } = await storedOwner(storage());
    const [{ id }, other] = [
      await storedOriginServer(storage(), { organizationId }),
      await storedOriginServer(storage(), { organizationId }),
    ];
    const over = async (...origins: readonly ReturnType<typeof anOrigin>[]) =>
      (await storedLoadBalancer(storage(), { organizationId, origins })).id;
    const enabled = await over(anOrigin(other.id), anOrigin(id));
    const disabled = await over(anOrigin(id, { enabled: false }));
    await over(anOrigin(other.id));
    const found = await runUnit(storage(), ({ backends }) => backends.lockLoadBalancersWith(id));
    expect(found).to.have.members([enabled, disabled]);
    expect(await runUnit(storage(), ({ backends }) => backends.lockLoadBalancersWith(aBackendId()))).to.deep.equal([]);
  });
}

function counting(storage: () => Storage): void {
  it('counts both kinds of the organization only', async () => {
    const [{ organizationId }, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const count = () => readView(storage(), ({ backends }) => backends.count(organizationId));
    expect(await count()).to.equal(0);
    const origins = [anOrigin((await storedOriginServer(storage(), { organizationId })).id)];
    await storedLoadBalancer(storage(), { organizationId, origins });
    await storedLoadBalancer(storage(), { organizationId, origins });
    await storedLoadBalancer(storage(), other);
    expect(await count()).to.equal(3);
  });
}

function users(storage: () => Storage): void {
  const usersOf = (references: readonly BackendReference[], filter?: { readonly hosts: readonly string[] }) =>
    readView(storage(), ({ backends }) =>
      backends.users(
        references.map(({ id }) => id),
        filter,
      ),
    );

  /** A zone with two rules, all using the backend. */
  async function storedUsers(backend: BackendReference, owner: Owner, name: string): Promise<readonly BackendUser[]> {
    const settings = zoneSettingsWith(backend);
    const { zone } = await storedZone(storage(), { owner, name: aZoneName(name), settings });
    const rules = ['second', 'FIRST'].map((rule) =>
      aRule('configurationRule', { name: rule, members: overridesWith(backend) }),
    );
    const list = { zone: zone.id, kind: 'configurationRule' } as const;
    await addRules(storage(), list, [...rules, aRule('configurationRule')]);
    return [
      { kind: 'zone', name: zone.name, zone: zone.id },
      ...rules.toReversed().map(({ id, content }) => ({
        kind: 'configurationRule' as const,
        name: content.value.name,
        zone: zone.id,
        rule: id,
      })),
    ];
  }

  for (const type of backendKinds) {
    it(`are zones and then rules by name, for a backend of the kind ${type}`, async () => {
      const owner = await storedOwner(storage());
      const [backend, another] = [
        await storedBackend(storage(), type, owner.organizationId),
        await storedBackend(storage(), type, owner.organizationId),
      ];
      expect(await usersOf([backend])).to.deep.equal([]);
      const expected = await storedUsers(backend, owner, 'shop.example.com');
      await storedUsers(another, owner, 'other.example.com');
      expect(await usersOf([backend])).to.deep.equal(expected);
    });
  }

  it('are load balancers after them, for an origin server', async () => {
    const owner = await storedOwner(storage());
    const { organizationId } = owner;
    const server = await storedOriginServer(storage(), { organizationId });
    const direct = await storedUsers(referenceTo('origin_server', server), owner, 'shop.example.com');
    const origins = [anOrigin(server.id, { enabled: false })];
    const balancer = await storedLoadBalancer(storage(), { organizationId, origins });
    await storedLoadBalancer(storage(), { organizationId });
    expect(await usersOf([referenceTo('origin_server', server)])).to.deep.equal([
      ...direct,
      { kind: 'loadBalancer', name: balancer.name, organization: organizationId, loadBalancer: balancer.id },
    ]);
  });

  it('are those of several backends, limited to zones that answer for the requested hosts', async () => {
    const owner = await storedOwner(storage());
    const { organizationId } = owner;
    const server = await storedOriginServer(storage(), { organizationId });
    const balancer = await storedLoadBalancer(storage(), { organizationId, origins: [anOrigin(server.id)] });
    const references = [referenceTo('origin_server', server), referenceTo('load_balancer', balancer)];
    const inShop = await storedUsers(references[0]!, owner, 'Shop.Example.com');
    const inBlog = await storedUsers(references[1]!, owner, 'blog.example.com');
    const ids = (found: readonly BackendUser[]) => found.map((user) => (user.kind === 'zone' ? user.zone : user));
    expect(ids(await usersOf(references, { hosts: ['shop.example.com', 'x'] }))).to.deep.equal(ids(inShop));
    expect(ids(await usersOf(references, { hosts: ['blog.example.com'] }))).to.deep.equal(ids(inBlog));
    expect(await usersOf(references, { hosts: [] })).to.deep.equal([]);
    const { zone } = await storedHost(storage(), {
      owner,
      settings: zoneSettingsWith(references[0]!),
      hostnames: [HostName.parse('*.wild.example.com')],
      claims: [{ name: HostName.parse('*.wild.example.com'), domain: undefined }],
    });
    expect(ids(await usersOf(references, { hosts: ['a.wild.example.com'] }))).to.deep.equal([zone.id]);
    expect(await usersOf(references, { hosts: ['wild.example.com', 'a.a.wild.example.com'] })).to.deep.equal([]);
    expect(await usersOf(references)).to.have.length(inShop.length + inBlog.length + 2);
  });

  it('are limited to the first hundred', async () => {
    const owner = await storedOwner(storage());
    const { zone } = await storedZone(storage(), { owner });
    const backend = await storedBackend(storage(), 'origin_server', owner.organizationId);
    const names = Array.from({ length: maxUsers + 1 }, (_, index) => `rule ${String(index).padStart(3, '0')}`);
    const rules = names.map((name) => aRule('configurationRule', { name, members: overridesWith(backend) }));
    await addRules(storage(), { zone: zone.id, kind: 'configurationRule' }, rules);
    expect((await usersOf([backend])).map(({ name }) => name)).to.deep.equal(names.slice(0, maxUsers));
  });
}
