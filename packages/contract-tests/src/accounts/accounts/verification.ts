import { type Email, emailKey, profileVersion } from '@zonewright/core';
import { expect } from 'chai';
import { block, storedUnverified } from '../../arrangements/index.ts';
import { anAccount, anEmail, type aUserId } from '../../builders/index.ts';
import { errorOf, readView } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** The verification of an address. */
export function verification(storage: () => Storage): void {
  const verify = ({ id }: { id: ReturnType<typeof aUserId> }, email: Email) =>
    storage().unitOfWork.run(({ accounts }) => accounts.markEmailVerified(id, emailKey(email)));
  const added = async () => {
    const account = await storedUnverified(storage());
    return account;
  };
  const profileOf = ({ id }: { id: ReturnType<typeof aUserId> }) =>
    readView(storage(), ({ accounts }) => accounts.profile(id));

  it('verifies the address and changes the profile’s version', async () => {
    const account = await added();
    const before = await profileOf(account);
    expect((await verify(account, account.email)).isOk()).to.equal(true);
    const after = await profileOf(account);
    expect(after.emailVerified).to.equal(true);
    expect(profileVersion(after)).to.not.equal(profileVersion(before));
  });

  it('refuses an address that is no longer the account’s', async () => {
    const account = await added();
    await storage().changeAddress(account.id, anEmail());
    expect(await errorOf(verify(account, account.email))).to.deep.equal({ type: 'MailedTokenInvalid' });
    expect(await profileOf(account)).to.have.property('emailVerified', false);
  });

  it('refuses an account that does not exist', async () => {
    expect(await errorOf(verify(anAccount(), anEmail()))).to.deep.equal({ type: 'MailedTokenInvalid' });
  });

  it('keeps an administrative block', async () => {
    const account = await added();
    await block(storage(), account.id);
    await verify(account, account.email);
    expect(await profileOf(account)).to.include({ emailVerified: true, active: false });
  });

  it('is idempotent', async () => {
    const account = await added();
    await verify(account, account.email);
    expect((await verify(account, account.email)).isOk()).to.equal(true);
    expect(await profileOf(account)).to.have.property('emailVerified', true);
  });
}
