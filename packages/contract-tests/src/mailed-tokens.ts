import { Email, emailKey, MailedToken, type TokenHash, type UserId, verifyEmail } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { storedAccount } from './arrangements.ts';
import { aMailedToken, anEmail, aTokenHash, type NewMailedToken, unique } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { hold, waits } from './gate.ts';
import { atOnce, done, errorOf, okOf, racers, rounds, tally } from './results.ts';
import { standIns } from './stand-ins.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function mailedTokensContract(adapter: string, open: OpenStorage): void {
  describe(`MailedTokens contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    describe('issue', () => issuing(storage));
    describe('redeem', () => redeeming(storage));
    describe('issue and redeem at the same time', () => racing(storage));
  });
}

type Purpose = NewMailedToken['purpose'];

/** Issues a token and resolves to it. */
async function issued(storage: Storage, given: Partial<NewMailedToken> & { userId: UserId }): Promise<NewMailedToken> {
  const token = aMailedToken(given);
  await done(storage, ({ mailedTokens }) => mailedTokens.issue(token));
  return token;
}

const redeem = ({ unitOfWork }: Storage, hash: TokenHash, purpose: Purpose = 'verify-email') =>
  unitOfWork.run(({ mailedTokens }) => mailedTokens.redeem(hash, purpose));

const isRefused = async (storage: Storage, hash: TokenHash, purpose?: Purpose) => {
  expect(await errorOf(redeem(storage, hash, purpose))).to.deep.equal({ type: 'MailedTokenInvalid' });
};

function issuing(storage: () => Storage): void {
  it('supersedes the older token for the same purpose', async () => {
    const { id: userId } = await storedAccount(storage());
    const older = await issued(storage(), { userId });
    const newer = await issued(storage(), { userId });
    await isRefused(storage(), older.hash);
    await okOf(redeem(storage(), newer.hash));
  });

  it('leaves tokens for other purposes and of other accounts alone', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const reset = await issued(storage(), { userId: ada.id, purpose: 'reset-password' });
    const other = await issued(storage(), { userId: grace.id });
    await issued(storage(), { userId: ada.id });
    await okOf(redeem(storage(), reset.hash, 'reset-password'));
    await okOf(redeem(storage(), other.hash));
  });

  it('binds the token to the address the account has now', async () => {
    const { id: userId, email } = await storedAccount(storage(), { email: Email.parse('Ada@Example.org') });
    const { hash } = await issued(storage(), { userId });
    await storage().changeAddress(userId, anEmail());
    expect(await okOf(redeem(storage(), hash))).to.deep.equal({ userId, email: emailKey(email) });
  });

  it('binds the token to the credentials the account has now', async () => {
    const { id: userId } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId, purpose: 'reset-password' });
    await storage().changeCredentials(userId);
    await isRefused(storage(), hash, 'reset-password');
    const next = await issued(storage(), { userId, purpose: 'reset-password' });
    await okOf(redeem(storage(), next.hash, 'reset-password'));
  });

  it('issues again after a token was redeemed', async () => {
    const { id: userId } = await storedAccount(storage());
    await okOf(redeem(storage(), (await issued(storage(), { userId })).hash));
    await okOf(redeem(storage(), (await issued(storage(), { userId })).hash));
  });

  it('issues again after a token expired', async () => {
    const { id: userId } = await storedAccount(storage());
    await issued(storage(), { userId, lifetimeSeconds: 60 });
    await storage().passTime(60);
    await okOf(redeem(storage(), (await issued(storage(), { userId })).hash));
  });
}

function redeeming(storage: () => Storage): void {
  it('refuses a token that was never issued', async () => {
    await isRefused(storage(), aTokenHash());
  });

  it('refuses a token for another purpose, and does not spend it', async () => {
    const { id: userId } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId });
    await isRefused(storage(), hash, 'reset-password');
    await okOf(redeem(storage(), hash));
  });

  it('accepts a token until its lifetime is over', async () => {
    const { id: userId } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId, lifetimeSeconds: 3600 });
    await storage().passTime(3500);
    await okOf(redeem(storage(), hash));
  });

  it('refuses a token when its lifetime is over', async () => {
    const { id: userId } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId, lifetimeSeconds: 3600 });
    await storage().passTime(3600);
    await isRefused(storage(), hash);
  });

  it('refuses a token that was spent', async () => {
    const { id: userId } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId });
    await okOf(redeem(storage(), hash));
    await isRefused(storage(), hash);
  });

  it('does not spend the token in a unit that is undone', async () => {
    const { id: userId } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId });
    await storage().unitOfWork.run(({ mailedTokens }) =>
      mailedTokens.redeem(hash, 'verify-email').andThen(() => errAsync('undo')),
    );
    await okOf(redeem(storage(), hash));
  });
}

function racing(storage: () => Storage): void {
  it('lets exactly one of twenty redemptions succeed', async () => {
    const verify = verifyEmail({ unitOfWork: storage().unitOfWork, ...standIns });
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      const token = MailedToken.parse(`token-${unique()}`);
      await issued(storage(), { userId, hash: standIns.tokenHashes.of(token) });
      const results = await atOnce(racers, () => verify(token));
      expect(tally(results)).to.deep.equal({ Ok: 1, MailedTokenInvalid: racers - 1 });
    }
  });

  it('makes a second redemption wait until the first is decided', async () => {
    const { id: userId } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId });
    const held = await hold(
      storage(),
      ({ mailedTokens }) => mailedTokens.redeem(hash, 'verify-email'),
      () => okAsync(),
    );
    const second = redeem(storage(), hash);
    expect(await waits(storage(), second)).to.equal(true);
    await held.release();
    expect(await errorOf(second)).to.deep.equal({ type: 'MailedTokenInvalid' });
  });

  it('leaves one token alive when twenty are issued at the same time', async () => {
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      const tokens = await atOnce(racers, () => issued(storage(), { userId }));
      const redeemed = await atOnce(racers, (index) => redeem(storage(), tokens[index]!.hash));
      expect(tally(redeemed)).to.deep.equal({ Ok: 1, MailedTokenInvalid: racers - 1 });
    }
  });

  it('makes a second issue for the account wait for the first, and then supersedes it', async () => {
    const { id: userId } = await storedAccount(storage());
    const [first, second] = [aMailedToken({ userId }), aMailedToken({ userId })];
    const held = await hold(
      storage(),
      ({ mailedTokens }) => mailedTokens.issue(first),
      () => okAsync(),
    );
    const issue = done(storage(), ({ mailedTokens }) => mailedTokens.issue(second));
    expect(await waits(storage(), issue)).to.equal(true);
    await held.release();
    await issue;
    await isRefused(storage(), first.hash);
    await okOf(redeem(storage(), second.hash));
  });

  it('lets a redemption that changes the account and an issue for it take turns, without a conflict', async () => {
    const { id: userId, email } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId });
    const next = aMailedToken({ userId });
    let tries = 0;
    const held = await hold(
      storage(),
      ({ mailedTokens }) => {
        tries += 1;
        return mailedTokens.redeem(hash, 'verify-email');
      },
      ({ accounts }) => accounts.markEmailVerified(userId, emailKey(email)),
    );
    const issue = done(storage(), ({ mailedTokens }) => {
      tries += 1;
      return mailedTokens.issue(next);
    });
    expect(await waits(storage(), issue)).to.equal(true);
    await okOf(held.release());
    await issue;
    expect(tries).to.equal(2);
    await okOf(redeem(storage(), next.hash));
  });
}
