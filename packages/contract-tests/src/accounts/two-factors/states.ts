import { expect } from 'chai';
import { storedAccount, storedSecondFactor } from '../../arrangements/index.ts';
import { aTotpSecret, aUserId } from '../../builders/index.ts';
import { hold } from '../../gate.ts';
import { okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { begun, protectedUser, stateOf } from './factors.ts';

/** The states of a second factor, and who waits for a change of them. */
export function locking(storage: () => Storage): void {
  it('reports that two-factor authentication is disabled', async () => {
    expect(await stateOf(storage(), (await storedAccount(storage())).id)).to.deep.equal({ state: 'disabled' });
    expect(await stateOf(storage(), aUserId())).to.deep.equal({ state: 'disabled' });
  });

  it('returns the pending secret until the setup expires', async () => {
    const { id } = await storedAccount(storage());
    const secret = await begun(storage(), id, 900);
    await storage().passTime(890);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'pending', secret });
    await storage().passTime(10);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
  });

  it('returns the secret once enabled, however old it is', async () => {
    const { id } = await storedAccount(storage());
    const secret = await storedSecondFactor(storage(), id);
    await storage().passTime(1_000_000);
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'enabled', secret });
  });

  it('makes a change of the state wait until the unit ends', async () => {
    const id = await protectedUser(storage());
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.lock(id));
    const change = runUnit(storage(), ({ twoFactors }) => twoFactors.lock(id).andThen(() => twoFactors.disable(id)));
    expect(await okOf(held.endBefore(change, ({ twoFactors }) => twoFactors.lock(id)))).to.include({
      state: 'enabled',
    });
    await change;
    expect(await stateOf(storage(), id)).to.deep.equal({ state: 'disabled' });
  });

  it('sees what the unit it waited for has written', async () => {
    const { id } = await storedAccount(storage());
    const secret = aTotpSecret();
    const held = await hold(storage(), ({ twoFactors }) => twoFactors.lock(id));
    const state = stateOf(storage(), id);
    await okOf(held.endBefore(state, ({ twoFactors }) => twoFactors.begin({ user: id, secret, lifetimeSeconds: 900 })));
    expect(await state).to.deep.equal({ state: 'pending', secret });
  });
}
