import { changeSetLifetimeSeconds, defaultUsageLimits, jsonDocument } from '@zonewright/core';
import { expect } from 'chai';
import { added, addedOneByOne, aSet, plain, read, zoneWithSet } from '../../arrangements/change-sets.ts';
import { removed, storedZone } from '../../arrangements/index.ts';
import { aZoneId } from '../../builders/index.ts';
import { concurrently, errorOf, okOf, raceSize, readView, runUnit, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** What is stored of a set, and how many a zone can have. */
export function addition(storage: () => Storage): void {
  it('stores what it is given, including texts', async () => {
    const owned = await storedZone(storage());
    const operations = jsonDocument([
      { op: 'delete', id: 'Ünïcode' },
      { op: 'settings', patch: { a: null } },
    ]);
    const { patch, ...wanted } = aSet(owned, { operations, base: 7 });
    const set = await okOf(added(storage(), owned, { ...wanted, patch }));
    const { operations: _, ...others } = wanted;
    expect(set).to.deep.include({ ...others, status: 'open', application: undefined, revision: 1 });
    expect([set.patch.text, set.operations?.text]).to.deep.equal([patch.text, operations.text]);
    expect(Number(set.endsAt) - Number(set.createdAt)).to.equal(changeSetLifetimeSeconds * 1000);
    expect(plain(await read(storage(), set))).to.deep.equal(plain(set));
  });

  it('allows fifty open ones per zone, however many are added at once', async () => {
    const owned = await storedZone(storage());
    const other = await storedZone(storage());
    await addedOneByOne(storage(), owned, defaultUsageLimits.changeSets - 5);
    const results = await concurrently(raceSize, () => added(storage(), owned));
    expect(tally(results)).to.deep.equal({ Ok: 5, TooManyChangeSets: raceSize - 5 });
    await okOf(added(storage(), other));
    await storage().passTime(changeSetLifetimeSeconds + 1);
    await okOf(added(storage(), owned));
  });

  it('finds none of another zone, and keeps those of a restorable zone', async () => {
    const { set } = await zoneWithSet(storage());
    const { zone } = await storedZone(storage());
    const missing = (zoneId: typeof set.zoneId) =>
      errorOf(storage().unitOfWork.view(({ changeSets }) => changeSets.byId(zoneId, set.id)));
    expect(await missing(zone.id)).to.deep.equal({ type: 'ChangeSetNotFound' });
    expect(await missing(aZoneId())).to.deep.equal({ type: 'ChangeSetNotFound' });
    await runUnit(storage(), (each) => removed(each, set.zoneId));
    const kept = await readView(storage(), ({ changeSets }) => changeSets.byId(set.zoneId, set.id));
    expect(kept.id).to.equal(set.id);
  });
}
