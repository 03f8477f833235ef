import { gunzipSync } from 'node:zlib';
import type { ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import { change, changesFor, idsIn, publishAll, removalsIn, storedHost } from '../arrangements/edges.ts';
import { removed } from '../arrangements/index.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** The document of a zone, as text. */
export async function textOf(storage: Storage, id: ZoneId): Promise<string> {
  const { zones } = await changesFor(storage);
  const digest = zones.find((zone) => zone.id === id)?.document?.digest ?? '';
  const { bytes } = await readView(storage, ({ edgeFeed }) => edgeFeed.document(digest));
  return gunzipSync(bytes).toString();
}

/** What every storage must promise of documents. */
export function documents(storage: () => Storage): void {
  it('has the bytes of a document, and the organization and tag of its zone', async () => {
    const { zone } = await storedHost(storage());
    await publishAll(storage());
    const [first] = (await changesFor(storage())).zones;
    const stored = await readView(storage(), ({ edgeFeed }) => edgeFeed.document(first?.document?.digest ?? ''));
    expect([stored.organizationId, stored.tag]).to.deep.equal([zone.organizationId, zone.tag]);
    const document = JSON.parse(await textOf(storage(), zone.id));
    expect(document).to.deep.include({ format: 1, semantics: 2, revision: 1, hostnames: zone.hostnames });
    expect(document.zone).to.deep.equal({
      id: zone.id,
      name: zone.name,
      tag: zone.tag,
      organization: String(zone.organizationId),
    });
  });

  it('forgets documents that no zone has any more, after a while', async () => {
    const zones = [await storedHost(storage()), await storedHost(storage())].map(({ zone }) => zone);
    await publishAll(storage());
    const digests = (await changesFor(storage())).zones.map(({ document }) => document?.digest ?? '');
    // However long they were in use before.
    await storage().passTime(1000);
    for (const zone of zones) await change(storage(), zone);
    await publishAll(storage());
    const forget = () => runUnit(storage(), ({ edgeFeed }) => edgeFeed.forget(100, 1));
    // Each is read once only, because storage may remember what it has read.
    const read = (digest = '') => storage().unitOfWork.view(({ edgeFeed }) => edgeFeed.document(digest));
    await forget();
    await okOf(read(digests[0]));
    await storage().passTime(101);
    await forget();
    expect(await errorOf(read(digests[1]))).to.deep.equal({ type: 'EdgeDocumentNotFound' });
    for (const { id } of zones) await textOf(storage(), id);
  });
}

/** What every storage must promise of what it forgets. */
export function removals(storage: () => Storage): void {
  const offered = (id: ZoneId) => readView(storage(), ({ rollouts }) => rollouts.offered(id));
  const forget = (publications: number) => runUnit(storage(), ({ edgeFeed }) => edgeFeed.forget(3600, publications));

  it('tells of a removed zone as long as positions before it are known, then forgets it', async () => {
    const gone = await storedHost(storage());
    const rest = [await storedHost(storage()), await storedHost(storage())].map(({ zone }) => zone.id);
    await publishAll(storage());
    const { end } = await changesFor(storage());
    await runUnit(storage(), (repositories) => removed(repositories, gone.zone.id));
    await publishAll(storage());
    await forget(100);
    expect(removalsIn(await changesFor(storage(), {}, end))).to.deep.equal([gone.zone.id]);
    await forget(1);
    expect(await offered(gone.zone.id)).to.deep.equal([]);
    const late = await changesFor(storage(), {}, end);
    expect(late.isKnown).to.equal(false);
    expect(idsIn(late)).to.have.members(rest);
  });

  it('goes on with a whole state from before what is forgotten, but with nothing else', async () => {
    const zones = [await storedHost(storage()), await storedHost(storage())].map(({ zone }) => zone.id);
    await publishAll(storage());
    await change(storage(), (await storedHost(storage())).zone);
    await publishAll(storage());
    await forget(1);
    const page = await changesFor(storage());
    const middle = { ...page.end, number: page.zones[0]?.position ?? 0 };
    const after = (isWhole: boolean) => changesFor(storage(), {}, { ...middle, isWhole });
    expect(await after(true)).to.deep.include({ isKnown: true, zones: page.zones.slice(1) });
    expect((await after(false)).isKnown).to.equal(false);
    expect(idsIn(page)).to.include.members(zones);
  });
}
