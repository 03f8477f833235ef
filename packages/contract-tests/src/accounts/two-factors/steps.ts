import type { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { happensOnce } from '../../races.ts';
import { errorOf, okOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { begun, enable, protectedUser, spendStep } from './factors.ts';

/** Time steps of codes, each of which is accepted once. */
export function steps(storage: () => Storage): void {
  const isRefused = async (user: UserId, step: number) => {
    expect(await errorOf(spendStep(storage(), user, step))).to.deep.equal({ type: 'InvalidVerificationCode' });
  };

  it('accepts each step once, and none before a used one', async () => {
    const id = await protectedUser(storage());
    await okOf(spendStep(storage(), id, 59_000_000));
    await isRefused(id, 59_000_000);
    await isRefused(id, 58_999_999);
    await okOf(spendStep(storage(), id, 59_000_001));
  });

  it('accepts a step during a pending setup, and remembers it afterwards', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id);
    await okOf(spendStep(storage(), id, 1000));
    await okOf(enable(storage(), id));
    await isRefused(id, 1000);
  });

  it('fails for users without two-factor authentication', async () => {
    await isRefused((await storedAccount(storage())).id, 1000);
  });

  it('is separate for each user', async () => {
    const [ada, grace] = [await protectedUser(storage()), await protectedUser(storage())];
    await okOf(spendStep(storage(), ada, 1000));
    await okOf(spendStep(storage(), grace, 1000));
  });

  happensOnce(storage, {
    arrange: () => protectedUser(storage()),
    call: ({ twoFactors }, id) => twoFactors.spendStep(id, 1000),
    loser: 'InvalidVerificationCode',
  });
}
