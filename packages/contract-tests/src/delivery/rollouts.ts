import { OrganizationId, type Zone } from '@zonewright/core';
import { expect } from 'chai';
import { change, changesFor, publishAll, reported, rolledOut, storedEdge, storedHost } from '../arrangements/edges.ts';
import { contract } from '../fresh-storage.ts';
import { readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const rolloutsContract = contract('Rollouts contract', rollouts);

function rollouts(storage: () => Storage): void {
  const main = async () => (await changesFor(storage())).zones.map(({ document }) => document?.revision);
  const canary = async () =>
    (await changesFor(storage(), { stage: 'canary' })).zones.map(({ document }) => document?.revision);

  /** A zone that all edges have, then changed beside a connected canary edge. */
  const changedBesideCanary = async () => {
    const { zone } = await storedHost(storage());
    await publishAll(storage());
    const edge = await storedEdge(storage(), { stage: 'canary' });
    await reported(storage(), edge);
    await change(storage(), zone);
    await publishAll(storage());
    return { zone, edge };
  };
  const revisionOffered = async ({ id }: Zone) =>
    (await changesFor(storage())).zones.find((zone) => zone.id === id)?.document?.revision;
  const end = async () => (await changesFor(storage(), { stage: 'canary' })).end;
  const rejection = async (zone: Zone) => {
    const { zones } = await changesFor(storage(), { stage: 'canary' });
    const digest = zones.find(({ id }) => id === zone.id)?.document?.digest ?? '';
    return { id: zone.id, digest, code: 'document.check', message: 'No.' };
  };

  it('offers canary edges a change first, and the others once the last of them has served it for a while', async () => {
    const { zone, edge } = await changedBesideCanary();
    const late = await storedEdge(storage(), { stage: 'canary' });
    await reported(storage(), late);
    expect([await canary(), await main()]).to.deep.equal([[2], [1]]);
    const mainAfter = async (seconds: number) => {
      await storage().passTime(seconds);
      for (const each of [edge, late]) await reported(storage(), each, { position: positions.get(each) });
      await rolledOut(storage());
      return main();
    };
    const positions = new Map([[edge, await end()]]);
    expect(await mainAfter(1)).to.deep.equal([1]);
    expect(await mainAfter(60), 'one has not applied it').to.deep.equal([1]);
    positions.set(late, await end());
    expect(await mainAfter(1)).to.deep.equal([1]);
    expect(await mainAfter(28), 'the last has had it for 28 seconds').to.deep.equal([1]);
    // What happens to other zones begins nothing anew.
    await change(storage(), (await storedHost(storage())).zone);
    await publishAll(storage());
    for (const each of [edge, late]) positions.set(each, await end());
    expect(await mainAfter(2), 'for 30 seconds').to.deep.equal([2]);
    expect(await revisionOffered(zone)).to.equal(2);
  });

  it('does not wait for silent canary edges', async () => {
    await changedBesideCanary();
    await storage().passTime(91);
    await rolledOut(storage());
    expect(await main()).to.deep.equal([2]);
  });

  it('does not wait for draining canary edges, nor for those that do not serve the zone', async () => {
    const { edge } = await changedBesideCanary();
    await reported(storage(), await storedEdge(storage(), { stage: 'canary', tags: ['dev'] }));
    await rolledOut(storage());
    expect(await main()).to.deep.equal([1]);
    await runUnit(storage(), ({ edges }) => edges.drain(edge.name, true));
    await rolledOut(storage());
    expect(await main()).to.deep.equal([2]);
  });

  it('halts a change that a canary edge rejects, until the zone changes again', async () => {
    const { zone, edge } = await changedBesideCanary();
    await storage().passTime(31);
    await reported(storage(), edge, {
      position: await end(),
      zones: { applied: 1, rejected: [await rejection(zone)] },
    });
    await rolledOut(storage());
    expect(await main()).to.deep.equal([1]);
    const offered = await readView(storage(), ({ rollouts }) => rollouts.offered(zone.id));
    expect(offered.map(({ stage, isHalted }) => [stage, isHalted])).to.deep.equal([
      ['canary', true],
      ['main', false],
    ]);
    await change(storage(), zone);
    await publishAll(storage());
    await reported(storage(), edge, { position: await end() });
    await storage().passTime(31);
    await reported(storage(), edge, { position: await end() });
    await rolledOut(storage());
    expect(await main()).to.deep.equal([3]);
  });

  it('halts nothing that a canary edge rejects of zones outside its scope', async () => {
    const { zone } = await changedBesideCanary();
    const rejected = [await rejection(zone)];
    for (const scope of [
      { tags: ['dev'] },
      { organizations: [OrganizationId.parse(zone.organizationId + 1)] },
    ] as const) {
      const elsewhere = await storedEdge(storage(), { stage: 'canary', ...scope });
      await reported(storage(), elsewhere, { position: await end(), zones: { applied: 0, rejected } });
    }
    const [pending] = await runUnit(storage(), ({ rollouts }) => rollouts.pending(10));
    expect([pending?.isHalted, pending?.soakedSeconds]).to.deep.equal([false, undefined]);
  });

  it('notes since when all connected edges that serve a zone have what they are offered', async () => {
    const { zone } = await storedHost(storage());
    const [one, other] = [await storedEdge(storage()), await storedEdge(storage(), { tags: ['prod'] })];
    const elsewhere = await storedEdge(storage(), { tags: ['dev'] });
    for (const edge of [one, other, elsewhere]) await reported(storage(), edge);
    await publishAll(storage());
    const since = async () => {
      await rolledOut(storage());
      const offered = await readView(storage(), ({ rollouts }) => rollouts.offered(zone.id));
      return offered.find(({ stage }) => stage === 'main')?.currentSince;
    };
    const apply = async (edge: typeof one) => reported(storage(), edge, { position: await end() });
    await apply(one);
    expect(await since()).to.equal(undefined);
    await apply(other);
    const first = await since();
    expect(first).to.be.an.instanceOf(Date);
    expect(await since()).to.deep.equal(first);
    await storage().passTime(1);
    await change(storage(), zone);
    await publishAll(storage());
    await apply(one);
    expect(await since()).to.equal(undefined);
    await storage().passTime(91);
    await apply(one);
    expect(Number(await since())).to.be.greaterThan(Number(first));
  });

  it('promotes a halted change when an operator says so', async () => {
    const { zone, edge } = await changedBesideCanary();
    await reported(storage(), edge, {
      position: await end(),
      zones: { applied: 1, rejected: [await rejection(zone)] },
    });
    const pendingOf = () => runUnit(storage(), ({ rollouts }) => rollouts.pendingOf(zone.id));
    expect((await pendingOf())?.isHalted).to.equal(true);
    await runUnit(storage(), ({ rollouts }) => rollouts.promote([zone.id]));
    expect(await main()).to.deep.equal([2]);
    expect(await pendingOf()).to.equal(undefined);
  });
}
