import { type ChangeSet, type MergeRecord, maxOpenBytes } from '@zonewright/core';
import { expect } from 'chai';
import { aMerge, plain, read, zoneWithSet } from '../../arrangements/change-sets.ts';
import { goesOn, hold } from '../../gate.ts';
import { okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** What is known about the merge of a set with its zone. */
export function merges(storage: () => Storage): void {
  const noted = ({ id, revision }: ChangeSet, merge: MergeRecord) =>
    runUnit(storage(), ({ changeSets }) => changeSets.noteMerges([{ id, revision, merge }]));

  it('are what was found out when the set was written, or later, but never earlier', async () => {
    const { set } = await zoneWithSet(storage());
    expect(set.merge).to.deep.equal(aMerge());
    const later = aMerge({ zoneRevision: 5, isConflicted: true });
    await noted(set, later);
    await noted(set, aMerge({ zoneRevision: 4 }));
    const found = await read(storage(), set);
    expect(found.merge).to.deep.equal(later);
    expect(plain({ ...found, merge: undefined })).to.deep.equal(plain({ ...set, merge: undefined }));
  });

  it('are about the set as it is: nothing is noted about an earlier revision, and a discarded set has none', async () => {
    const { set } = await zoneWithSet(storage());
    const merge = aMerge({ zoneRevision: 3 });
    const saved = await runUnit(storage(), ({ changeSets }) => changeSets.save({ ...set, merge }, maxOpenBytes));
    expect(saved.merge).to.deep.equal(merge);
    await noted(set, aMerge({ zoneRevision: 9, isConflicted: true }));
    expect((await read(storage(), set)).merge).to.deep.equal(merge);
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(saved));
    expect((await read(storage(), set)).merge).to.equal(undefined);
  });

  it('are noted without waiting for a unit that changes the set', async () => {
    const { set } = await zoneWithSet(storage());
    const held = await hold(storage(), ({ changeSets }) => changeSets.discard(set));
    const { id, revision } = set;
    const noting = storage().unitOfWork.single(({ changeSets }) =>
      changeSets.noteMerges([{ id, revision, merge: aMerge({ zoneRevision: 2 }) }]),
    );
    expect(await goesOn(storage(), noting)).to.equal(true);
    await okOf(held.release());
  });
}
