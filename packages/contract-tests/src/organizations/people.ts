import { expect } from 'chai';
import { storedAccount, storedIdentity, storedSecondFactor } from '../arrangements/index.ts';
import { aUserId } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, readView, runUnit } from '../results.ts';

/** Every adapter of the port must pass this unchanged. */
export const peopleContract = contract('People contract', (storage) => {
  it('knows the stored address and the name of the holder of an account', async () => {
    const { id, email, firstName, lastName } = await storedAccount(storage());
    expect(await readView(storage(), ({ people }) => people.byId(id))).to.include({ email, firstName, lastName });
  });

  it('knows the second factors of an account', async () => {
    const { id } = await storedAccount(storage());
    await storedSecondFactor(storage(), id);
    const factors = await runUnit(storage(), ({ people }) => people.lockFactors(id));
    expect(factors).to.include({ twoFactorEnabled: true, passkeys: 0 });
  });

  it('knows the providers that an account signs in by', async () => {
    const { userId, provider } = await storedIdentity(storage());
    expect(await readView(storage(), ({ people }) => people.providersOf(userId))).to.deep.equal([provider]);
  });

  it('knows nobody without an account', async () => {
    const found = storage().unitOfWork.view(({ people }) => people.byId(aUserId()));
    expect(await errorOf(found)).to.deep.equal({ type: 'AccountNotFound' });
  });
});
