import { changeSetLifetimeSeconds, maxOpenBytes, type ZonePlan } from '@zonewright/core';
import { expect } from 'chai';
import {
  addedOneByOne,
  aMerge,
  applySet,
  attempt,
  factsOf,
  plain,
  read,
  type WithSet,
  zoneWithSet,
} from '../../arrangements/change-sets.ts';
import { applied, storedZone } from '../../arrangements/index.ts';
import { wholeList } from '../../builders/index.ts';
import { hold } from '../../gate.ts';
import { concurrently, errorOf, okOf, raceSize, readView, runUnit, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** The application of a set to its zone, which happens once. */
export function application(storage: () => Storage): void {
  const plans = [
    ['a change', { banToken: 'ban_by-a-set' }, 2],
    ['nothing to change', {}, 1],
  ] as const satisfies readonly (readonly [string, ZonePlan, number])[];

  for (const [what, plan, revision] of plans) {
    it(`marks the set with ${what} as applied, and creates a revision if there is something to change`, async () => {
      const of = await zoneWithSet(storage());
      await applySet(storage(), of, plan);
      const set = await read(storage(), of.set);
      const application = { revision, by: of.userId, at: set.updatedAt };
      expect(set).to.deep.include({ status: 'applied', application, revision: 2 });
      const { state } = await factsOf(storage(), of);
      expect(state.zone.revision).to.equal(revision);
      const { totalItems } = await readView(storage(), ({ history }) => history.list(of.zone.id, wholeList));
      expect(totalItems, 'revisions after the creation').to.equal(revision - 1);
    });

    const reasons: readonly (readonly [why: string, change: (of: WithSet) => Promise<unknown>])[] = [
      [
        'was changed',
        ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.save({ ...set, merge: aMerge() }, maxOpenBytes)),
      ],
      ['was discarded', ({ set }) => runUnit(storage(), ({ changeSets }) => changeSets.discard(set))],
      ['was applied', (of) => applySet(storage(), of, {})],
      ['ended', () => storage().passTime(changeSetLifetimeSeconds + 1)],
      [
        'belongs to a zone that changed',
        ({ zone }) => runUnit(storage(), (each) => applied(each, zone.id, () => ({ banToken: 'ban_2' }))),
      ],
      [
        'belongs to a zone in which the user has another role',
        (of) => storage().setRole(of.organizationId, of.userId, 'viewer'),
      ],
    ];
    for (const [why, change] of reasons) {
      it(`has no effect (${what}) if the set ${why}`, async () => {
        const of = await zoneWithSet(storage());
        const facts = await factsOf(storage(), of);
        await change(of);
        const before = [await read(storage(), of.set), (await factsOf(storage(), of)).state.zone];
        const revision = before[0]?.revision ?? 0;
        const late = why === 'was changed' ? of.set : { ...of.set, revision };
        expect(await errorOf(attempt(storage(), facts, late, plan))).to.deep.equal({ type: 'Superseded' });
        const after = [await read(storage(), of.set), (await factsOf(storage(), of)).state.zone];
        expect(plain(after)).to.deep.equal(plain(before));
      });
    }

    it(`happens once, however often it is tried concurrently (${what})`, async () => {
      const of = await zoneWithSet(storage());
      const facts = await factsOf(storage(), of);
      const results = await concurrently(raceSize, () => attempt(storage(), facts, of.set, plan));
      expect(tally(results)).to.deep.equal({ Ok: 1, Superseded: raceSize - 1 });
      expect((await read(storage(), of.set)).revision).to.equal(2);
    });

    it(`waits for a unit that changes the set, and then has no effect (${what})`, async () => {
      const of = await zoneWithSet(storage());
      const facts = await factsOf(storage(), of);
      const held = await hold(storage(), ({ changeSets }) => changeSets.discard(of.set));
      const second = attempt(storage(), facts, { ...of.set, revision: 2 }, plan);
      const third = attempt(storage(), facts, of.set, plan);
      await okOf(held.endBefore(third));
      expect(tally([await second, await third])).to.deep.equal({ Superseded: 2 });
      expect((await factsOf(storage(), of)).state.zone.revision).to.equal(1);
    });
  }

  it('applies one of twenty sets decided on the same state', async () => {
    const owned = await storedZone(storage());
    const sets = await addedOneByOne(storage(), owned, raceSize);
    const facts = await factsOf(storage(), owned);
    const results = await concurrently(raceSize, (index) => attempt(storage(), facts, sets[index]!));
    expect(tally(results)).to.deep.equal({ Ok: 1, Superseded: raceSize - 1 });
    const { items } = await readView(storage(), ({ changeSets }) =>
      changeSets.list(owned.zone.id, { statuses: ['applied'], createdBy: undefined, search: undefined }, [], wholeList),
    );
    expect(items).to.have.length(1);
  });
}
