import { Email } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { storedAccount } from '../../arrangements/index.ts';
import { anAccount, anEmail, aRegistration, noClient } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import { expectOneWinner } from '../../races.ts';
import { errorOf, readView, rounds, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** What is stored of an account, and who gets an address. */
export function addition(storage: () => Storage): void {
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
