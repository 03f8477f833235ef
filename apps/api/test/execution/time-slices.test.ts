import { expect } from 'chai';
import { TimeSlices } from '../../src/execution/time-slices.ts';

const large = 10_000_000;

describe('TimeSlices', () => {
  it('run small steps at once', async () => {
    const slices = new TimeSlices();
    let turns = 0;
    const timer = setImmediate(() => {
      turns += 1;
    });
    for (let step = 0; step < 100; step += 1)
      await slices.run(
        'a',
        () => step,
        () => 100,
      );
    clearImmediate(timer);
    expect(turns).to.equal(0);
  });

  it('run one large step per turn of the event loop, and let users take turns', async () => {
    const slices = new TimeSlices();
    const order: string[] = [];
    const turnOf: number[] = [];
    let turn = 0;
    const count = () => {
      turn += 1;
      if (order.length < 6) setImmediate(count);
    };
    setImmediate(count);
    const steps = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((name) =>
      slices.run(
        name.slice(0, 1),
        () => {
          order.push(name);
          turnOf.push(turn);
        },
        () => large,
      ),
    );
    await Promise.all(steps);
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
    expect(new Set(turnOf).size).to.equal(6);
  });
});
