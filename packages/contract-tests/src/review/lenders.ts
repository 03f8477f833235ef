import { jsonDocument, maxOpenBytes, type NewChangeSet, utf8Bytes } from '@zonewright/core';
import { expect } from 'chai';
import { applying, storedZone } from '../arrangements.ts';
import { aChange, aRevision, wholeList } from '../builders.ts';
import { goesOn, hold } from '../gate.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { added, aMerge, applySet } from './change-sets/sets.ts';

const rest = jsonDocument({ zone_settings: { a: [[]] } });
const patch = jsonDocument({ zone_settings: { a: 'Ünïcode' } });

/** Two zones of an organization, of which the first has a revision. */
export async function lenderAndBorrower(storage: Storage) {
  const source = await storedZone(storage);
  const owned = await storedZone(storage, { owner: source });
  await runUnit(storage, ({ history }) =>
    history.add(aRevision({ zoneId: source.zone.id, number: 1, snapshot: jsonDocument({}) })),
  );
  const lender = { zone: source.zone.id, revision: 1, characters: 17 };
  return { source, owned, lender, borrowing: { patch: rest, lender } satisfies Partial<NewChangeSet> };
}

/** What adapters must pass for change sets that leave values to a lender. */
export function lenders(storage: () => Storage): void {
  const read = ({ zoneId, id }: Pick<NewChangeSet, 'zoneId' | 'id'>) =>
    readView(storage(), ({ changeSets }) => changeSets.byId(zoneId, id));

  it('are part of the set, and of its summary', async () => {
    const { owned, lender, borrowing } = await lenderAndBorrower(storage());
    const set = await okOf(added(storage(), owned, borrowing));
    const filter = { statuses: [], createdBy: undefined, search: undefined };
    const zone = owned.zone.id;
    const listed = await readView(storage(), ({ changeSets }) => changeSets.list(zone, filter, [], wholeList));
    const several = await readView(storage(), ({ changeSets }) => changeSets.byIds(zone, [set.id]));
    for (const each of [set, await read(set), ...listed.items, ...several]) {
      expect([each.lender, each.bytes]).to.deep.equal([lender, rest.text.length]);
    }
    expect((await read(set)).patch.text).to.equal(rest.text);
    expect((await okOf(added(storage(), owned))).lender).to.equal(undefined);
  });

  it('have a revision that storage still has', async () => {
    const { owned, lender, borrowing } = await lenderAndBorrower(storage());
    const missing = { ...borrowing, lender: { ...lender, revision: 2 } };
    expect(await errorOf(added(storage(), owned, missing))).to.deep.equal({ type: 'RevisionNotFound' });
  });

  it('are not locked for each other, whichever zone lends to which', async () => {
    const { source, owned, borrowing } = await lenderAndBorrower(storage());
    await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: owned.zone.id, number: 1 })));
    const held = await hold(storage(), ({ zoneChanges }) => zoneChanges.lock(source.zone.id, source.userId));
    const other = added(storage(), owned, borrowing);
    const isFree = await goesOn(storage(), other);
    await okOf(held.release());
    await okOf(other);
    expect(isFree).to.equal(true);
  });

  it('are left behind by a set that is written again', async () => {
    const { owned, borrowing } = await lenderAndBorrower(storage());
    const set = await okOf(added(storage(), owned, borrowing));
    const saved = await runUnit(storage(), ({ changeSets }) =>
      changeSets.save({ ...set, patch, merge: aMerge() }, maxOpenBytes),
    );
    for (const each of [saved, await read(set)])
      expect([each.lender, each.patch.text]).to.deep.equal([undefined, patch.text]);
  });

  it('are left behind by an application only if there is room for the whole patch', async () => {
    const { owned, borrowing } = await lenderAndBorrower(storage());
    const { id, revision } = await okOf(added(storage(), owned, borrowing));
    const facts = await readView(storage(), ({ zoneChanges }) => zoneChanges.facts(owned.zone.id, owned.userId));
    const { used } = await readView(storage(), ({ storageQuotas }) => storageQuotas.of(owned.organizationId));
    for (const isAlone of [false, true]) {
      const changeSet = { id, revision, isAlone, whole: { patch, growth: 1 } };
      const change = { ...aChange(isAlone ? {} : { banToken: 'ban_1' }), changeSet, mostStored: used - 1 };
      const attempt = storage().unitOfWork.single(({ zoneChanges }) => applying(zoneChanges, facts, [], change));
      expect(await errorOf(attempt)).to.deep.equal({ type: 'Superseded' });
    }
  });

  for (const plan of [{ banToken: 'ban_by-a-set' }, {}])
    it(`are left behind by a set that is applied with ${Object.keys(plan).length} changes`, async () => {
      const { owned, borrowing } = await lenderAndBorrower(storage());
      const set = await okOf(added(storage(), owned, borrowing));
      await applySet(storage(), { ...owned, set }, plan, { patch, growth: 1 });
      const { lender, status, bytes, ...applied } = await read(set);
      expect([lender, status, applied.patch.text]).to.deep.equal([undefined, 'applied', patch.text]);
      expect(bytes).to.equal(utf8Bytes(patch.text));
    });
}
