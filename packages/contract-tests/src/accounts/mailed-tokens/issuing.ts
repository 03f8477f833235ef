import { Email, emailKey, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { aMailedToken, anEmail } from '../../builders/index.ts';
import { hold } from '../../gate.ts';
import { okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { isRefused, issued, type Purpose, redeem } from './tokens.ts';

/** What a token is bound to, and which older ones it supersedes. */
export function issuing(storage: () => Storage): void {
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

  it('issues again after a token was redeemed or expired', async () => {
    const { id: userId } = await storedAccount(storage());
    await okOf(redeem(storage(), (await issued(storage(), { userId })).hash));
    await issued(storage(), { userId, lifetimeSeconds: 60 });
    await storage().passTime(60);
    await okOf(redeem(storage(), (await issued(storage(), { userId })).hash));
  });
}

/** The number of tokens that were issued recently, which has a limit. */
export function counting(storage: () => Storage): void {
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
