import type { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { expectOneWinner, happensOnce } from '../../races.ts';
import { concurrently, errorOf, okOf, raceSize, rounds, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { hashOf, protectedUser, spendCode } from './factors.ts';

/** Recovery codes, each of which is accepted once. */
export function recoveryCodes(storage: () => Storage): void {
  const replace = (user: UserId, codes: readonly string[]) =>
    runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(user, codes.map(hashOf)));
  const isRefused = async (user: UserId, ...codes: readonly string[]) => {
    const refused = await errorOf(spendCode(storage(), user, codes.map(hashOf)));
    expect(refused).to.deep.equal({ type: 'InvalidVerificationCode' });
  };

  it('uses up the code with one of the hashes', async () => {
    const id = await protectedUser(storage());
    await replace(id, ['A', 'B', 'C']);
    await okOf(spendCode(storage(), id, [hashOf('of another key'), hashOf('B')]));
    await isRefused(id, 'B');
    for (const code of ['A', 'C']) await okOf(spendCode(storage(), id, [hashOf(code)]));
  });

  it('refuses unknown hashes, other users’ codes, and no hash at all', async () => {
    const [ada, grace] = [await protectedUser(storage()), await protectedUser(storage())];
    await replace(grace, ['A']);
    await isRefused(ada, 'A');
    await isRefused(grace, 'B');
    await isRefused(grace);
    await okOf(spendCode(storage(), grace, [hashOf('A')]));
  });

  it('replaces the whole set, including used codes', async () => {
    const id = await protectedUser(storage());
    await replace(id, ['A', 'B']);
    await okOf(spendCode(storage(), id, [hashOf('A')]));
    await replace(id, ['A', 'C']);
    await isRefused(id, 'B');
    for (const code of ['A', 'C']) await okOf(spendCode(storage(), id, [hashOf(code)]));
  });

  it('leaves one set when twenty replace it concurrently', async () => {
    for (const _ of rounds) {
      const id = await protectedUser(storage());
      await concurrently(raceSize, (index) => replace(id, [`${index}`]));
      await expectOneWinner('InvalidVerificationCode', (index) => spendCode(storage(), id, [hashOf(`${index}`)]));
    }
  });

  happensOnce(storage, {
    arrange: async () => {
      const id = await protectedUser(storage());
      await replace(id, ['A', 'B']);
      return id;
    },
    call: ({ twoFactors }, id) => twoFactors.spendRecoveryCode(id, [hashOf('A')]),
    loser: 'InvalidVerificationCode',
  });
}
