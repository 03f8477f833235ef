import { expect } from 'chai';
import { concurrently } from '../../results.ts';
import { giveBack, type Place, policy, take, takeTimes } from './budgets.ts';

/** Points that are given back. */
export function givingBack(place: Place): void {
  it('undoes one take, and keeps the end of the window', async () => {
    const taken = await take(place);
    await take(place);
    await giveBack(place, taken);
    const { remaining, windowEndsAt } = await take(place);
    expect([remaining, windowEndsAt]).to.deep.equal([3, taken.windowEndsAt]);
  });

  it('never makes a budget larger', async () => {
    const taken = await take(place);
    await concurrently(10, () => giveBack(place, taken));
    expect((await take(place)).remaining).to.equal(4);
  });

  it('stores nothing for a budget that no longer exists', async () => {
    const taken = await take(place);
    await place().instances[0].clear(taken);
    await giveBack(place, taken);
    expect(await place().count()).to.equal(0);
  });

  it('does not affect a window that started later', async () => {
    const short = { ...policy, seconds: 1 };
    const taken = await take(place, short);
    await place().passTime(1);
    await take(place, short);
    // The window as the first take saw it, as if every clock had advanced by a second.
    await giveBack(place, { ...taken, windowEndsAt: taken.windowEndsAt - 1000 });
    expect((await take(place, { ...short, points: 6 })).remaining).to.equal(4);
  });

  it('leaves exactly the failures counted when half of 100 concurrent attempts give back', async () => {
    const large = { ...policy, points: 1000 };
    await concurrently(100, async (index) => {
      const taken = await take(place, large);
      if (index % 2 === 0) await giveBack(place, taken);
    });
    expect((await take(place, large)).remaining).to.equal(949);
  });
}

/** Budgets that are given back entirely. */
export function clearing(place: Place): void {
  it('gives back every point of that budget, no matter who took it, and none of other budgets', async () => {
    const taken = await takeTimes(6, place);
    await take(place, policy, ['others']);
    await place().instances[1].clear(taken);
    expect((await take(place)).remaining).to.equal(4);
    expect((await take(place, policy, ['others'])).remaining).to.equal(3);
  });

  it('does nothing if there is nothing to give back', async () => {
    await place().instances[0].clear({ key: 'nothing' });
    expect(await place().count()).to.equal(0);
  });
}
