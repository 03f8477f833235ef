import { Email, emailKey, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { block, storedAccount, storedSecondFactor, storedUnverified } from '../../arrangements/index.ts';
import { anEmail, aPasswordHash, aTotpSecret, aUserId } from '../../builders/index.ts';
import { hold } from '../../gate.ts';
import { errorOf, okOf, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** What a sign-in learns about an address. */
export function factsByEmail(storage: () => Storage): void {
  const factsOf = (email: Email) => readView(storage(), ({ accounts }) => accounts.factsByEmail(emailKey(email)));

  it('reveals nothing about an unknown address', async () => {
    expect(await factsOf(anEmail())).to.equal(undefined);
  });

  it('returns who signs in, with which hash, and whether they may', async () => {
    const { id, passwordHash, email } = await storedAccount(storage(), { email: Email.parse('Grace@Example.org') });
    expect(await factsOf(email)).to.deep.equal({
      userId: id,
      email,
      passwordHash,
      standing: 'active',
      emailVerified: true,
      blocked: false,
      twoFactorEnabled: false,
      passkeys: 0,
      providers: 0,
      credentialsVersion: 1,
    });
  });

  it('has no hash for an account without a password', async () => {
    const { id, email } = await storedAccount(storage());
    await storage().forgetPassword(id);
    expect(await factsOf(email)).to.have.property('passwordHash', undefined);
  });

  it('reports an account as inactive until its address is verified', async () => {
    const account = await storedUnverified(storage());
    expect(await factsOf(account.email)).to.have.property('standing', 'inactive');
  });

  it('reports a blocked account as inactive', async () => {
    const { id, email } = await storedAccount(storage());
    await block(storage(), id);
    expect(await factsOf(email)).to.have.property('standing', 'inactive');
  });

  it('changes the credentials version with the credentials', async () => {
    const { id, email } = await storedAccount(storage());
    const before = await factsOf(email);
    await storage().changeCredentials(id);
    expect((await factsOf(email))?.credentialsVersion).to.not.equal(before?.credentialsVersion);
  });
}

/** What is decided on about an account, and who waits for it. */
export function locking(storage: () => Storage): void {
  it('agree with factsByEmail', async () => {
    const { id, email } = await storedAccount(storage());
    await storedSecondFactor(storage(), id);
    const expected = await readView(storage(), ({ accounts }) => accounts.factsByEmail(emailKey(email)));
    expect(expected).to.include({ userId: id, twoFactorEnabled: true });
    expect(await readView(storage(), ({ accounts }) => accounts.facts(id))).to.deep.equal(expected);
    expect(await runUnit(storage(), ({ accounts }) => accounts.lock(id))).to.deep.equal(expected);
  });

  it('distinguish a block from an unverified address', async () => {
    const account = await storedUnverified(storage());
    const { id: blocked } = await storedAccount(storage());
    await block(storage(), blocked);
    const factsOf = (id: UserId) => readView(storage(), ({ accounts }) => accounts.facts(id));
    expect(await factsOf(account.id)).to.include({ standing: 'inactive', emailVerified: false, blocked: false });
    expect(await factsOf(blocked)).to.include({ standing: 'inactive', emailVerified: true, blocked: true });
  });

  it('do not count a pending setup as a second factor', async () => {
    const { id } = await storedAccount(storage());
    const secret = aTotpSecret();
    await runUnit(storage(), ({ twoFactors }) => twoFactors.begin({ user: id, secret, lifetimeSeconds: 900 }));
    expect(await readView(storage(), ({ accounts }) => accounts.facts(id))).to.include({ twoFactorEnabled: false });
  });

  it('do not find an account that does not exist', async () => {
    const id = aUserId();
    const found = storage().unitOfWork.view(({ accounts }) => accounts.facts(id));
    expect(await errorOf(found)).to.deep.equal({ type: 'AccountNotFound' });
    const locked = storage().unitOfWork.run(({ accounts }) => accounts.lock(id));
    expect(await errorOf(locked)).to.deep.equal({ type: 'AccountNotFound' });
  });

  const changes: readonly (readonly [string, (id: UserId) => Promise<unknown>])[] = [
    ['the credentials', (id) => storage().changeCredentials(id)],
    ['the address', (id) => storage().changeAddress(id, anEmail())],
    ['the password', (id) => storage().forgetPassword(id)],
    ['the block', (id) => block(storage(), id)],
  ];
  for (const [what, change] of changes) {
    it(`make a change of ${what} wait until the unit ends`, async () => {
      const { id } = await storedAccount(storage());
      const before = await readView(storage(), ({ accounts }) => accounts.facts(id));
      const held = await hold(storage(), ({ accounts }) => accounts.lock(id));
      const changing = change(id);
      expect(await okOf(held.endBefore(changing, ({ accounts }) => accounts.facts(id)))).to.deep.equal(before);
      await changing;
      expect(await readView(storage(), ({ accounts }) => accounts.facts(id))).to.not.deep.equal(before);
    });
  }

  it('show what the unit they waited for has written', async () => {
    const { id } = await storedAccount(storage());
    const held = await hold(storage(), ({ accounts }) => accounts.lock(id));
    const second = runUnit(storage(), ({ accounts }) => accounts.lock(id));
    await okOf(held.endBefore(second, ({ credentials }) => credentials.setPassword(id, aPasswordHash('new hash'))));
    expect(await second).to.include({ passwordHash: 'new hash', credentialsVersion: 2 });
  });
}
