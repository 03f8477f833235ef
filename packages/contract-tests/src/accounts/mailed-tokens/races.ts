import { emailKey } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { aMailedToken } from '../../builders/index.ts';
import { hold } from '../../gate.ts';
import { expectOneWinner, happensOnce } from '../../races.ts';
import { concurrently, okOf, raceSize, rounds, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { isRefused, issued, redeem } from './tokens.ts';

/** Concurrent issues and redemptions. */
export function racing(storage: () => Storage): void {
  happensOnce(storage, {
    arrange: () => issued(storage()),
    call: ({ mailedTokens }, { hash }) => mailedTokens.redeem(hash, 'verify-email'),
    loser: 'MailedTokenInvalid',
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
