import { type Email, emailKey, type Repositories, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { storedAccount, storedSession } from '../arrangements/index.ts';
import { aChallenge, aMailedToken, aPasswordHash, aSession, aUserId } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const credentialsContract = contract('Credentials contract', (storage) => {
  describe('setPassword and renew', () => renewals(storage));
  describe('replacePasswordHash', () => hashReplacement(storage));
});

function renewals(storage: () => Storage): void {
  /** An account's challenge, mailed token and session. */
  async function issuedThings() {
    const { id: userId } = await storedAccount(storage());
    const [challenge, mailed] = [aChallenge({ userId }), aMailedToken({ userId, purpose: 'reset-password' })];
    const session = await storedSession(storage(), { userId });
    await runUnit(storage(), ({ challenges, mailedTokens }) =>
      challenges.issue(challenge).andThen(() => mailedTokens.issue(mailed)),
    );
    return { userId, challenge, mailed, session };
  }
  const ways: readonly (readonly [string, (repositories: Repositories, id: UserId) => ResultAsync<void, never>])[] = [
    ['setPassword', ({ credentials }, id) => credentials.setPassword(id, aPasswordHash('new hash'))],
    ['renew', ({ credentials }, id) => credentials.renew(id)],
  ];
  for (const [name, renew] of ways) {
    it(`${name}: invalidates everything issued for the old credentials`, async () => {
      const { userId, challenge, mailed } = await issuedThings();
      await runUnit(storage(), (repositories) => renew(repositories, userId));
      const { unitOfWork } = storage();
      const counted = unitOfWork.run(({ challenges }) => challenges.countAttempt(challenge.hash, 5));
      expect(await errorOf(counted)).to.deep.equal({ type: 'ChallengeInvalid' });
      const redeemed = unitOfWork.run(({ mailedTokens }) => mailedTokens.redeem(mailed.hash, mailed.purpose));
      expect(await errorOf(redeemed)).to.deep.equal({ type: 'MailedTokenInvalid' });
      const opened = unitOfWork.run(({ sessions }) => sessions.open(aSession({ userId })));
      expect(await errorOf(opened)).to.deep.equal({ type: 'InvalidCredentials' });
    });

    it(`${name}: keeps sessions until they are ended`, async () => {
      const { userId, session } = await issuedThings();
      await runUnit(storage(), (repositories) => renew(repositories, userId));
      expect(
        (
          await storage()
            .unitOfWork.session({ kind: 'session', ...session })
            .caller()
        ).isOk(),
      ).to.equal(true);
    });

    it(`${name}: affects nobody else, and does nothing if the account does not exist`, async () => {
      const { userId } = await issuedThings();
      const other = await storedAccount(storage());
      const before = await readView(storage(), ({ accounts }) => accounts.facts(other.id));
      await runUnit(storage(), (repositories) => renew(repositories, userId));
      await runUnit(storage(), (repositories) => renew(repositories, aUserId()));
      expect(await readView(storage(), ({ accounts }) => accounts.facts(other.id))).to.deep.equal(before);
    });
  }

  it('renew can keep tokens to reset the password, and nothing else', async () => {
    const { userId, challenge, mailed } = await issuedThings();
    const verification = aMailedToken({ userId });
    await runUnit(storage(), ({ mailedTokens }) => mailedTokens.issue(verification));
    for (const _ of [1, 2]) {
      await runUnit(storage(), ({ credentials }) => credentials.renew(userId, 'keep resets'));
    }
    const { unitOfWork } = storage();
    const counted = unitOfWork.run(({ challenges }) => challenges.countAttempt(challenge.hash, 5));
    expect(await errorOf(counted)).to.deep.equal({ type: 'ChallengeInvalid' });
    const redeemed = ({ hash, purpose }: typeof mailed) =>
      unitOfWork.run(({ mailedTokens }) => mailedTokens.redeem(hash, purpose));
    expect(await errorOf(redeemed(verification))).to.deep.equal({ type: 'MailedTokenInvalid' });
    expect((await redeemed(mailed)).isOk()).to.equal(true);
    expect(await errorOf(redeemed(mailed))).to.deep.equal({ type: 'MailedTokenInvalid' });
  });

  it('a token that was voided stays void, whatever is kept later', async () => {
    const { userId, mailed } = await issuedThings();
    await runUnit(storage(), ({ credentials }) => credentials.renew(userId));
    await runUnit(storage(), ({ credentials }) => credentials.renew(userId, 'keep resets'));
    const redeemed = storage().unitOfWork.run(({ mailedTokens }) => mailedTokens.redeem(mailed.hash, mailed.purpose));
    expect(await errorOf(redeemed)).to.deep.equal({ type: 'MailedTokenInvalid' });
  });

  it('setPassword sets the password, even for an account without one', async () => {
    const { id } = await storedAccount(storage());
    await storage().forgetPassword(id);
    await runUnit(storage(), ({ credentials }) => credentials.setPassword(id, aPasswordHash('new hash')));
    expect(await readView(storage(), ({ accounts }) => accounts.facts(id))).to.include({ passwordHash: 'new hash' });
    expect(await readView(storage(), ({ accounts }) => accounts.profile(id))).to.include({ hasPassword: true });
  });

  it('renew keeps the password', async () => {
    const { id, passwordHash } = await storedAccount(storage());
    await runUnit(storage(), ({ credentials }) => credentials.renew(id));
    expect(await readView(storage(), ({ accounts }) => accounts.facts(id))).to.include({ passwordHash });
  });
}

function hashReplacement(storage: () => Storage): void {
  const to = aPasswordHash('stronger hash');
  const factsOf = (email: Email) => readView(storage(), ({ accounts }) => accounts.factsByEmail(emailKey(email)));

  it('replaces the hash; what was issued before stays valid', async () => {
    const from = aPasswordHash('weaker hash');
    const { id, email } = await storedAccount(storage(), { passwordHash: from });
    const before = await factsOf(email);
    await runUnit(storage(), ({ credentials }) => credentials.replacePasswordHash(id, { from, to }));
    expect(await factsOf(email)).to.deep.equal({ ...before, passwordHash: to });
  });

  it('does nothing if the password has changed meanwhile', async () => {
    const { id, email, passwordHash } = await storedAccount(storage());
    const from = aPasswordHash('hash of another password');
    await runUnit(storage(), ({ credentials }) => credentials.replacePasswordHash(id, { from, to }));
    expect(await factsOf(email)).to.have.property('passwordHash', passwordHash);
  });

  it('does nothing when the account does not exist', async () => {
    const from = to;
    await runUnit(storage(), ({ credentials }) => credentials.replacePasswordHash(aUserId(), { from, to }));
  });
}
