import { expect } from 'chai';
import { storedBackend, storedZone } from '../../arrangements/index.ts';
import { anOrigin } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { goesOn, hold } from '../../gate.ts';
import { okOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { aRuleTo, beginUse, rulesOf, storedParts } from './parts.ts';

/** What need not wait for a use or a change of a backend. */
export function independence(storage: () => Storage): void {
  it('is another use of the same backend', async () => {
    const owned = await storedZone(storage());
    const other = await storedZone(storage(), { owner: owned });
    const backend = await storedBackend(storage(), 'load_balancer', owned.organizationId);
    const using = await beginUse(storage(), owned, backend);
    const second = casesOn(storage()).createRule(owned.caller, rulesOf(other.zone.id), aRuleTo(backend));
    expect(await goesOn(storage(), second)).to.equal(true);
    await okOf(using.release());
    await okOf(second);
  });

  it('is a rule of a zone that uses another backend, while one is changed', async () => {
    const { owned, server, organizationId } = await storedParts(storage());
    const backend = await storedBackend(storage(), 'origin_server', organizationId);
    const changing = await hold(storage(), ({ originServers }) => originServers.lock(organizationId, server.id));
    const second = casesOn(storage()).createRule(owned.caller, rulesOf(owned.zone.id), aRuleTo(backend));
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
