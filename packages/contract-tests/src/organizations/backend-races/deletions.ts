import { expect } from 'chai';
import {
  backendKinds,
  referenceTo,
  storedBackend,
  storedLoadBalancer,
  storedOriginServer,
  storedZone,
} from '../../arrangements/index.ts';
import { anOrigin, newOrigins } from '../../builders/index.ts';
import { hold } from '../../gate.ts';
import type { Storage } from '../../storage.ts';
import { beginUse, outcomeAfter, remove } from './parts.ts';

/** The deletion of a backend that something has just started to use. */
export function deletions(storage: () => Storage): void {
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
