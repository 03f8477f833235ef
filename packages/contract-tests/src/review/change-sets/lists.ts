import {
  type ChangeSet,
  type ChangeSetFilter,
  type ChangeSetSort,
  ChangeSetTitle,
  maxOpenBytes,
} from '@zonewright/core';
import { expect } from 'chai';
import { added, addedOneByOne, aMerge, applySet, aSetId, plain, read } from '../../arrangements/change-sets.ts';
import { storedMember, storedZone } from '../../arrangements/index.ts';
import { wholeList } from '../../builders/index.ts';
import { okOf, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** The sets of a zone: filters, order and pages. */
export function listing(storage: () => Storage): void {
  const everything: ChangeSetFilter = { statuses: [], createdBy: undefined, search: undefined };

  /** Four sets with titles, oldest first: open, open, discarded and applied. */
  async function zoneWithFour() {
    const owned = await storedZone(storage());
    const editor = await storedMember(storage(), owned.organizationId, 'editor');
    const titles = ['Shöp 100%', 'blog', 'SHÖP 2', 'cart'];
    const sets: ChangeSet[] = [];
    for (const title of titles) {
      await storage().passTime(10);
      const createdBy = title === 'blog' ? editor.userId : owned.userId;
      sets.push(await okOf(added(storage(), owned, { title: ChangeSetTitle.parse(title), createdBy })));
    }
    const [first, , third, fourth] = sets;
    await runUnit(storage(), ({ changeSets }) => changeSets.discard(third!));
    await applySet(storage(), { ...owned, set: fourth! });
    await storage().passTime(10);
    await runUnit(storage(), ({ changeSets }) => changeSets.save({ ...first!, merge: aMerge() }, maxOpenBytes));
    return { ...owned, editor, sets };
  }

  it('filters and sorts, without reading patches', async () => {
    const { zone, sets, editor } = await zoneWithFour();
    const [shop, blog, , cart] = sets;
    const conflict = aMerge({ isConflicted: true });
    for (const { id, zoneId } of [blog!, cart!]) {
      const { revision } = await read(storage(), { id, zoneId });
      await runUnit(storage(), ({ changeSets }) =>
        changeSets.noteMerges([{ id, revision, merge: { ...conflict, zoneRevision: 2 } }]),
      );
    }
    const cases: readonly (readonly [Partial<ChangeSetFilter>, readonly ChangeSetSort[], readonly string[]])[] = [
      [{}, [], ['cart', 'SHÖP 2', 'blog', 'Shöp 100%']],
      [{}, [{ key: 'createdAt', direction: 'asc' }], ['Shöp 100%', 'blog', 'SHÖP 2', 'cart']],
      [{}, [{ key: 'createdAt', direction: 'desc' }], ['cart', 'SHÖP 2', 'blog', 'Shöp 100%']],
      [{ search: 'shöp' }, [{ key: 'updatedAt', direction: 'desc' }], ['Shöp 100%', 'SHÖP 2']],
      [{ search: 'shöp' }, [{ key: 'updatedAt', direction: 'asc' }], ['SHÖP 2', 'Shöp 100%']],
      [{ search: '0%' }, [], ['Shöp 100%']],
      [{ search: '_' }, [], []],
      [{ createdBy: editor.userId }, [], ['blog']],
      [{ statuses: ['open'] }, [], ['Shöp 100%']],
      [{ statuses: ['conflicted'] }, [], ['blog']],
      [{ statuses: ['applied', 'discarded'] }, [], ['cart', 'SHÖP 2']],
    ];
    for (const [filter, sort, titles] of cases) {
      const found = await readView(storage(), ({ changeSets }) =>
        changeSets.list(zone.id, { ...everything, ...filter }, sort, wholeList),
      );
      expect(
        found.items.map(({ title }) => title),
        JSON.stringify([filter, sort]),
      ).to.deep.equal(titles);
      expect(found.totalItems).to.equal(titles.length);
      for (const item of found.items) expect(item).not.to.have.any.keys('patch', 'operations');
    }
    const page = await readView(storage(), ({ changeSets }) =>
      changeSets.list(zone.id, everything, [], { page: 2, itemsPerPage: 3 }),
    );
    expect([page.items.map(({ id }) => id), page.totalItems]).to.deep.equal([[shop!.id], 4]);
  });

  it('reads those of the zone in whole by their ids', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const [first, second] = await addedOneByOne(storage(), owned, 3);
    const foreign = await okOf(added(storage(), other));
    const ids = [first!.id, second!.id, foreign.id, aSetId()];
    const found = await readView(storage(), ({ changeSets }) => changeSets.byIds(owned.zone.id, ids));
    expect(plain(found.toSorted((one, another) => (one.id < another.id ? -1 : 1)))).to.deep.equal(
      plain([first, second]),
    );
  });
}
