import { expect } from 'chai';
import { concurrently } from '../../results.ts';
import { ada, admitted, consecutive, day, giveBack, type Place, take, takeTimes } from './budgets.ts';

/** Points in a row, whose last one begins a lock. */
export function pointsInARow(place: Place): void {
  const takes = (count: number) => takeTimes(count, place, consecutive);

  it('count together even if taken hours apart', async () => {
    for (const hours of [7, 7, 0]) {
      expect((await takes(1)).isExceeded).to.equal(false);
      await place().passTime(hours * 3600);
    }
    expect((await takes(1)).isExceeded).to.equal(true);
  });

  it('expire a day after the first one', async () => {
    await takes(2);
    await place().passTime(day);
    expect((await takes(1)).remaining).to.equal(2);
  });

  it('start a lock of the full length with the last one, however long ago the first one was taken', async () => {
    await takes(2);
    await place().passTime(800);
    expect((await takes(1)).beginsLock).to.equal(true);
    const blocked = await takes(1);
    expect([blocked.isExceeded, blocked.resetSeconds]).to.deep.equal([true, 900]);
    await place().passTime(880);
    expect((await takes(1)).resetSeconds).to.be.within(10, 20);
    await place().passTime(20);
    expect((await takes(1)).remaining).to.equal(2);
  });

  it('do not extend the lock with further attempts', async () => {
    await takes(3);
    await place().passTime(600);
    for (const { resetSeconds } of await concurrently(20, () => takes(1))) expect(resetSeconds).to.be.within(250, 300);
  });

  it('can be given back one by one, including the last one with its lock', async () => {
    const before = await takes(2);
    const last = await takes(1);
    await giveBack(place, last);
    const again = await takes(1);
    expect([last, again].map(({ beginsLock, isExceeded }) => [beginsLock, isExceeded])).to.deep.equal([
      [true, false],
      [true, false],
    ]);
    expect([last.windowEndsAt, again.windowEndsAt]).to.deep.equal([before.windowEndsAt, before.windowEndsAt]);
    expect((await takes(1)).resetSeconds).to.be.within(899, 900);
  });

  it('start a lock twice as long as the previous one, up to a day', async () => {
    const seconds: number[] = [];
    for (let lock = 1; lock <= 9; lock += 1) {
      seconds.push((await takes(3)).resetSeconds);
      await place().passTime(day);
    }
    expect(seconds).to.deep.equal([900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400]);
  });

  it('are reset with their locks by clear', async () => {
    for (let lock = 1; lock <= 3; lock += 1) {
      await takes(3);
      await place().passTime(day);
    }
    const right = await takes(1);
    expect(right.isExceeded).to.equal(false);
    await place().instances[1].clear(right);
    expect((await takes(3)).resetSeconds).to.equal(900);
  });

  it('remember locks across windows, and forget them 30 days after the last one', async () => {
    await takes(3);
    await place().passTime(2 * day);
    await takes(1);
    await place().passTime(2 * day);
    await place().instances[0].removeExpired();
    expect((await takes(3)).resetSeconds).to.equal(1800);
    await place().passTime(31 * day);
    await place().instances[0].removeExpired();
    expect((await takes(3)).resetSeconds).to.equal(900);
  });

  it('start a lock with exactly one of 100 concurrent takes, even after clear', async () => {
    for (let round = 0; round < 5; round += 1) {
      const statuses = await concurrently(100, (index) => take(place, consecutive, ada, index));
      expect(statuses.filter(({ beginsLock }) => beginsLock)).to.have.length(1);
      expect(admitted(statuses)).to.have.length(3);
      await place().instances[0].clear(statuses[0]!);
    }
  });
}
