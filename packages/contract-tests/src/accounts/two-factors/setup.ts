import type { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount, storedSecondFactor } from '../../arrangements/index.ts';
import { happensOnce } from '../../races.ts';
import { errorOf, okOf, rejectionOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { begun, enable, protectedUser, stateOf } from './factors.ts';

/** The beginning of a setup, which may be repeated. */
export function beginning(storage: () => Storage): void {
  it('replaces a pending secret, with a new lifetime', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id, 900);
    await storage().passTime(800);
    const secret = await begun(storage(), id, 900);
    await storage().passTime(800);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'pending', secret });
  });

  it('starts again after a setup has expired', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id, 900);
    await storage().passTime(900);
    const secret = await begun(storage(), id, 900);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'pending', secret });
  });

  it('separates the secrets of two users', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const secret = await begun(storage(), ada.id);
    await begun(storage(), grace.id);
    expect(await stateOf(storage(), ada.id)).to.deep.equal({ state: 'pending', secret });
  });

  it('never replaces an enabled second factor', async () => {
    const { id } = await storedAccount(storage());
    const secret = await storedSecondFactor(storage(), id);
    await rejectionOf(begun(storage(), id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
  });
}

/** The end of a setup, which happens once. */
export function enabling(storage: () => Storage): void {
  const isRefused = async (user: UserId) => {
    expect(await errorOf(enable(storage(), user))).to.deep.equal({ type: 'TwoFactorNotPending' });
  };

  it('keeps the pending secret', async () => {
    const { id } = await storedAccount(storage());
    const secret = await begun(storage(), id);
    await okOf(enable(storage(), id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
  });

  it('refuses unless a setup is pending', async () => {
    await isRefused((await storedAccount(storage())).id);
    await isRefused(await protectedUser(storage()));
    const { id } = await storedAccount(storage());
    await begun(storage(), id, 60);
    await storage().passTime(60);
    await isRefused(id);
  });

  happensOnce(storage, {
    arrange: async () => {
      const { id } = await storedAccount(storage());
      await begun(storage(), id);
      return id;
    },
    call: ({ twoFactors }, id) => twoFactors.enable(id, { confirmed: true }),
    loser: 'TwoFactorNotPending',
  });
}
