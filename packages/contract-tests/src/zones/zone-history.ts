import { jsonDocument, type NewRevision, type PageRequest, type ZoneDocument, type ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import { removed, rollBack, storedZone } from '../arrangements/index.ts';
import { aRevision, aZoneId, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, okOf, readView, rejectionOf, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const zoneHistoryContract = contract('ZoneHistory contract', (storage) => {
  describe('add', () => addition(storage));
  describe('list', () => listing(storage));
  describe('byNumber', () => reading(storage));
  describe('trail', () => trails(storage));
  describe('the removal of a zone', () => removal(storage));
});

const written = (storage: Storage, revision: NewRevision): Promise<void> =>
  runUnit(storage, ({ history }) => history.add(revision));

const snapshotOf = (number: number) =>
  jsonDocument<ZoneDocument>({ name: `name ${number}`, zone_settings: { list: [number] } });

/** A zone with revisions of these numbers; those in `snapshots` have snapshots. */
async function zoneWith(storage: Storage, numbers: readonly number[], snapshots: readonly number[] = [1]) {
  const { zone, userId } = await storedZone(storage);
  for (const number of numbers) {
    const snapshot = snapshots.includes(number) ? snapshotOf(number) : undefined;
    await written(storage, aRevision({ zoneId: zone.id, number, snapshot }));
  }
  return { zoneId: zone.id, userId };
}

const byNumber = (storage: Storage, zone: ZoneId, number: number) =>
  storage.unitOfWork.view(({ history }) => history.byNumber(zone, number));

function addition(storage: () => Storage): void {
  it('stores the revision as given, including texts and time', async () => {
    const { zoneId, userId } = await zoneWith(storage(), []);
    const revision = aRevision({
      zoneId,
      number: 7,
      action: 'rewriteRule.changed',
      objects: { rule: aZoneId(), other: 'Ünïcode' },
      author: userId,
      snapshot: jsonDocument<ZoneDocument>({ name: '"quoted"\n', zone_settings: { constructor: '😀', list: [1.5] } }),
      replayBytes: 77,
    });
    await written(storage(), revision);
    const { snapshot, patch: _, ...given } = revision;
    const found = await runUnit(storage(), ({ history }) => history.byNumber(zoneId, 7));
    expect(found).to.deep.include({ ...given, previous: undefined });
    expect([found.inverse.text, found.createdAt]).to.deep.equal(['{}', found.createdAt]);
    expect(found.createdAt).to.be.an.instanceOf(Date);
    const [whole] = await readView(storage(), ({ history }) => history.trail(zoneId, 7));
    expect([whole?.snapshot?.text, whole?.snapshot?.value]).to.deep.equal([snapshot?.text, snapshot?.value]);
  });

  it('accepts a revision without an author', async () => {
    const { zoneId } = await zoneWith(storage(), [1]);
    const { author } = await runUnit(storage(), ({ history }) => history.byNumber(zoneId, 1));
    expect(author).to.equal(undefined);
  });

  it('adds nothing in a unit that is rolled back', async () => {
    const { zoneId } = await zoneWith(storage(), [1]);
    await rollBack(storage(), ({ history }) => history.add(aRevision({ zoneId, number: 2 })));
    expect(await errorOf(byNumber(storage(), zoneId, 2))).to.deep.equal({ type: 'RevisionNotFound' });
  });

  it('rejects a number that the zone already has, and keeps the existing revision', async () => {
    const { zoneId } = await zoneWith(storage(), [1, 2]);
    const again = aRevision({ zoneId, number: 2, action: 'zone.restored' });
    await rejectionOf(written(storage(), again));
    const { action } = await runUnit(storage(), ({ history }) => history.byNumber(zoneId, 2));
    expect(action).to.equal('zone.changed');
  });
}

function listing(storage: () => Storage): void {
  const listed = async (zone: ZoneId, page: PageRequest = wholeList) => {
    const { items, totalItems } = await readView(storage(), ({ history }) => history.list(zone, page));
    return { numbers: items.map(({ number }) => number), totalItems };
  };

  it('lists the revisions of the zone, newest first', async () => {
    const { zoneId } = await zoneWith(storage(), [1, 2, 3]);
    await zoneWith(storage(), [1, 2]);
    expect(await listed(zoneId)).to.deep.equal({ numbers: [3, 2, 1], totalItems: 3 });
  });

  it('lists revisions without their patches', async () => {
    const { zoneId } = await zoneWith(storage(), [1]);
    const { items } = await readView(storage(), ({ history }) => history.list(zoneId, wholeList));
    const found = await runUnit(storage(), ({ history }) => history.byNumber(zoneId, 1));
    const { inverse: _, restored: __, replayBytes: ___, previous: ____, ...summary } = found;
    expect(items).to.deep.equal([summary]);
  });

  it('shows nothing of a zone without revisions, and of a zone that does not exist', async () => {
    const { zoneId } = await zoneWith(storage(), []);
    for (const id of [zoneId, aZoneId()]) expect(await listed(id)).to.deep.equal({ numbers: [], totalItems: 0 });
  });

  it('is paged, always with the total', async () => {
    const { zoneId } = await zoneWith(storage(), [1, 2, 3, 4, 5]);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await listed(zoneId, { page, itemsPerPage: 2 }));
    expect(pages.map(({ numbers }) => numbers)).to.deep.equal([[5, 4], [3, 2], [1], []]);
    expect(pages.map(({ totalItems }) => totalItems)).to.deep.equal([5, 5, 5, 5]);
    expect(await listed(zoneId, { page: 1, itemsPerPage: 0 })).to.deep.equal({ numbers: [], totalItems: 5 });
  });
}

function reading(storage: () => Storage): void {
  it('does not find a number that the zone does not have, or a zone that does not exist', async () => {
    const { zoneId } = await zoneWith(storage(), [1, 2]);
    const { zoneId: other } = await zoneWith(storage(), [1, 2, 3]);
    for (const [zone, number] of [[zoneId, 3] as const, [zoneId, 0] as const, [aZoneId(), 1] as const]) {
      expect(await errorOf(byNumber(storage(), zone, number))).to.deep.equal({ type: 'RevisionNotFound' });
    }
    expect((await byNumber(storage(), other, 3)).isOk()).to.equal(true);
  });
}

function trails(storage: () => Storage): void {
  const trail = (zone: ZoneId, number: number) =>
    storage().unitOfWork.view(({ history }) => history.trail(zone, number));
  const found = async (zone: ZoneId, number: number) =>
    (await okOf(trail(zone, number))).map((each) => ({
      number: each.number,
      snapshot: each.snapshot?.text,
      patch: each.patch?.text,
      restored: each.restored && { ...each.restored, adjustment: each.restored.adjustment?.text },
    }));
  const none = { snapshot: undefined, patch: undefined, restored: undefined };
  const whole = (number: number) => ({ ...none, number, snapshot: snapshotOf(number).text });
  const patched = (number: number) => ({ ...none, number, patch: `{"name":"name ${number}"}` });
  const from = (snapshot: number, ...patches: readonly number[]) => [whole(snapshot), ...patches.map(patched)];

  const cases: readonly (readonly [number: number, snapshot: number, ...patches: readonly number[]])[] = [
    [1, 1],
    [2, 1, 2],
    [3, 1, 2, 3],
    [4, 4],
    [5, 4, 5],
    [7, 4, 5, 6, 7],
    [8, 8],
  ];
  for (const [number, snapshot, ...patches] of cases) {
    const path = patches.length === 0 ? 'no patch' : `the patches ${patches.join(', ')}`;
    it(`leads from the snapshot at ${snapshot} to revision ${number} by ${path}`, async () => {
      const { zoneId } = await zoneWith(storage(), [1, 2, 3, 4, 5, 6, 7, 8], [1, 4, 8]);
      await zoneWith(storage(), [1, 2, 3, 4, 5, 6, 7, 8], [2, 3, 5, 6, 7]);
      expect(await found(zoneId, number)).to.deep.equal(from(snapshot, ...patches));
    });
  }

  it('starts with the first existing revision', async () => {
    const { zoneId } = await zoneWith(storage(), [12, 13], [12]);
    expect(await found(zoneId, 13)).to.deep.equal(from(12, 13));
    expect(await errorOf(trail(zoneId, 11))).to.deep.equal({ type: 'RevisionNotFound' });
  });

  it('includes the trails of the revisions that a restoration refers to, each revision once', async () => {
    const { zoneId } = await zoneWith(storage(), [1, 2, 3, 4, 5, 6, 7], [1, 4]);
    const reference = (contentsFrom: number, restFrom: number, adjustment?: { readonly a: string }) => ({
      contentsFrom,
      restFrom,
      adjustment: adjustment && jsonDocument(adjustment),
    });
    const add = (number: number, restored?: ReturnType<typeof reference>) =>
      written(storage(), aRevision({ zoneId, number, restored, ...(restored && { patch: undefined }) }));
    await add(8, reference(3, 7));
    await add(9);
    await add(10, reference(5, 9, { a: 'ä' }));
    await add(11);
    const restored = (number: number, contentsFrom: number, restFrom: number, adjustment?: string) => ({
      ...none,
      number,
      restored: { contentsFrom, restFrom, adjustment },
    });
    const eight = [...from(1, 2, 3), ...from(4, 5, 6, 7), restored(8, 3, 7)];
    expect(await found(zoneId, 8)).to.deep.equal(eight);
    expect(await found(zoneId, 9)).to.deep.equal([...eight, patched(9)]);
    const ten = [...eight, patched(9), restored(10, 5, 9, '{"a":"ä"}')];
    expect(await found(zoneId, 11)).to.deep.equal([...ten, patched(11)]);
    const { restored: origin, previous } = await okOf(byNumber(storage(), zoneId, 10));
    expect([origin?.contentsFrom, origin?.restFrom, origin?.adjustment?.text, previous]).to.deep.equal([
      5,
      9,
      '{"a":"ä"}',
      9,
    ]);
  });

  it('fails for missing revisions and missing zones', async () => {
    const { zoneId } = await zoneWith(storage(), [1, 2, 3]);
    await zoneWith(storage(), [1, 2, 3, 4]);
    for (const [zone, number] of [[zoneId, 4] as const, [zoneId, 0] as const, [aZoneId(), 1] as const]) {
      expect(await errorOf(trail(zone, number))).to.deep.equal({ type: 'RevisionNotFound' });
    }
  });
}

function removal(storage: () => Storage): void {
  it('keeps its revisions as long as it can be restored', async () => {
    const [{ zoneId }, { zoneId: other }] = [await zoneWith(storage(), [1, 2]), await zoneWith(storage(), [1, 2])];
    await runUnit(storage(), (repositories) => removed(repositories, zoneId));
    const total = async (zone: ZoneId) =>
      (await readView(storage(), ({ history }) => history.list(zone, wholeList))).totalItems;
    expect([await total(zoneId), await total(other)]).to.deep.equal([2, 2]);
  });
}
