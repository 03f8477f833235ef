import { type DueZones, firstRound, type PublishingRound, type ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import { change, publishAll, storedHost } from '../arrangements/edges.ts';
import { storedOwner } from '../arrangements/index.ts';
import { runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** What every storage must promise of the order in which zones are published. */
export function rounds(storage: () => Storage): void {
  /** Looks for a batch as publishing does, and removes its marks. */
  const batch = (named: number, round: PublishingRound): Promise<DueZones & { readonly isMore: boolean }> =>
    runUnit(storage(), ({ edgeFeed }) =>
      edgeFeed
        .due(named, round)
        .andThen((due) =>
          edgeFeed.publish([], due).map((isMore) => ({ ...due, isMore: due.marks.length > 0 && isMore })),
        ),
    );
  const idsOf = ({ zones }: DueZones) => zones.map(({ id }) => id);
  const busyAnd = async (others: number) => {
    const owner = await storedOwner(storage());
    const busy = [];
    for (const _ of [1, 2, 3, 4, 5]) busy.push((await storedHost(storage(), { owner })).zone);
    const rest = [];
    for (let made = 0; made < others; made += 1) rest.push((await storedHost(storage())).zone);
    await publishAll(storage());
    for (const zone of busy) await change(storage(), zone);
    return { busy, rest };
  };

  it('gives each organization a zone in turn, however many zones of another wait', async () => {
    const { busy, rest } = await busyAnd(1);
    for (const zone of rest) await change(storage(), zone);
    const first = await batch(2, firstRound);
    expect(idsOf(first)).to.have.members([busy[0]?.id, rest[0]?.id]);
    const second = await batch(2, first.round);
    expect(idsOf(second)).to.have.lengthOf(2);
    expect(idsOf(second)).to.not.include(rest[0]?.id);
  });

  it('goes on with the organization after the last one where not all have a turn in one batch', async () => {
    const { rest } = await busyAnd(3);
    for (const zone of rest) await change(storage(), zone);
    const served: ZoneId[] = [];
    let round = firstRound;
    for (const _ of [1, 2]) {
      const due = await batch(2, round);
      ({ round } = due);
      served.push(...idsOf(due));
    }
    expect(served).to.include.members(rest.map(({ id }) => id));
  });

  it('ends a round with what was due when it began, whatever changes meanwhile', async () => {
    const { busy } = await busyAnd(0);
    const [first] = busy;
    if (first === undefined) throw new Error('There is none.');
    let due = await batch(2, firstRound);
    const seen = [...idsOf(due)];
    while (due.isMore) {
      // Again and again, as by an editor at work.
      await change(storage(), first);
      due = await batch(2, due.round);
      seen.push(...idsOf(due));
      expect(seen.length, 'zones of the round').to.be.at.most(2 * busy.length);
    }
    expect(seen).to.include.members(busy.map(({ id }) => id));
    await change(storage(), first);
    expect(idsOf(await batch(busy.length, firstRound)), 'the next round').to.include(first.id);
  });
}
