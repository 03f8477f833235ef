import { Email, emailKey, type PasswordHash, profileVersion, register } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { storedAccount } from './arrangements.ts';
import { anAccount, anEmail, aRegistration, aUserId } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { hold, waits } from './gate.ts';
import { atOnce, done, errorOf, racers, rounds, seen, tally } from './results.ts';
import { standIns } from './stand-ins.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function accountsContract(adapter: string, open: OpenStorage): void {
  describe(`Accounts contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    describe('add', () => addition(storage));
    describe('loginFacts', () => loginFacts(storage));
    describe('profile', () => profile(storage));
    describe('markEmailVerified', () => verification(storage));
    describe('replacePasswordHash', () => hashReplacement(storage));
  });
}

function addition(storage: () => Storage): void {
  it('keeps what it was given and leaves the address unverified', async () => {
    const { passwordHash: _, ...account } = anAccount({ email: Email.parse('Ada.Lovelace@Example.org') });
    const added = await done(storage(), ({ accounts }) => accounts.add(anAccount(account)));
    expect(added).to.equal(undefined);
    const { createdAt, updatedAt, ...rest } = await seen(storage(), ({ accounts }) => accounts.profile(account.id));
    expect(rest).to.deep.equal({
      ...account,
      active: true,
      emailVerified: false,
      hasPassword: true,
      connectedProviders: [],
      revision: 1,
    });
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
  });

  it('refuses an address that an account has, whatever the letter case', async () => {
    await storedAccount(storage(), { email: Email.parse('ada@example.org') });
    const again = anAccount({ email: Email.parse('ADA@Example.ORG') });
    const refused = storage().unitOfWork.run(({ accounts }) => accounts.add(again));
    expect(await errorOf(refused)).to.deep.equal({ type: 'EmailTaken' });
    const missing = storage().unitOfWork.view(({ accounts }) => accounts.profile(again.id));
    expect(await errorOf(missing)).to.deep.equal({ type: 'AccountNotFound' });
  });

  it('adds one account when twenty people register one address at the same time', async () => {
    const registering = register({ unitOfWork: storage().unitOfWork, ...standIns });
    for (const _ of rounds) {
      const email = anEmail();
      const spelled = (index: number) => (index % 2 === 0 ? email : email.toUpperCase());
      const results = await atOnce(racers, (index) => registering(aRegistration(spelled(index))));
      expect(tally(results)).to.deep.equal({ Ok: 1, EmailTaken: racers - 1 });
    }
    expect(await storage().mailContents(), 'mails of those who were refused').to.equal(rounds.length);
  });

  it('makes a second addition of the address wait until the first is decided', async () => {
    const [first, second] = [anAccount(), anAccount()];
    const held = await hold(
      storage(),
      ({ accounts }) => accounts.add(first),
      () => okAsync(),
    );
    const adding = storage().unitOfWork.run(({ accounts }) => accounts.add({ ...second, email: first.email }));
    expect(await waits(storage(), adding)).to.equal(true);
    await held.release();
    expect(await errorOf(adding)).to.deep.equal({ type: 'EmailTaken' });
  });

  it('gives the address to the next one when the first addition is undone', async () => {
    const [first, second] = [anAccount(), anAccount()];
    const held = await hold(
      storage(),
      ({ accounts }) => accounts.add(first),
      () => errAsync('undo'),
    );
    const adding = storage().unitOfWork.run(({ accounts }) => accounts.add({ ...second, email: first.email }));
    expect(await waits(storage(), adding)).to.equal(true);
    await held.release();
    expect((await adding).isOk()).to.equal(true);
  });
}

function loginFacts(storage: () => Storage): void {
  const factsOf = (email: Email) => seen(storage(), ({ accounts }) => accounts.loginFacts(emailKey(email)));

  it('tells nothing about an unknown address', async () => {
    expect(await factsOf(anEmail())).to.equal(undefined);
  });

  it('tells who signs in, with what, and whether they may', async () => {
    const { id, passwordHash, email } = await storedAccount(storage(), { email: Email.parse('Grace@Example.org') });
    expect(await factsOf(email)).to.deep.equal({ userId: id, passwordHash, standing: 'active', credentialsVersion: 1 });
  });

  it('has no hash for an account that signs in by a provider only', async () => {
    const { id, email } = await storedAccount(storage());
    await storage().forgetPassword(id);
    expect(await factsOf(email)).to.have.property('passwordHash', undefined);
  });

  it('calls an account inactive until its address is verified', async () => {
    const account = anAccount();
    await done(storage(), ({ accounts }) => accounts.add(account));
    expect(await factsOf(account.email)).to.have.property('standing', 'inactive');
  });

  it('calls a blocked account inactive', async () => {
    const { id, email } = await storedAccount(storage());
    await storage().blockAccount(id);
    expect(await factsOf(email)).to.have.property('standing', 'inactive');
  });

  it('has another credentials version after the credentials changed', async () => {
    const { id, email } = await storedAccount(storage());
    const before = await factsOf(email);
    await storage().changeCredentials(id);
    expect((await factsOf(email))?.credentialsVersion).to.not.equal(before?.credentialsVersion);
  });
}

function profile(storage: () => Storage): void {
  const profileOf = (id: ReturnType<typeof aUserId>) => seen(storage(), ({ accounts }) => accounts.profile(id));

  it('does not find an account that is not there', async () => {
    const read = storage().unitOfWork.view(({ accounts }) => accounts.profile(aUserId()));
    expect(await errorOf(read)).to.deep.equal({ type: 'AccountNotFound' });
  });

  it('lists the linked providers, sorted', async () => {
    const { id } = await storedAccount(storage());
    for (const provider of ['microsoft', 'github', 'google']) await storage().linkProvider(id, provider);
    expect((await profileOf(id)).connectedProviders).to.deep.equal(['github', 'google', 'microsoft']);
  });

  it('tells whether there is a password and whether the account is active', async () => {
    const { id } = await storedAccount(storage());
    await storage().forgetPassword(id);
    await storage().blockAccount(id);
    expect(await profileOf(id)).to.include({ hasPassword: false, active: false, emailVerified: true });
  });
}

function verification(storage: () => Storage): void {
  const verify = ({ id }: { id: ReturnType<typeof aUserId> }, email: Email) =>
    storage().unitOfWork.run(({ accounts }) => accounts.markEmailVerified(id, emailKey(email)));
  const added = async () => {
    const account = anAccount();
    await done(storage(), ({ accounts }) => accounts.add(account));
    return account;
  };
  const profileOf = ({ id }: { id: ReturnType<typeof aUserId> }) =>
    seen(storage(), ({ accounts }) => accounts.profile(id));

  it('verifies the address and gives the profile a new version', async () => {
    const account = await added();
    const before = await profileOf(account);
    expect((await verify(account, account.email)).isOk()).to.equal(true);
    const after = await profileOf(account);
    expect(after.emailVerified).to.equal(true);
    expect(profileVersion(after)).to.not.equal(profileVersion(before));
  });

  it('refuses an address that is not the account’s any more', async () => {
    const account = await added();
    await storage().changeAddress(account.id, anEmail());
    expect(await errorOf(verify(account, account.email))).to.deep.equal({ type: 'MailedTokenInvalid' });
    expect(await profileOf(account)).to.have.property('emailVerified', false);
  });

  it('refuses an account that is not there', async () => {
    expect(await errorOf(verify(anAccount(), anEmail()))).to.deep.equal({ type: 'MailedTokenInvalid' });
  });

  it('leaves an administrative block in place', async () => {
    const account = await added();
    await storage().blockAccount(account.id);
    await verify(account, account.email);
    expect(await profileOf(account)).to.include({ emailVerified: true, active: false });
  });

  it('does no harm when repeated', async () => {
    const account = await added();
    await verify(account, account.email);
    expect((await verify(account, account.email)).isOk()).to.equal(true);
    expect(await profileOf(account)).to.have.property('emailVerified', true);
  });
}

function hashReplacement(storage: () => Storage): void {
  const to = 'stronger hash' as PasswordHash;
  const factsOf = (email: Email) => seen(storage(), ({ accounts }) => accounts.loginFacts(emailKey(email)));

  it('replaces the hash; what was issued before stays good', async () => {
    const { id, email, passwordHash: from } = await storedAccount(storage());
    const before = await factsOf(email);
    await done(storage(), ({ accounts }) => accounts.replacePasswordHash(id, { from, to }));
    expect(await factsOf(email)).to.deep.equal({ ...before, passwordHash: to });
  });

  it('does nothing when the password changed meanwhile', async () => {
    const { id, email, passwordHash } = await storedAccount(storage());
    const from = 'hash of another password' as PasswordHash;
    await done(storage(), ({ accounts }) => accounts.replacePasswordHash(id, { from, to }));
    expect(await factsOf(email)).to.have.property('passwordHash', passwordHash);
  });

  it('does nothing when the account is not there', async () => {
    const from = to;
    await done(storage(), ({ accounts }) => accounts.replacePasswordHash(aUserId(), { from, to }));
  });
}
