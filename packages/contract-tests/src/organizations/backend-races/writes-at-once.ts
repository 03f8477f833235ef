import { defaultUsageLimits, LoadBalancerDraft } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, type ResultAsync } from 'neverthrow';
import {
  backendKinds,
  referenceTo,
  storedBackend,
  storedLoadBalancer,
  storedOriginServer,
  storedOwner,
  storedZone,
} from '../../arrangements/index.ts';
import { anOrigin, anOriginServer, unique } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { expectOneWinner } from '../../races.ts';
import { concurrently, type Failure, raceSize, readView, rounds, runUnit, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { aRuleTo, aServerDraft, remove, rulesOf } from './parts.ts';

/** Twenty changes at once through the use cases. */
export function writesAtOnce(storage: () => Storage): void {
  it('never exceed the limit of an organization, whichever kinds are created', async () => {
    const { caller, organizationId } = await storedOwner(storage());
    const { createOriginServer, createLoadBalancer } = casesOn(storage());
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
          ? createOriginServer(caller, organizationId, aServerDraft())
          : createLoadBalancer(caller, organizationId, LoadBalancerDraft.parse({ name: `b ${unique()}`, origins })),
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
      const { updateOriginServer } = casesOn(storage());
      await expectOneWinner(code, (index) =>
        updateOriginServer(caller, organizationId, servers[index]!.id, patch, undefined),
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
          : casesOn(storage()).createRule(caller, rulesOf(zone.id), aRuleTo(backend));
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
    const { updateOriginServer, updateLoadBalancer, createRule } = casesOn(storage());
    const works: readonly ((turn: number) => ResultAsync<unknown, Failure>)[] = [
      (turn) =>
        updateOriginServer(
          caller,
          organizationId,
          servers[turn % 4]!.id,
          { address: `a${turn}.example.net` },
          undefined,
        ),
      (turn) =>
        updateLoadBalancer(
          caller,
          organizationId,
          balancers[turn % 3]!.id,
          { origins: originsFrom(turn).toReversed() },
          undefined,
        ),
      (turn) => updateLoadBalancer(caller, organizationId, balancers[turn % 3]!.id, { name: `b${turn}` }, undefined),
      (turn) => createRule(caller, rulesOf(zone.id), aRuleTo(referenceTo('load_balancer', balancers[turn % 3]!))),
    ];
    for (const round of rounds) {
      const results = await concurrently(raceSize, (index) => works[index % 4]!(round * raceSize + index));
      expect(tally(results)).to.deep.equal({ Ok: raceSize });
    }
  });
}
