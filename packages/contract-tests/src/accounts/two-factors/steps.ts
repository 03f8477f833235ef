import type { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { rollBack, storedAccount } from '../../arrangements/index.ts';
import { hold } from '../../gate.ts';
import { expectOneWinner } from '../../races.ts';
import { errorOf, okOf, rounds } from '../../results.ts';
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

  it('does not use up the step in a unit that is rolled back', async () => {
    const id = await protectedUser(storage());
    await rollBack(storage(), ({ twoFactors }) => twoFactors.spendStep(id, 1000));
    await okOf(spendStep(storage(), id, 1000));
  });

  it('lets exactly one of twenty concurrent calls succeed', async () => {
    const id = await protectedUser(storage());
    for (const round of rounds) {
      await expectOneWinner('InvalidVerificationCode', () => spendStep(storage(), id, round));
    }
  });

  it('makes a second call wait for the first', async () => {
    const id = await protectedUser(storage());
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.spendStep(id, 1000));
    const second = spendStep(storage(), id, 1000);
    await okOf(held.endBefore(second));
    expect(await errorOf(second)).to.deep.equal({ type: 'InvalidVerificationCode' });
  });
}
