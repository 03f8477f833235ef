import {
  deliverNextMail,
  Email,
  emailKey,
  type Mail,
  MailedToken,
  Password,
  type TokenHash,
  type UserId,
  useCases as wired,
} from '@zonewright/core';
import { expect } from 'chai';
import { okAsync } from 'neverthrow';
import { rollBack, storedAccount, storedSession, userOf } from './arrangements.ts';
import { aMailedToken, anEmail, aTokenHash, type NewMailedToken, noClient, unique } from './builders.ts';
import { casesOn, fakePorts } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { hold } from './gate.ts';
import { expectOneWinner } from './races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const mailedTokensContract = contract('MailedTokens contract', (storage) => {
  describe('issue', () => issuing(storage));
  describe('lockIssuedCount', () => counting(storage));
  describe('holder', () => holding(storage));
  describe('redeem', () => redeeming(storage));
  describe('concurrent issues and redemptions', () => racing(storage));
  describe('concurrent use cases', () => useCases(storage));
});

type Purpose = NewMailedToken['purpose'];

/** Issues a token, by default to a new user, and returns it. */
async function issued(storage: Storage, given: Partial<NewMailedToken> = {}): Promise<NewMailedToken> {
  const token = aMailedToken({ ...given, userId: await userOf(storage, given) });
  await runUnit(storage, ({ mailedTokens }) => mailedTokens.issue(token));
  return token;
}

const redeem = ({ unitOfWork }: Storage, hash: TokenHash, purpose: Purpose = 'verify-email') =>
  unitOfWork.run(({ mailedTokens }) => mailedTokens.redeem(hash, purpose));

const isRefused = async (storage: Storage, hash: TokenHash, purpose?: Purpose) => {
  expect(await errorOf(redeem(storage, hash, purpose))).to.deep.equal({ type: 'MailedTokenInvalid' });
};

function issuing(storage: () => Storage): void {
  it('supersedes the older token for the same purpose', async () => {
    const older = await issued(storage());
    const newer = await issued(storage(), { userId: older.userId });
    await isRefused(storage(), older.hash);
    await okOf(redeem(storage(), newer.hash));
  });

  it('does not affect tokens for other purposes and of other accounts', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const reset = await issued(storage(), { userId: ada.id, purpose: 'reset-password' });
    const other = await issued(storage(), { userId: grace.id });
    await issued(storage(), { userId: ada.id });
    await okOf(redeem(storage(), reset.hash, 'reset-password'));
    await okOf(redeem(storage(), other.hash));
  });

  it('binds the token to the account’s current address', async () => {
    const { id: userId, email } = await storedAccount(storage(), { email: Email.parse('Ada@Example.org') });
    const { hash } = await issued(storage(), { userId });
    await storage().changeAddress(userId, anEmail());
    expect(await okOf(redeem(storage(), hash))).to.deep.equal({ userId, email: emailKey(email) });
  });

  it('binds the token to the account’s current credentials', async () => {
    const { userId, hash } = await issued(storage(), { purpose: 'reset-password' });
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

function counting(storage: () => Storage): void {
  const countOf = (userId: UserId, seconds = 3600, purpose: Purpose = 'verify-email') =>
    runUnit(storage(), ({ mailedTokens }) => mailedTokens.lockIssuedCount(userId, purpose, seconds));

  it('counts the tokens of the purpose and the account, whatever happened to them', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    expect(await countOf(ada.id)).to.equal(0);
    await okOf(redeem(storage(), (await issued(storage(), { userId: ada.id })).hash));
    await issued(storage(), { userId: ada.id });
    await issued(storage(), { userId: ada.id });
    await issued(storage(), { userId: ada.id, purpose: 'reset-password' });
    await issued(storage(), { userId: grace.id });
    expect(await countOf(ada.id)).to.equal(3);
    expect(await countOf(ada.id, 3600, 'reset-password')).to.equal(1);
  });

  it('forgets a token after the given number of seconds', async () => {
    const { id: userId } = await storedAccount(storage());
    await issued(storage(), { userId });
    await storage().passTime(3500);
    await issued(storage(), { userId });
    expect(await countOf(userId)).to.equal(2);
    await storage().passTime(100);
    expect(await countOf(userId)).to.equal(1);
  });

  it('makes other units that count or issue wait, and shows them the first token', async () => {
    const { id: userId } = await storedAccount(storage());
    const held = await hold(storage(), ({ mailedTokens }) =>
      mailedTokens.lockIssuedCount(userId, 'verify-email', 3600),
    );
    const second = countOf(userId);
    await okOf(held.endBefore(second, ({ mailedTokens }) => mailedTokens.issue(aMailedToken({ userId }))));
    expect(await second).to.equal(1);
    const again = await hold(storage(), ({ mailedTokens }) =>
      mailedTokens.lockIssuedCount(userId, 'verify-email', 3600),
    );
    const issue = issued(storage(), { userId });
    await okOf(again.endBefore(issue));
    await issue;
  });
}

function holding(storage: () => Storage): void {
  const holderOf = (hash: TokenHash, purpose: Purpose = 'verify-email') =>
    storage().unitOfWork.view(({ mailedTokens }) => mailedTokens.holder(hash, purpose));
  const isUnknown = async (hash: TokenHash, purpose?: Purpose) => {
    expect(await errorOf(holderOf(hash, purpose))).to.deep.equal({ type: 'MailedTokenInvalid' });
  };

  it('finds the owner of a live token, and redeems nothing', async () => {
    const { userId, hash } = await issued(storage());
    for (const _ of rounds) expect(await okOf(holderOf(hash))).to.equal(userId);
    await okOf(redeem(storage(), hash));
  });

  it('finds nobody for a token that is unknown, for another purpose, spent, superseded or expired', async () => {
    const { id: userId } = await storedAccount(storage());
    await isUnknown(aTokenHash());
    const superseded = await issued(storage(), { userId });
    const spent = await issued(storage(), { userId });
    await isUnknown(superseded.hash);
    await isUnknown(spent.hash, 'reset-password');
    await okOf(redeem(storage(), spent.hash));
    await isUnknown(spent.hash);
    const late = await issued(storage(), { userId, lifetimeSeconds: 60 });
    await storage().passTime(60);
    await isUnknown(late.hash);
  });

  it('finds nobody once the credentials changed', async () => {
    const { userId, hash } = await issued(storage());
    await storage().changeCredentials(userId);
    await isUnknown(hash);
  });
}

function useCases(storage: () => Storage): void {
  it('set one of twenty passwords with a mailed token, and end every session', async () => {
    const reset = casesOn(storage()).resetPassword;
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      await storedSession(storage(), { userId });
      const token = MailedToken.parse(`token-${unique()}`);
      await issued(storage(), { userId, purpose: 'reset-password', hash: fakePorts.tokenHashes.of(token) });
      const results = await concurrently(raceSize, (index) =>
        reset(token, Password.parse(`Secret-${index}`), noClient),
      );
      expect(tally(results)).to.deep.equal({ Ok: 1, MailedTokenInvalid: raceSize - 1 });
      const winner = results.findIndex((result) => result.isOk());
      const facts = await readView(storage(), ({ accounts }) => accounts.facts(userId));
      expect(facts).to.include({ passwordHash: `hash of Secret-${winner}`, credentialsVersion: 2 });
      expect(await storage().liveRefreshTokens(userId)).to.equal(0);
    }
  });

  it('send no more mails to an account than the cap allows, however many request and deliver them', async () => {
    const { email } = await storedAccount(storage());
    const { unitOfWork } = storage();
    const ask = wired({ unitOfWork }).requestMail;
    await concurrently(raceSize, () => ask('reset-password', email, noClient));
    const sent: Mail[] = [];
    const mailer = { send: (mail: Mail) => okAsync(void sent.push(mail)) };
    const deliver = deliverNextMail({ unitOfWork, mailer, ...fakePorts });
    await concurrently(10, async () => {
      while ((await okOf(deliver())) === 'done');
    });
    // A worker that finds nothing due stops, even if another one is still preparing a mail.
    while ((await okOf(deliver())) === 'done');
    expect(sent.map(({ kind, to }) => ({ kind, to }))).to.deep.equal(
      Array.from({ length: fakePorts.cap.mailsPerHour }, () => ({ kind: 'reset-password', to: email })),
    );
    expect(await storage().mailContents()).to.equal(0);
  });
}

function redeeming(storage: () => Storage): void {
  it('refuses a token that was never issued', async () => {
    await isRefused(storage(), aTokenHash());
  });

  it('refuses a token for another purpose, and keeps it valid', async () => {
    const { hash } = await issued(storage());
    await isRefused(storage(), hash, 'reset-password');
    await okOf(redeem(storage(), hash));
  });

  it('accepts a token until it expires', async () => {
    const { hash } = await issued(storage(), { lifetimeSeconds: 3600 });
    await storage().passTime(3500);
    await okOf(redeem(storage(), hash));
  });

  it('refuses a token once it has expired', async () => {
    const { hash } = await issued(storage(), { lifetimeSeconds: 3600 });
    await storage().passTime(3600);
    await isRefused(storage(), hash);
  });

  it('refuses a used token', async () => {
    const { hash } = await issued(storage());
    await okOf(redeem(storage(), hash));
    await isRefused(storage(), hash);
  });

  it('does not spend the token in a unit that is rolled back', async () => {
    const { hash } = await issued(storage());
    await rollBack(storage(), ({ mailedTokens }) => mailedTokens.redeem(hash, 'verify-email'));
    await okOf(redeem(storage(), hash));
  });
}

function racing(storage: () => Storage): void {
  it('lets exactly one of twenty redemptions succeed', async () => {
    const verify = casesOn(storage()).verifyEmail;
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      const token = MailedToken.parse(`token-${unique()}`);
      await issued(storage(), { userId, hash: fakePorts.tokenHashes.of(token) });
      await expectOneWinner('MailedTokenInvalid', () => verify(token, noClient));
    }
  });

  it('makes a second redemption wait for the first', async () => {
    const { hash } = await issued(storage());
    const held = await hold(storage(), ({ mailedTokens }) => mailedTokens.redeem(hash, 'verify-email'));
    const second = redeem(storage(), hash);
    await held.endBefore(second);
    expect(await errorOf(second)).to.deep.equal({ type: 'MailedTokenInvalid' });
  });

  it('leaves one token valid when twenty are issued concurrently', async () => {
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      const tokens = await concurrently(raceSize, () => issued(storage(), { userId }));
      await expectOneWinner('MailedTokenInvalid', (index) => redeem(storage(), tokens[index]!.hash));
    }
  });

  it('makes a second issue for the account wait for the first, and then supersedes it', async () => {
    const { id: userId } = await storedAccount(storage());
    const [first, second] = [aMailedToken({ userId }), aMailedToken({ userId })];
    const held = await hold(storage(), ({ mailedTokens }) => mailedTokens.issue(first));
    const issue = runUnit(storage(), ({ mailedTokens }) => mailedTokens.issue(second));
    await held.endBefore(issue);
    await issue;
    await isRefused(storage(), first.hash);
    await okOf(redeem(storage(), second.hash));
  });

  it('serializes a redemption that changes the account with an issue for it', async () => {
    const { id: userId, email } = await storedAccount(storage());
    const { hash } = await issued(storage(), { userId });
    const next = aMailedToken({ userId });
    let tries = 0;
    const held = await hold(storage(), ({ mailedTokens }) => {
      tries += 1;
      return mailedTokens.redeem(hash, 'verify-email');
    });
    const issue = runUnit(storage(), ({ mailedTokens }) => {
      tries += 1;
      return mailedTokens.issue(next);
    });
    await okOf(held.endBefore(issue, ({ accounts }) => accounts.markEmailVerified(userId, emailKey(email))));
    await issue;
    expect(tries).to.equal(2);
    await okOf(redeem(storage(), next.hash));
  });
}
