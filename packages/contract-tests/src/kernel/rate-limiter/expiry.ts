import { expect } from 'chai';
import { concurrently } from '../../results.ts';
import { type Place, policy, take } from './budgets.ts';

/** Budgets that have expired. */
export function removing(place: Place): void {
  it('removes exactly the expired windows', async () => {
    await concurrently(230, (index) => take(place, policy, [`old ${index}`]));
    await place().passTime(901);
    await take(place, policy, ['live']);
    await place().instances[0].removeExpired();
    expect(await place().count()).to.equal(1);
    expect((await take(place, policy, ['live'])).remaining).to.equal(3);
  });
}
