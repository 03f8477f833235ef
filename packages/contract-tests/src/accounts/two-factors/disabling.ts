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

  it('does not affect others, and succeeds if there is nothing to delete', async () => {
    const [ada, grace] = [await protectedUser(storage()), await protectedUser(storage())];
    const hash = hashOf('A');
    await runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(grace, [hash]));
    for (const _ of [1, 2]) await runUnit(storage(), ({ twoFactors }) => twoFactors.disable(ada));
    expect(await stateOf(storage(), grace)).to.include({ state: 'enabled' });
    expect((await spendCode(storage(), grace, [hash])).isOk()).to.equal(true);
  });
}
