import { Email, emailKey, type TokenHash, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { block, storedAccount } from '../arrangements/index.ts';
import { anAccount, anEmail, aSessionId, aTokenHash } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { expectOneWinner } from '../races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { undoneAccess } from './undone-access.ts';

/** Every adapter of the port must pass this unchanged. */
export const addressChangesContract = contract('AddressChanges contract', (storage) => {
  describe('request', () => requesting(storage));
  describe('confirm', () => confirming(storage));
  describe('undo', () => undoing(storage));
  describe('undo, access', () => undoneAccess(storage));
  describe('concurrent confirmations and registrations', () => racing(storage));
});

const confirmSeconds = 1000;
const undoSeconds = 5000;
const invalid = { type: 'MailedTokenInvalid' };

/** A change as requested, with an account if none is given. */
async function requested(storage: Storage, given: { readonly user?: UserId; readonly to?: Email } = {}) {
  const { user = (await storedAccount(storage)).id, to = Email.parse(anEmail()) } = given;
  const change = { user, to, session: aSessionId(), confirmation: aTokenHash(), undoing: aTokenHash() };
  const from = await runUnit(storage, ({ addressChanges }) =>
    addressChanges.request({ ...change, confirmSeconds, undoSeconds }),
  );
  return { ...change, from };
}
type Requested = Awaited<ReturnType<typeof requested>>;

const confirm = ({ unitOfWork }: Storage, { confirmation }: Pick<Requested, 'confirmation'>) =>
  unitOfWork.run(({ addressChanges }) => addressChanges.confirm(confirmation, undoSeconds));
const undo = ({ unitOfWork }: Storage, { undoing: hash }: Pick<Requested, 'undoing'>) =>
  unitOfWork.run(({ addressChanges }) => addressChanges.undo(hash, 900)).map(({ user }) => user);
const addressOf = async (storage: Storage, user: UserId) =>
  (await readView(storage, ({ accounts }) => accounts.profile(user))).email;
const register = ({ unitOfWork }: Storage, email: Email) =>
  unitOfWork.run(({ accounts }) => accounts.add(anAccount({ email })));

function requesting(storage: () => Storage): void {
  const count = (user: UserId, seconds: number) =>
    runUnit(storage(), ({ addressChanges }) => addressChanges.lockRequestCount(user, seconds));

  it('changes nothing yet, and tells the current address', async () => {
    const account = await storedAccount(storage());
    const change = await requested(storage(), { user: account.id });
    expect(change.from).to.equal(account.email);
    expect(await addressOf(storage(), account.id)).to.equal(account.email);
  });

  it('is known by the token that confirms it, and by no other', async () => {
    const { to, confirmation, undoing } = await requested(storage());
    const asked = (hash: TokenHash) => readView(storage(), ({ addressChanges }) => addressChanges.requested(hash));
    expect([await asked(confirmation), await asked(undoing)]).to.deep.equal([to, undefined]);
  });

  it('supersedes the link of an earlier request, but not its undoing', async () => {
    const first = await requested(storage());
    const second = await requested(storage(), { user: first.user });
    expect(await errorOf(confirm(storage(), first))).to.deep.equal(invalid);
    expect(await okOf(undo(storage(), first))).to.equal(first.user);
    expect(await errorOf(confirm(storage(), second))).to.deep.equal(invalid);
  });

  it('counts the requests of a while', async () => {
    const { user } = await requested(storage());
    await storage().passTime(100);
    await requested(storage(), { user });
    expect(await count(user, 90)).to.equal(1);
    expect(await count(user, 1000)).to.equal(2);
  });
}

function confirming(storage: () => Storage): void {
  const isRefused = async (change: Requested) => {
    expect(await errorOf(confirm(storage(), change))).to.deep.equal(invalid);
    expect(await addressOf(storage(), change.user)).to.equal(change.from);
  };

  it('gives the account the new address, once', async () => {
    const change = await requested(storage());
    const { user, session, to } = change;
    expect(await okOf(confirm(storage(), change))).to.deep.equal({ user, session });
    expect(await addressOf(storage(), user)).to.equal(to);
    expect(await errorOf(confirm(storage(), change))).to.deep.equal(invalid);
  });

  it('gives the account another spelling of its address, once', async () => {
    const { id: user, email } = await storedAccount(storage());
    const to = Email.parse(email.toUpperCase());
    const change = await requested(storage(), { user, to });
    await okOf(confirm(storage(), change));
    expect(await addressOf(storage(), user)).to.equal(to);
    expect(await errorOf(confirm(storage(), change))).to.deep.equal(invalid);
  });

  it('refuses a link that is too old', async () => {
    const change = await requested(storage());
    await storage().passTime(confirmSeconds);
    await isRefused(change);
  });

  it('refuses a link from before a change of credentials', async () => {
    const change = await requested(storage());
    await storage().changeCredentials(change.user);
    await isRefused(change);
  });

  it('refuses the link of a blocked account', async () => {
    const change = await requested(storage());
    await block(storage(), change.user);
    await isRefused(change);
  });

  it('refuses an address that is another account’s', async () => {
    const other = await storedAccount(storage());
    await isRefused(await requested(storage(), { to: other.email }));
  });

  it('keeps the old address for the account, until the change can no longer be undone', async () => {
    const change = await requested(storage());
    await okOf(confirm(storage(), change));
    const taken = { type: 'EmailTaken' };
    expect(await errorOf(register(storage(), change.from))).to.deep.equal(taken);
    const other = await requested(storage(), { to: change.from });
    expect(await errorOf(confirm(storage(), other))).to.deep.equal(invalid);
    await storage().passTime(undoSeconds);
    await okOf(register(storage(), change.from));
  });

  it('lets the account itself return to a reserved address', async () => {
    const change = await requested(storage());
    await okOf(confirm(storage(), change));
    const back = await requested(storage(), { user: change.user, to: change.from });
    await okOf(confirm(storage(), back));
    expect(await addressOf(storage(), change.user)).to.equal(change.from);
  });
}

function undoing(storage: () => Storage): void {
  it('brings the old address back, once', async () => {
    const change = await requested(storage());
    await okOf(confirm(storage(), change));
    expect(await okOf(undo(storage(), change))).to.equal(change.user);
    expect(await addressOf(storage(), change.user)).to.equal(change.from);
    expect(await errorOf(undo(storage(), change))).to.deep.equal(invalid);
  });

  it('prevents a change that is not confirmed yet', async () => {
    const change = await requested(storage());
    await okOf(undo(storage(), change));
    expect(await errorOf(confirm(storage(), change))).to.deep.equal(invalid);
    expect(await addressOf(storage(), change.user)).to.equal(change.from);
  });

  it('counts from the confirmation', async () => {
    const change = await requested(storage());
    await storage().passTime(confirmSeconds - 10);
    await okOf(confirm(storage(), change));
    await storage().passTime(undoSeconds - 10);
    await okOf(undo(storage(), change));
  });

  it('is refused after its time', async () => {
    const change = await requested(storage());
    await okOf(confirm(storage(), change));
    await storage().passTime(undoSeconds);
    expect(await errorOf(undo(storage(), change))).to.deep.equal(invalid);
  });

  it('of the first of two changes voids the second', async () => {
    const first = await requested(storage());
    await okOf(confirm(storage(), first));
    const second = await requested(storage(), { user: first.user });
    await okOf(confirm(storage(), second));
    await okOf(undo(storage(), first));
    expect(await addressOf(storage(), first.user)).to.equal(first.from);
    expect(await errorOf(undo(storage(), second))).to.deep.equal(invalid);
  });

  it('of the second of two changes leaves the first to be undone', async () => {
    const first = await requested(storage());
    await okOf(confirm(storage(), first));
    await storage().passTime(1);
    const second = await requested(storage(), { user: first.user });
    await okOf(confirm(storage(), second));
    await okOf(undo(storage(), second));
    expect(await addressOf(storage(), first.user)).to.equal(first.to);
    await okOf(undo(storage(), first));
    expect(await addressOf(storage(), first.user)).to.equal(first.from);
  });
}

function racing(storage: () => Storage): void {
  it('confirms one of twenty changes to the same address', async () => {
    for (const _ of rounds) {
      const to = Email.parse(anEmail());
      const changes = await Promise.all(Array.from({ length: raceSize }, () => requested(storage(), { to })));
      await expectOneWinner('MailedTokenInvalid', (index) => confirm(storage(), changes[index]!));
    }
  });

  it('confirms or undoes, but never both at once', async () => {
    for (const _ of rounds) {
      const change = await requested(storage());
      await concurrently(raceSize, (index) =>
        index % 2 === 0 ? confirm(storage(), change).map(() => {}) : undo(storage(), change).map(() => {}),
      );
      expect(await addressOf(storage(), change.user)).to.equal(change.from);
    }
  });

  it('makes a registration of the old address wait, and then refuses it', async () => {
    const change = await requested(storage());
    const held = await hold(storage(), ({ addressChanges }) =>
      addressChanges.confirm(change.confirmation, undoSeconds),
    );
    const registration = register(storage(), change.from);
    await held.endBefore(registration);
    expect(await errorOf(registration)).to.deep.equal({ type: 'EmailTaken' });
    expect(emailKey(await addressOf(storage(), change.user))).to.equal(emailKey(change.to));
  });
}
