import { firstRound, type PublishedBatch, type PublishingRound } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { Publisher } from '../src/edges/publisher.ts';

/** A publisher whose batches end when the test ends them; something is due whenever it is asked. */
function controlled() {
  const begun: PublishingRound[] = [];
  const ends: ((batch: Partial<PublishedBatch>) => void)[] = [];
  const counts = { rollOuts: 0 };
  const failures: unknown[] = [];
  const publisher = new Publisher({
    begin: () => Promise.resolve(),
    publish: (round) =>
      new Promise((resolve) => {
        begun.push(round);
        ends.push((batch) => resolve({ round, isOver: false, isNews: true, ...batch }));
      }),
    rollOut: () => {
      counts.rollOuts += 1;
      return Promise.resolve();
    },
    status: () => Promise.resolve({ isDue: true, isPending: false, publication: 1 }),
    forget: () => Promise.resolve(),
    onFailure: (failure) => failures.push(failure),
  });
  /** Resolves when the batch with this index is under way. */
  const batch = async (index: number) => {
    while (ends[index] === undefined) await new Promise(setImmediate);
    const end = ends[index];
    return { round: begun[index], end: (given: Partial<PublishedBatch> = {}) => end(given) };
  };
  return { publisher, batch, begun, counts, failures };
}

const valueOf = <T>(next: ResultAsync<T, never>): Promise<T> =>
  next.match(
    (value) => value,
    (impossible) => impossible,
  );

describe('Publisher', () => {
  it('goes on with a round until a batch ends it, and begins the next one anew, after the last turn', async () => {
    const { publisher, batch, begun } = controlled();
    const caughtUp = publisher.catchUp(60);
    const after = { latest: '7', turn: 3 };
    (await batch(0)).end({ round: after, isNews: false });
    const second = await batch(1);
    expect(second.round).to.deep.equal(after);
    second.end({ round: { latest: '7', turn: 5 }, isOver: true });
    expect(await valueOf(caughtUp.next())).to.equal('current');
    expect(begun).to.have.lengthOf(2);
    publisher.catchUp(60);
    expect((await batch(2)).round).to.deep.equal({ ...firstRound, turn: 5 });
  });

  it('wakes those who wait after each batch', async () => {
    const { publisher, batch } = controlled();
    const waiting = publisher.wait('edge', 60, 'publications');
    publisher.catchUp(60);
    for (const index of [0, 1]) {
      (await batch(index)).end();
      expect(await valueOf(waiting.next())).to.equal(true);
    }
    (await batch(2)).end({ isOver: true });
    expect(await valueOf(waiting.next())).to.equal(true);
    waiting.end();
  });

  it('tells those who need everything of each batch that has something, until all is published', async () => {
    const { publisher, batch } = controlled();
    const caughtUp = publisher.catchUp(60);
    const first = caughtUp.next();
    (await batch(0)).end({ isNews: false });
    const second = await batch(1);
    expect(await Promise.race([valueOf(first), Promise.resolve('still waiting')])).to.equal('still waiting');
    second.end();
    expect(await valueOf(first)).to.equal('behind');
    const last = caughtUp.next();
    (await batch(2)).end({ isOver: true });
    expect(await valueOf(last)).to.equal('current');
  });

  it('keeps nobody longer than they wait', async () => {
    const { publisher, batch } = controlled();
    const caughtUp = publisher.catchUp(0);
    await batch(0);
    expect(await valueOf(caughtUp.next())).to.equal('out of time');
  });

  it('is not up to date once it is stopped', async () => {
    const { publisher, batch } = controlled();
    const caughtUp = publisher.catchUp(60);
    const next = caughtUp.next();
    const first = await batch(0);
    const stopped = publisher.stop();
    first.end({ isNews: false });
    await stopped;
    expect(await valueOf(next)).to.equal('out of time');
  });

  it('offers the others what canary edges have had for long enough before a long round ends', async () => {
    const { publisher, batch, counts, failures } = controlled();
    publisher.catchUp(60);
    (await batch(0)).end();
    (await batch(1)).end();
    await batch(2);
    expect([counts.rollOuts, failures]).to.deep.equal([1, []]);
  });
});
