import { BackendAddress, type BackendReference, type WrittenLoadBalancer } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import {
  backendKinds,
  type OwnedZone,
  referenceTo,
  storedBackend,
  storedOriginServer,
  storedZone,
} from '../../arrangements/index.ts';
import { anOrigin, newOrigins } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import type { Storage } from '../../storage.ts';
import { aRuleTo, outcomeAfter, rulesOf, storedParts, toZone } from './parts.ts';

/** The use of a backend that is changed or deleted meanwhile. */
export function uses(storage: () => Storage): void {
  const use = ({ caller, zone }: OwnedZone, backend: BackendReference) =>
    casesOn(storage()).createRule(caller, rulesOf(zone.id), aRuleTo(backend));

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
