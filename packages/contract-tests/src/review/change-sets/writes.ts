import {
  ChangeSetDescription,
  ChangeSetTitle,
  changeSetLifetimeSeconds,
  jsonDocument,
  maxOpenBytes,
} from '@zonewright/core';
import { expect } from 'chai';
import { aMerge, applySet, plain, read, zoneWithSet } from '../../arrangements/change-sets.ts';
import { errorOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** Changes of a set and its end, each decided on a revision of it. */
export function writes(storage: () => Storage): void {
  it('write title, description and content, increment the revision and restart the lifetime', async () => {
    const { set } = await zoneWithSet(storage(), { operations: jsonDocument([]) });
    await storage().passTime(100);
    const wanted = {
      title: ChangeSetTitle.parse('Another'),
      description: ChangeSetDescription.parse(''),
      base: 3,
      patch: jsonDocument({ zone_settings: { c: 1 } }),
    };
    const saved = await runUnit(storage(), ({ changeSets }) =>
      changeSets.save({ ...set, ...wanted, operations: undefined, merge: aMerge() }, maxOpenBytes),
    );
    const { patch, ...members } = wanted;
    expect(saved).to.deep.include({ ...members, revision: 2, operations: undefined });
    expect(saved.patch.text).to.equal(patch.text);
    expect(Number(saved.endsAt) - Number(saved.updatedAt)).to.equal(changeSetLifetimeSeconds * 1000);
    expect(Number(saved.updatedAt)).to.be.greaterThan(Number(saved.createdAt));
    expect(plain(await read(storage(), set))).to.deep.equal(plain(saved));
  });

  it('discard it, as happens automatically after 30 days', async () => {
    const { set } = await zoneWithSet(storage());
    const other = await zoneWithSet(storage());
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(set));
    expect(await read(storage(), set)).to.deep.include({ status: 'discarded', revision: 2 });
    await storage().passTime(changeSetLifetimeSeconds - 60);
    expect((await read(storage(), other.set)).status).to.equal('open');
    await storage().passTime(61);
    expect((await read(storage(), other.set)).status).to.equal('discarded');
  });

  const endings: readonly (readonly [
    what: string,
    end: (of: Awaited<ReturnType<typeof zoneWithSet>>) => Promise<unknown>,
  ])[] = [
    [
      'at another revision',
      ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.save({ ...set, merge: aMerge() }, maxOpenBytes)),
    ],
    ['discarded', ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.discard(set))],
    ['expired', () => storage().passTime(changeSetLifetimeSeconds + 1)],
    ['applied', (of) => applySet(storage(), of)],
  ];
  for (const [what, end] of endings) {
    it(`write nothing if it is ${what}`, async () => {
      const of = await zoneWithSet(storage());
      await end(of);
      const before = plain(await read(storage(), of.set));
      // At its current revision, unless that is what is being tested.
      const { revision } = what === 'at another revision' ? of.set : await read(storage(), of.set);
      const late = { ...of.set, revision };
      const { unitOfWork } = storage();
      expect(
        await errorOf(unitOfWork.run(({ changeSets }) => changeSets.save({ ...late, merge: aMerge() }, maxOpenBytes))),
      ).to.deep.equal({
        type: 'ChangeSetClosed',
      });
      expect(await errorOf(unitOfWork.run(({ changeSets }) => changeSets.discard(late)))).to.deep.equal({
        type: 'ChangeSetClosed',
      });
      expect(plain(await read(storage(), of.set))).to.deep.equal(before);
    });
  }
}
