import { expect } from 'chai';
import { referenceTo, storedLoadBalancer, storedOriginServer } from '../../arrangements/index.ts';
import { anOrigin, newOrigins } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import { okOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { aRuleTo, beginUse, outcomeAfter, rulesOf, storedParts, toZone } from './parts.ts';

/** A change of a backend that a rule has just started to use. */
export function changes(storage: () => Storage): void {
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
      casesOn(storage()).createRule(owned.caller, rulesOf(owned.zone.id), aRuleTo(referenceTo('load_balancer', other))),
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
