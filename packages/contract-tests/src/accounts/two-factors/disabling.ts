import type { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount, storedSecondFactor } from '../../arrangements/index.ts';
import { errorOf, okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { begun, hashOf, protectedUser, spendCode, spendStep, stateOf } from './factors.ts';

/** What is deleted with a second factor. */
export function disabling(storage: () => Storage): void {
  it('deletes secret, used step and recovery codes', async () => {
    const id = await protectedUser(storage());
    const hash = hashOf('A');
    await okOf(spendStep(storage(), id, 1000));
    await runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(id, [hash]));
    await runUnit(storage(), ({ twoFactors }) => twoFactors.disable(id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
    expect(await errorOf(spendStep(storage(), id, 1001))).to.deep.equal({ type: 'InvalidVerificationCode' });
    const secret = await storedSecondFactor(storage(), id);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
    expect(await errorOf(spendCode(storage(), id, [hash]))).to.deep.equal({ type: 'InvalidVerificationCode' });
    expect((await spendStep(storage(), id, 1000)).isOk(), 'the same step of another secret').to.equal(true);
  });

  it('deletes a pending setup', async () => {
    const { id } = await storedAccount(storage());
    await begun(storage(), id);
    await runUnit(storage(), ({ twoFactors }) => twoFactors.disable(id));
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
  });

  it('deletes only what an unconfirmed session enabled lately, if asked to', async () => {
    const only = { unconfirmedForSeconds: 1000 };
    const disable = (id: UserId) => runUnit(storage(), ({ twoFactors }) => twoFactors.disable(id, only));
    const enabled = async (confirmed: boolean) => {
      const { id } = await storedAccount(storage());
      await begun(storage(), id);
      await runUnit(storage(), ({ twoFactors }) => twoFactors.enable(id, { confirmed }));
      return id;
    };
    const [recent, trusted, old] = [await enabled(false), await enabled(true), await enabled(false)];
    const { id: pending } = await storedAccount(storage());
    await begun(storage(), pending, 5000);
    const hash = hashOf('A');
    for (const id of [recent, trusted]) {
      await runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(id, [hash]));
    }
    expect([await disable(recent), await disable(recent)]).to.deep.equal([true, false]);
    await storage().passTime(1000);
    for (const id of [trusted, old, pending]) expect(await disable(id)).to.equal(false);
    expect(await stateOf(storage(), recent)).to.deep.equal({ state: 'disabled' });
    expect(await stateOf(storage(), trusted)).to.include({ state: 'enabled' });
    expect(await stateOf(storage(), old)).to.include({ state: 'enabled' });
    expect(await stateOf(storage(), pending)).to.include({ state: 'pending' });
    expect(await errorOf(spendCode(storage(), recent, [hash]))).to.deep.equal({ type: 'InvalidVerificationCode' });
    expect((await spendCode(storage(), trusted, [hash])).isOk()).to.equal(true);
  });

  it('does not affect others, and succeeds if there is nothing to delete', async () => {
    const [ada, grace] = [await protectedUser(storage()), await protectedUser(storage())];
    const hash = hashOf('A');
    await runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(grace, [hash]));
    for (const _ of [1, 2]) await runUnit(storage(), ({ twoFactors }) => twoFactors.disable(ada));
    expect(await stateOf(storage(), grace)).to.include({ state: 'enabled' });
    expect((await spendCode(storage(), grace, [hash])).isOk()).to.equal(true);
  });
}
