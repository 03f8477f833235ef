import {
  BackendAddress,
  type BackendReference,
  defaultUsageLimits,
  type JsonObject,
  LoadBalancerDraft,
  type RuleDraft,
  type RuleList,
  type WrittenLoadBalancer,
  useCases as wired,
  type ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, type ResultAsync } from 'neverthrow';
import {
  applying,
  backendKinds,
  type OwnedZone,
  overridesWith,
  referenceTo,
  storedBackend,
  storedLoadBalancer,
  storedOriginServer,
  storedOwner,
  storedZone,
  withRules,
} from './arrangements.ts';
import {
  aChange,
  anOrigin,
  anOriginServer,
  aRule,
  aRuleDraft,
  aUserId,
  aZoneName,
  newOrigins,
  unique,
} from './builders.ts';
import { fakePorts } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { goesOn, type HeldUnit, hold } from './gate.ts';
import { expectOneWinner } from './races.ts';
import { concurrently, okOf, raceSize, readView, rounds, runUnit, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** What storage guarantees when backends are used, changed and deleted concurrently. */
export const backendRacesContract = contract('Concurrent backend changes', (storage) => {
  describe('through the use cases', () => writesAtOnce(storage));
  describe('deletion that waits for a use', () => deletions(storage));
  describe('a change that waits for a use', () => changes(storage));
  describe('a use that waits for a change', () => uses(storage));
  describe('what does not wait', () => independence(storage));
});

const useCases = ({ unitOfWork }: Storage) => ({
  createServer: wired({ unitOfWork, ...fakePorts }).createOriginServer,
  createBalancer: wired({ unitOfWork, ...fakePorts }).createLoadBalancer,
  updateServer: wired({ unitOfWork, ...fakePorts }).updateOriginServer,
  updateBalancer: wired({ unitOfWork }).updateLoadBalancer,
  deleteServer: wired({ unitOfWork }).deleteOriginServer,
  deleteBalancer: wired({ unitOfWork }).deleteLoadBalancer,
  createRule: wired({ unitOfWork, ...fakePorts }).createRule,
});

type Failure = { readonly type: string };

const aServerDraft = (): JsonObject => ({
  name: `Server ${unique()}`,
  protocol: 'https',
  address: `server-${unique()}.example.net`,
});

/** A rule that sends requests to the backend. */
const aRuleTo = (backend: BackendReference): RuleDraft<'configurationRule'> =>
  aRuleDraft('configurationRule', { members: overridesWith(backend) });

const rulesOf = (zone: ZoneId): RuleList<'configurationRule'> => ({ zone, kind: 'configurationRule' });

/** A unit that has written a rule that uses the backend, and has not committed yet. */
const beginUse = (storage: Storage, { zone }: Pick<OwnedZone, 'zone'>, backend: BackendReference) => {
  const rule = aRule('configurationRule', { members: overridesWith(backend) });
  const plan = withRules(rulesOf(zone.id), [rule]);
  return hold(storage, ({ zoneChanges }) =>
    zoneChanges
      .facts(zone.id, zone.createdBy ?? aUserId())
      .andThen((facts) =>
        zoneChanges
          .resolveReferences(zone, { backends: [backend] })
          .andThen(({ versions }) => applying(zoneChanges, facts, versions, aChange(plan(facts.state)))),
      ),
  );
};

const remove = (
  storage: Storage,
  { caller, organizationId }: OwnedZone,
  { type, id }: BackendReference,
): ResultAsync<void, Failure> =>
  type === 'load_balancer'
    ? useCases(storage).deleteBalancer(caller, organizationId, id, undefined)
    : useCases(storage).deleteServer(caller, organizationId, id, undefined);

/** The outcome of a unit that waits for the held one. */
async function outcomeAfter(
  held: HeldUnit<unknown>,
  second: ResultAsync<unknown, Failure>,
  rest?: Parameters<typeof held.release>[0],
) {
  await held.endBefore(second, rest);
  return tally([await second]);
}

function writesAtOnce(storage: () => Storage): void {
  it('never exceed the limit of an organization, whichever kinds are created', async () => {
    const { caller, organizationId } = await storedOwner(storage());
    const { createServer, createBalancer } = useCases(storage());
    const filled = Array.from({ length: defaultUsageLimits.backends - 5 }, () => anOriginServer({ organizationId }));
    await runUnit(storage(), ({ originServers }) =>
      filled.reduce(
        (added, server) => added.andThen(() => originServers.add(server, undefined).map(() => undefined)),
        okAsync<undefined, unknown>(undefined),
      ),
    );
    const origins = [anOrigin(filled[0]!.id)];
    const results = await concurrently(
      raceSize,
      (index): ResultAsync<unknown, Failure> =>
        index % 2 === 0
          ? createServer(caller, organizationId, aServerDraft())
          : createBalancer(caller, organizationId, LoadBalancerDraft.parse({ name: `b ${unique()}`, origins })),
    );
    expect(tally(results)).to.deep.equal({ Ok: 5, 'organization.backends.limit': raceSize - 5 });
    const count = await readView(storage(), ({ backends }) => backends.count(organizationId));
    expect(count).to.equal(defaultUsageLimits.backends);
  });

  it('let one of twenty renames to one name, or moves to one address, succeed', async () => {
    for (const [patch, code] of [
      [{ name: 'Main' }, 'originServer.name.duplicate'],
      [{ address: 'main.example.net' }, 'originServer.address.duplicate'],
    ] as const) {
      const { caller, organizationId } = await storedOwner(storage());
      const servers = await concurrently(raceSize, () => storedOriginServer(storage(), { organizationId }));
      const { updateServer } = useCases(storage());
      await expectOneWinner(code, (index) =>
        updateServer(caller, organizationId, servers[index]!.id, patch, undefined),
      );
    }
  });

  it('delete a backend once when twenty units try', async () => {
    for (const type of backendKinds) {
      const owned = await storedZone(storage());
      const backend = await storedBackend(storage(), type, owned.organizationId);
      const results = await concurrently(raceSize, () => remove(storage(), owned, backend));
      const missing = type === 'origin_server' ? 'OriginServerNotFound' : 'LoadBalancerNotFound';
      expect(tally(results)).to.deep.equal({ Ok: 1, [missing]: raceSize - 1 });
    }
  });

  it('leave no rule that uses a deleted backend', async () => {
    for (const _ of rounds) {
      const owned = await storedZone(storage());
      const { caller, organizationId, zone } = owned;
      const references = await Promise.all(backendKinds.map((type) => storedBackend(storage(), type, organizationId)));
      const results = await concurrently(raceSize, (index): ResultAsync<unknown, Failure> => {
        const backend = references[index % 2]!;
        return index < 4
          ? remove(storage(), owned, backend)
          : useCases(storage()).createRule(caller, rulesOf(zone.id), aRuleTo(backend));
      });
      for (const [index, backend] of references.entries()) {
        const deleted = results.some((result, at) => at < 4 && at % 2 === index && result.isOk());
        const used = results.some((result, at) => at >= 4 && at % 2 === index && result.isOk());
        expect({ deleted, used }).to.deep.equal({ deleted: !used, used });
        const users = await readView(storage(), ({ backends }) => backends.users([backend.id]));
        expect(users.length > 0).to.equal(used);
      }
    }
  });

  it('finish without deadlock, whatever they change in whichever order', async () => {
    const { caller, organizationId, zone } = await storedZone(storage());
    const servers = await concurrently(4, () => storedOriginServer(storage(), { organizationId }));
    const originsFrom = (start: number) => [0, 1, 2].map((step) => anOrigin(servers[(start + step) % 4]!.id));
    const balancers = await concurrently(3, (index) =>
      storedLoadBalancer(storage(), { organizationId, origins: originsFrom(index) }),
    );
    const { updateServer, updateBalancer, createRule } = useCases(storage());
    const works: readonly ((turn: number) => ResultAsync<unknown, Failure>)[] = [
      (turn) =>
        updateServer(caller, organizationId, servers[turn % 4]!.id, { address: `a${turn}.example.net` }, undefined),
      (turn) =>
        updateBalancer(
          caller,
          organizationId,
          balancers[turn % 3]!.id,
          { origins: originsFrom(turn).toReversed() },
          undefined,
        ),
      (turn) => updateBalancer(caller, organizationId, balancers[turn % 3]!.id, { name: `b${turn}` }, undefined),
      (turn) => createRule(caller, rulesOf(zone.id), aRuleTo(referenceTo('load_balancer', balancers[turn % 3]!))),
    ];
    for (const round of rounds) {
      const results = await concurrently(raceSize, (index) => works[index % 4]!(round * raceSize + index));
      expect(tally(results)).to.deep.equal({ Ok: raceSize });
    }
  });
}

function deletions(storage: () => Storage): void {
  for (const type of backendKinds) {
    it(`refuses to delete a backend of the kind ${type} that a rule has started to use`, async () => {
      const owned = await storedZone(storage());
      const backend = await storedBackend(storage(), type, owned.organizationId);
      const using = await beginUse(storage(), owned, backend);
      expect(await outcomeAfter(using, remove(storage(), owned, backend))).to.deep.equal({ BackendInUse: 1 });
    });
  }

  it('refuses to delete an origin server that a load balancer has started to use', async () => {
    const owned = await storedZone(storage());
    const { organizationId } = owned;
    const [server, balancer] = [
      await storedOriginServer(storage(), { organizationId }),
      await storedLoadBalancer(storage(), { organizationId }),
    ];
    const reference = referenceTo('origin_server', server);
    const using = await hold(storage(), ({ backends }) => backends.lockPresent(organizationId, [reference]));
    const outcome = await outcomeAfter(using, remove(storage(), owned, reference), ({ loadBalancers }) =>
      loadBalancers.save({ ...balancer, origins: [anOrigin(server.id)] }, newOrigins),
    );
    expect(outcome).to.deep.equal({ BackendInUse: 1 });
  });
}

/** A zone, an origin server, and a load balancer over it. */
async function storedParts(storage: Storage) {
  const owned = await storedZone(storage, { name: aZoneName('shop.example.com') });
  const { organizationId } = owned;
  const server = await storedOriginServer(storage, { organizationId });
  const balancer = await storedLoadBalancer(storage, { organizationId, origins: [anOrigin(server.id)] });
  const patchServer = (patch: object) =>
    useCases(storage).updateServer(owned.caller, organizationId, server.id, { ...patch }, undefined);
  const patchBalancer = (patch: object) =>
    useCases(storage).updateBalancer(owned.caller, organizationId, balancer.id, { ...patch }, undefined);
  return { owned, organizationId, server, balancer, patchServer, patchBalancer };
}

const toZone = { address: 'Shop.example.com' };

function changes(storage: () => Storage): void {
  it('refuses an address that loops with a rule that has started to use the origin server', async () => {
    const { owned, server, patchServer } = await storedParts(storage());
    const using = await beginUse(storage(), owned, referenceTo('origin_server', server));
    expect(await outcomeAfter(using, patchServer(toZone))).to.deep.equal({ 'backend.inUse': 1 });
  });

  it('refuses it even for a rule that has started to use a load balancer over the origin server', async () => {
    const { owned, balancer, patchServer } = await storedParts(storage());
    const using = await beginUse(storage(), owned, referenceTo('load_balancer', balancer));
    expect(await outcomeAfter(using, patchServer(toZone))).to.deep.equal({ 'backend.inUse': 1 });
  });

  it('refuses to disable all origins of a load balancer that a rule has started to use', async () => {
    const { owned, balancer, server, patchBalancer } = await storedParts(storage());
    const using = await beginUse(storage(), owned, referenceTo('load_balancer', balancer));
    const patch = { origins: [anOrigin(server.id, { enabled: false })] };
    expect(await outcomeAfter(using, patchBalancer(patch))).to.deep.equal({ 'backend.inUse': 1 });
  });

  it('refuses an address that loops through a load balancer that has just got the origin server', async () => {
    const { owned, organizationId, balancer, server, patchServer } = await storedParts(storage());
    const { id } = await storedOriginServer(storage(), { organizationId });
    const other = await storedLoadBalancer(storage(), { organizationId, origins: [anOrigin(id)] });
    await okOf(
      useCases(storage()).createRule(
        owned.caller,
        rulesOf(owned.zone.id),
        aRuleTo(referenceTo('load_balancer', other)),
      ),
    );
    const replacing = await hold(storage(), ({ backends, loadBalancers }) =>
      backends
        .lockPresent(organizationId, [referenceTo('origin_server', server)])
        .andThen(() => loadBalancers.lock(organizationId, other.id)),
    );
    const outcome = await outcomeAfter(replacing, patchServer(toZone), ({ loadBalancers }) =>
      loadBalancers.save({ ...other, origins: balancer.origins }, newOrigins),
    );
    expect(outcome).to.deep.equal({ 'backend.inUse': 1 });
  });
}

function uses(storage: () => Storage): void {
  const use = ({ caller, zone }: OwnedZone, backend: BackendReference) =>
    useCases(storage()).createRule(caller, rulesOf(zone.id), aRuleTo(backend));

  for (const type of backendKinds) {
    it(`refuses a rule that uses a backend of the kind ${type} that is deleted meanwhile`, async () => {
      const owned = await storedZone(storage());
      const backend = await storedBackend(storage(), type, owned.organizationId);
      const { id } = backend;
      const port = type === 'origin_server' ? 'originServers' : 'loadBalancers';
      const deleting = await hold(
        storage(),
        (repositories): ResultAsync<unknown, unknown> => repositories[port].lock(owned.organizationId, id),
      );
      const outcome = await outcomeAfter(deleting, use(owned, backend), (repositories) =>
        repositories[port].remove(id, undefined),
      );
      expect(outcome).to.deep.equal({ 'backend.unknown': 1 });
    });
  }

  it('refuses a rule that uses an origin server, directly or not, that gets the zone’s address meanwhile', async () => {
    for (const type of backendKinds) {
      const { owned, server, balancer, organizationId } = await storedParts(storage());
      const moving = await hold(storage(), ({ originServers, backends }) =>
        originServers.lock(organizationId, server.id).andThen(() => backends.lockLoadBalancersWith(server.id)),
      );
      const backend = referenceTo(type, type === 'origin_server' ? server : balancer);
      const outcome = await outcomeAfter(moving, use(owned, backend), ({ originServers }) =>
        originServers.save({ ...server, address: BackendAddress.parse(toZone.address) }, undefined),
      );
      expect(outcome).to.deep.equal({ 'backend.loop': 1 });
    }
  });

  it('refuses a rule that uses a load balancer whose origins are all disabled meanwhile', async () => {
    const { owned, server, balancer, organizationId } = await storedParts(storage());
    const origins: WrittenLoadBalancer['origins'] = [anOrigin(server.id, { enabled: false })];
    const disabling = await hold(storage(), ({ loadBalancers }) => loadBalancers.lock(organizationId, balancer.id));
    const using = use(owned, referenceTo('load_balancer', balancer));
    const outcome = await outcomeAfter(disabling, using, ({ loadBalancers }) =>
      loadBalancers.save({ ...balancer, origins }, newOrigins),
    );
    expect(outcome).to.deep.equal({ 'backend.noEnabledOrigin': 1 });
  });

  it('refuses a load balancer with an origin server that is deleted meanwhile', async () => {
    const { organizationId, patchBalancer } = await storedParts(storage());
    const { id } = await storedOriginServer(storage(), { organizationId });
    const deleting = await hold(storage(), ({ originServers }) => originServers.lock(organizationId, id));
    const patching = patchBalancer({ origins: [anOrigin(id)] });
    const outcome = await outcomeAfter(deleting, patching, ({ originServers }) => originServers.remove(id, undefined));
    expect(outcome).to.deep.equal({ 'loadBalancer.origin.unknown': 1 });
  });
}

function independence(storage: () => Storage): void {
  it('is another use of the same backend', async () => {
    const owned = await storedZone(storage());
    const other = await storedZone(storage(), { owner: owned });
    const backend = await storedBackend(storage(), 'load_balancer', owned.organizationId);
    const using = await beginUse(storage(), owned, backend);
    const second = useCases(storage()).createRule(owned.caller, rulesOf(other.zone.id), aRuleTo(backend));
    expect(await goesOn(storage(), second)).to.equal(true);
    await okOf(using.release());
    await okOf(second);
  });

  it('is a rule of a zone that uses another backend, while one is changed', async () => {
    const { owned, server, organizationId } = await storedParts(storage());
    const backend = await storedBackend(storage(), 'origin_server', organizationId);
    const changing = await hold(storage(), ({ originServers }) => originServers.lock(organizationId, server.id));
    const second = useCases(storage()).createRule(owned.caller, rulesOf(owned.zone.id), aRuleTo(backend));
    expect(await goesOn(storage(), second)).to.equal(true);
    await okOf(changing.release());
    await okOf(second);
  });

  it('is a change of a load balancer that keeps its origins, while one of them is changed', async () => {
    const { server, organizationId, patchBalancer } = await storedParts(storage());
    const changing = await hold(storage(), ({ originServers }) => originServers.lock(organizationId, server.id));
    const second = patchBalancer({ name: 'Renamed', method: 'ip_hash' });
    expect(await goesOn(storage(), second)).to.equal(true);
    await okOf(changing.release());
    expect((await okOf(second)).origins).to.deep.equal([anOrigin(server.id)]);
  });
}
