import { type CredentialId, PasskeyName, type PasskeyUse, type TokenHash } from '@zonewright/core';
import { expect } from 'chai';
import {
  block,
  callerOf,
  enforceTwoFactor,
  storedAccount,
  storedCredential,
  storedIdentity,
  storedMember,
  storedOwner,
  storedPasskey,
} from '../arrangements/index.ts';
import { aPasskey, aTokenHash, type NewPasskey, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { expectOneWinner, happensOnce } from '../races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { passkeyRaces } from './passkey-races.ts';

/** Every adapter of the port must pass this unchanged. */
export const passkeysContract = contract('Passkeys contract', (storage) => {
  describe('add, list, rename and remove', () => managing(storage));
  describe('noteUse', () => using(storage));
  describe('as a factor', () => asFactor(storage));
  describe('races', () => passkeyRaces(storage));
});

/** Every adapter of the port must pass this unchanged. */
export const passkeyChallengesContract = contract('Passkey challenges contract', spendingChallenges);

const listOf = (storage: Storage, user: NewPasskey['userId']) =>
  readView(storage, ({ passkeys }) => passkeys.list(user, wholeList));

function managing(storage: () => Storage): void {
  it('lists a user’s passkeys, oldest first, as they were added', async () => {
    const { id: userId } = await storedAccount(storage());
    const first = await storedPasskey(storage(), { userId, transports: ['usb', 'nfc'], backedUp: true });
    await storage().passTime(1);
    const second = await storedPasskey(storage(), { userId });
    await storedPasskey(storage());
    const { items, totalItems } = await listOf(storage(), userId);
    expect(totalItems).to.equal(2);
    expect(items.map(({ id }) => id)).to.deep.equal([first.id, second.id]);
    const { id, credentialId, name, transports, backedUp } = first;
    expect(items[0]).to.deep.include({ id, credentialId, name, transports, backedUp, lastUsedAt: undefined });
    expect(items[0]).to.have.property('createdAt').that.is.instanceOf(Date);
  });

  it('adds no credential twice, whoever has it', async () => {
    const { credentialId } = await storedPasskey(storage());
    const again = aPasskey({ userId: (await storedAccount(storage())).id, credentialId });
    const refused = storage().unitOfWork.run(({ passkeys }) => passkeys.add(again));
    expect(await errorOf(refused)).to.deep.equal({ type: 'PasskeyTaken' });
  });

  it('adds one of twenty concurrent passkeys with the same credential', async () => {
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      const { credentialId } = aPasskey({ userId });
      await expectOneWinner('PasskeyTaken', () =>
        storage().unitOfWork.run(({ passkeys }) => passkeys.add(aPasskey({ userId, credentialId }))),
      );
    }
  });

  it('renames and removes only the user’s own', async () => {
    const { userId, id } = await storedPasskey(storage());
    const name = PasskeyName.parse('Another');
    const [other, missing] = [(await storedAccount(storage())).id, aPasskey({ userId }).id];
    const { unitOfWork } = storage();
    for (const [user, passkey] of [
      [other, id],
      [userId, missing],
    ] as const) {
      const renamed = unitOfWork.run(({ passkeys }) => passkeys.rename(user, passkey, name));
      expect(await errorOf(renamed)).to.deep.equal({ type: 'PasskeyNotFound' });
      const removed = unitOfWork.run(({ passkeys }) => passkeys.remove(user, passkey));
      expect(await errorOf(removed)).to.deep.equal({ type: 'PasskeyNotFound' });
    }
    expect(await runUnit(storage(), ({ passkeys }) => passkeys.rename(userId, id, name))).to.deep.include({ id, name });
    expect((await listOf(storage(), userId)).items[0]?.name).to.equal(name);
    await runUnit(storage(), ({ passkeys }) => passkeys.remove(userId, id));
    expect((await listOf(storage(), userId)).totalItems).to.equal(0);
  });

  it('makes other units wait that count the user’s passkeys', async () => {
    const { id: userId } = await storedAccount(storage());
    const count = () => storage().unitOfWork.run(({ passkeys }) => passkeys.lockCount(userId));
    const held = await hold(storage(), ({ passkeys }) => passkeys.lockCount(userId));
    const next = count();
    await okOf(held.endBefore(next, ({ passkeys }) => passkeys.add(aPasskey({ userId }))));
    expect(await okOf(next)).to.equal(1);
  });
}

function using(storage: () => Storage): void {
  const heldBy = (credential: CredentialId) => readView(storage(), ({ passkeys }) => passkeys.held(credential));
  const note = ({ id }: NewPasskey, use: Partial<PasskeyUse>) =>
    okOf(storage().unitOfWork.single(({ passkeys }) => passkeys.noteUse(id, { counter: 0, backedUp: false, ...use })));

  it('finds a passkey by its credential, with the account as it is now', async () => {
    const { userId, id, credentialId, publicKey } = await storedPasskey(storage());
    const expected = { id, userId, credentialId, publicKey, standing: 'active', credentialsVersion: 1 };
    expect(await heldBy(credentialId)).to.deep.equal(expected);
    await storage().changeCredentials(userId);
    await block(storage(), userId);
    expect(await heldBy(credentialId)).to.deep.equal({ ...expected, standing: 'inactive', credentialsVersion: 2 });
    expect(await heldBy(aPasskey({ userId }).credentialId)).to.equal(undefined);
  });

  it('records the time of a use, and whether the passkey is backed up by now', async () => {
    const passkey = await storedPasskey(storage());
    expect(await note(passkey, { backedUp: true })).to.equal(true);
    const [used] = (await listOf(storage(), passkey.userId)).items;
    expect(used).to.include({ backedUp: true }).and.to.have.property('lastUsedAt').that.is.instanceOf(Date);
  });

  it('accepts a counter that grows, and none that stays or goes back', async () => {
    const passkey = await storedPasskey(storage(), { counter: 4 });
    expect(await note(passkey, { counter: 7 })).to.equal(true);
    for (const counter of [7, 6, 0]) expect(await note(passkey, { counter }), `${counter}`).to.equal(false);
    expect(await note(passkey, { counter: 4_294_967_295 })).to.equal(true);
  });

  it('accepts zero again and again from an authenticator that does not count', async () => {
    const passkey = await storedPasskey(storage());
    expect([await note(passkey, {}), await note(passkey, {})]).to.deep.equal([true, true]);
    expect([await note(passkey, { counter: 1 }), await note(passkey, {})]).to.deep.equal([true, false]);
  });

  it('lets one of twenty concurrent uses with the same counter succeed', async () => {
    for (const _ of rounds) {
      const passkey = await storedPasskey(storage());
      const noted = await concurrently(raceSize, () => note(passkey, { counter: 1 }));
      expect(noted.filter(Boolean)).to.have.lengthOf(1);
    }
  });
}

function asFactor(storage: () => Storage): void {
  it('is counted among what the account signs in with', async () => {
    const { id } = await storedAccount(storage());
    await storedPasskey(storage(), { userId: id });
    await storedIdentity(storage(), { userId: id });
    const facts = await readView(storage(), ({ accounts }) => accounts.facts(id));
    expect(facts).to.include({ passkeys: 1, providers: 1, twoFactorEnabled: false });
  });

  it('confirms sessions', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = await storedCredential(storage(), 'session', userId);
    await storedPasskey(storage(), { userId });
    const { credential } = await callerOf(storage(), session);
    expect(credential).to.have.property('confirmableBy').that.deep.equals(['password', 'passkey']);
  });

  it('satisfies organizations that require two factors', async () => {
    const { organizationId } = await storedOwner(storage());
    const { userId } = await storedMember(storage(), organizationId, 'viewer');
    await enforceTwoFactor(storage(), organizationId);
    const session = await storedCredential(storage(), 'session', userId);
    const needs = async () => {
      const { memberships } = await callerOf(storage(), session);
      const locked = await runUnit(storage(), (repositories) => repositories.memberships.lock(organizationId, userId));
      return [memberships.get(organizationId)?.needsTwoFactor, locked?.needsTwoFactor];
    };
    expect(await needs()).to.deep.equal([true, true]);
    await storedPasskey(storage(), { userId });
    expect(await needs()).to.deep.equal([false, false]);
    const member = await readView(storage(), ({ members }) => members.byUser(organizationId, userId));
    expect(member.twoFactorEnabled).to.equal(true);
  });
}

function spendingChallenges(storage: () => Storage): void {
  const issued = async (lifetimeSeconds = 300): Promise<TokenHash> => {
    const hash = aTokenHash();
    await runUnit(storage(), ({ passkeyChallenges }) => passkeyChallenges.issue(hash, lifetimeSeconds));
    return hash;
  };
  const spend = (hash: TokenHash) =>
    storage().unitOfWork.single(({ passkeyChallenges }) => passkeyChallenges.spend(hash));
  const refused = { type: 'PasskeyRefused' };

  it('lets a challenge be used once, until it expires', async () => {
    const hash = await issued();
    await storage().passTime(290);
    await okOf(spend(hash));
    expect(await errorOf(spend(hash))).to.deep.equal(refused);
    const late = await issued();
    await storage().passTime(300);
    expect(await errorOf(spend(late))).to.deep.equal(refused);
    expect(await errorOf(spend(aTokenHash()))).to.deep.equal(refused);
  });

  happensOnce(storage, {
    arrange: () => issued(),
    call: ({ passkeyChallenges }, hash) => passkeyChallenges.spend(hash),
    loser: 'PasskeyRefused',
  });
}
