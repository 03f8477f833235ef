import { type ChangeSet, jsonDocument, maxOpenBytes } from '@zonewright/core';
import { expect } from 'chai';
import { aMerge, aSet } from '../../arrangements/change-sets.ts';
import { type OwnedZone, storedZone } from '../../arrangements/index.ts';
import { concurrently, errorOf, okOf, raceSize, runUnit, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** The texts of the open sets of a zone, which have a limit together. */
export function room(storage: () => Storage): void {
  const patchOf = (bytes: number) => jsonDocument({ zone_settings: { text: 'x'.repeat(bytes) } });
  const limits = { sets: 50, bytes: 10_000 };
  const adding = (owned: OwnedZone, bytes: number) =>
    storage().unitOfWork.run(({ changeSets, zoneChanges }) =>
      zoneChanges
        .lock(owned.zone.id, owned.userId)
        .andThen(() => changeSets.add(aSet(owned, { patch: patchOf(bytes) }), limits)),
    );
  const saving = (set: ChangeSet, bytes: number, maxBytes = limits.bytes) =>
    storage().unitOfWork.run(({ changeSets }) =>
      changeSets.save({ ...set, patch: patchOf(bytes), merge: aMerge() }, maxBytes),
    );

  it('is left by closed sets and those of other zones', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const set = await okOf(adding(owned, 6000));
    expect(set.bytes).to.equal(set.patch.text.length);
    await okOf(adding(other, 6000));
    expect(await errorOf(adding(owned, 6000))).to.deep.equal({ type: 'ChangeSetsTooLarge' });
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(set));
    await okOf(adding(owned, 6000));
  });

  it('is not exceeded by sets that are added at once', async () => {
    const owned = await storedZone(storage());
    const results = await concurrently(raceSize, () => adding(owned, 3000));
    expect(tally(results)).to.deep.equal({ Ok: 3, ChangeSetsTooLarge: raceSize - 3 });
  });

  it('is needed by a set that grows, but not by one that shrinks', async () => {
    const owned = await storedZone(storage());
    const first = await okOf(adding(owned, 6000));
    await okOf(adding(owned, 3000));
    expect(await errorOf(saving(first, 8000))).to.deep.equal({ type: 'ChangeSetsTooLarge' });
    const larger = await okOf(saving(first, 20_000, maxOpenBytes));
    expect((await okOf(saving(larger, 15_000))).bytes).to.be.greaterThan(15_000);
  });
}
