import { accountNotFound, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedOwner } from '../arrangements/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, readView, runUnit } from '../results.ts';

/** Every adapter of the port must pass this unchanged. */
export const userLimitsContract = contract('User limits contract', (storage) => {
  const set = (id: UserId, own: object) =>
    runUnit(storage(), ({ accounts, userLimits }) => accounts.lock(id).andThen(() => userLimits.set(id, own)));
  const counted = async (id: UserId) => [
    (await runUnit(storage(), ({ organizations }) => organizations.lockOwned(id))).limit,
    (await runUnit(storage(), ({ apiTokens }) => apiTokens.lockActive(id))).limit,
  ];

  it('come with the counts that they apply to, and are the operator’s at first', async () => {
    const [{ userId: one }, { userId: other }] = [await storedOwner(storage()), await storedOwner(storage())];
    const limits = () => readView(storage(), ({ userLimits }) => userLimits.of(one));
    const usual = { organizations: 100, apiTokens: 50 };
    expect(await limits()).to.deep.equal({ own: {}, inForce: usual });
    await set(one, { organizations: 3 });
    await set(one, { apiTokens: 1_000_000 });
    expect(await limits()).to.deep.equal({
      own: { apiTokens: 1_000_000 },
      // Never above the ceiling.
      inForce: { organizations: 100, apiTokens: 1000 },
    });
    await set(one, { organizations: 0, apiTokens: 7 });
    expect(await counted(one)).to.deep.equal([0, 7]);
    expect(await counted(other)).to.deep.equal([100, 50]);
    await set(one, {});
    expect(await limits()).to.deep.equal({ own: {}, inForce: usual });
  });

  it('are not found for an account that does not exist', async () => {
    const missing = UserId.parse('00000000-0000-7000-8000-000000000000');
    const found = storage().unitOfWork.view(({ userLimits }) => userLimits.of(missing));
    expect(await errorOf(found)).to.deep.equal(accountNotFound());
  });
});
