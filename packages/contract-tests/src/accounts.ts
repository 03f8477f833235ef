import { Email, emailKey, PersonName, ProviderId, profileVersion, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import {
  block,
  enforceTwoFactor,
  storedAccount,
  storedIdentity,
  storedOwner,
  storedSecondFactor,
  storedUnverified,
} from './arrangements.ts';
import { anAccount, anEmail, aPasswordHash, aRegistration, aTotpSecret, aUserId, noClient } from './builders.ts';
import { casesOn } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { hold } from './gate.ts';
import { expectOneWinner } from './races.ts';
import { errorOf, okOf, readView, rounds, runUnit } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const accountsContract = contract('Accounts contract', (storage) => {
  describe('add', () => addition(storage));
  describe('factsByEmail', () => factsByEmail(storage));
  describe('facts and lock', () => locking(storage));
  describe('profile', () => profile(storage));
  describe('saveProfile', () => profileChange(storage));
  describe('markEmailVerified', () => verification(storage));
});

function addition(storage: () => Storage): void {
  it('stores what it is given, with an unverified address', async () => {
    const { passwordHash: _, ...account } = anAccount({ email: Email.parse('Ada.Lovelace@Example.org') });
    const added = await runUnit(storage(), ({ accounts }) => accounts.add(anAccount(account)));
    expect(added).to.equal(undefined);
    const { createdAt, updatedAt, ...rest } = await readView(storage(), ({ accounts }) => accounts.profile(account.id));
    expect(rest).to.deep.equal({
      ...account,
      active: true,
      emailVerified: false,
      twoFactorEnabled: false,
      twoFactorEnforced: false,
      hasPassword: true,
      connectedProviders: [],
      revision: 1,
    });
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
  });

  it('refuses a taken address in any case', async () => {
    await storedAccount(storage(), { email: Email.parse('ada@example.org') });
    const again = anAccount({ email: Email.parse('ADA@Example.ORG') });
    const refused = storage().unitOfWork.run(({ accounts }) => accounts.add(again));
    expect(await errorOf(refused)).to.deep.equal({ type: 'EmailTaken' });
    const missing = storage().unitOfWork.view(({ accounts }) => accounts.profile(again.id));
    expect(await errorOf(missing)).to.deep.equal({ type: 'AccountNotFound' });
  });

  it('adds one account when twenty people register one address concurrently', async () => {
    const registering = casesOn(storage()).register;
    for (const _ of rounds) {
      const email = anEmail();
      const spelled = (index: number) => (index % 2 === 0 ? email : email.toUpperCase());
      await expectOneWinner('EmailTaken', (index) => registering(aRegistration(spelled(index)), noClient));
    }
    expect(await storage().mailContents(), 'mails of refused additions').to.equal(rounds.length);
  });

  it('makes a second addition of the address wait for the first', async () => {
    const [first, second] = [anAccount(), anAccount()];
    const held = await hold(storage(), ({ accounts }) => accounts.add(first));
    const adding = storage().unitOfWork.run(({ accounts }) => accounts.add({ ...second, email: first.email }));
    await held.endBefore(adding);
    expect(await errorOf(adding)).to.deep.equal({ type: 'EmailTaken' });
  });

  it('leaves the address to the next one if the first addition is rolled back', async () => {
    const [first, second] = [anAccount(), anAccount()];
    const held = await hold(storage(), ({ accounts }) => accounts.add(first));
    const adding = storage().unitOfWork.run(({ accounts }) => accounts.add({ ...second, email: first.email }));
    await held.endBefore(adding, () => errAsync('undo'));
    expect((await adding).isOk()).to.equal(true);
  });
}

function factsByEmail(storage: () => Storage): void {
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

function locking(storage: () => Storage): void {
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

function profileChange(storage: () => Storage): void {
  const settings = { firstName: PersonName.parse('Grace'), lastName: PersonName.parse('Hopper') };

  it('changes both names and the version, and returns the new profile', async () => {
    const { id } = await storedAccount(storage());
    const other = await storedAccount(storage());
    const before = await readView(storage(), ({ accounts }) => accounts.profile(id));
    await storage().passTime(5);
    const saved = await runUnit(storage(), ({ accounts }) => accounts.saveProfile(id, settings));
    const { createdAt, updatedAt, ...rest } = saved;
    const { createdAt: _, updatedAt: __, ...old } = before;
    expect(rest).to.deep.equal({ ...old, ...settings, revision: before.revision + 1 });
    expect(updatedAt > createdAt).to.equal(true);
    expect(await readView(storage(), ({ accounts }) => accounts.profile(id))).to.deep.equal(saved);
    expect(await readView(storage(), ({ accounts }) => accounts.profile(other.id))).to.include({ firstName: 'Ada' });
  });

  it('keeps the credentials', async () => {
    const { id } = await storedAccount(storage());
    const before = await readView(storage(), ({ accounts }) => accounts.facts(id));
    await runUnit(storage(), ({ accounts }) => accounts.saveProfile(id, settings));
    expect(await readView(storage(), ({ accounts }) => accounts.facts(id))).to.deep.equal(before);
  });

  it('does not find an account that does not exist', async () => {
    const saved = storage().unitOfWork.run(({ accounts }) => accounts.saveProfile(aUserId(), settings));
    expect(await errorOf(saved)).to.deep.equal({ type: 'AccountNotFound' });
  });
}

function profile(storage: () => Storage): void {
  it('reports whether there is a second factor, and whether an organization requires one', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const flags = async () => {
      const { twoFactorEnabled, twoFactorEnforced } = await profileOf(userId);
      return { twoFactorEnabled, twoFactorEnforced };
    };
    await enforceTwoFactor(storage(), organizationId);
    expect(await flags()).to.deep.equal({ twoFactorEnabled: false, twoFactorEnforced: true });
    await storedSecondFactor(storage(), userId);
    expect(await flags()).to.deep.equal({ twoFactorEnabled: true, twoFactorEnforced: true });
    await enforceTwoFactor(storage(), organizationId, false);
    expect(await flags()).to.deep.equal({ twoFactorEnabled: true, twoFactorEnforced: false });
  });

  const profileOf = (id: ReturnType<typeof aUserId>) => readView(storage(), ({ accounts }) => accounts.profile(id));

  it('does not find an account that does not exist', async () => {
    const read = storage().unitOfWork.view(({ accounts }) => accounts.profile(aUserId()));
    expect(await errorOf(read)).to.deep.equal({ type: 'AccountNotFound' });
  });

  it('lists the linked providers, sorted', async () => {
    const { id } = await storedAccount(storage());
    for (const provider of ['microsoft', 'github', 'google'])
      await storedIdentity(storage(), { userId: id, provider: ProviderId.parse(provider) });
    expect((await profileOf(id)).connectedProviders).to.deep.equal(['github', 'google', 'microsoft']);
  });

  it('reports whether there is a password and whether the account is active', async () => {
    const { id } = await storedAccount(storage());
    await storage().forgetPassword(id);
    await block(storage(), id);
    expect(await profileOf(id)).to.include({ hasPassword: false, active: false, emailVerified: true });
  });
}

function verification(storage: () => Storage): void {
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
