import { ApiTokenDraft, defaultUsageLimits, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount, storedOwner } from '../../arrangements/index.ts';
import { anApiToken, unique } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { goesOn, hold } from '../../gate.ts';
import { expectOneWinner } from '../../races.ts';
import { okOf, rounds, runUnit, sequentially } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { added, revoke, secondsAfter, storedNow } from './tokens.ts';

/** The number of active tokens, which has a limit. */
export function activeCount(storage: () => Storage): void {
  const countOf = (user: UserId) =>
    runUnit(storage(), ({ apiTokens }) => apiTokens.lockActive(user).map(({ used }) => used));

  it('counts the tokens that are neither revoked nor expired', async () => {
    const { id: userId } = await storedAccount(storage());
    expect(await countOf(userId)).to.equal(0);
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    await added(storage(), { userId, expiresAt });
    const revoked = await added(storage(), { userId });
    await added(storage(), { userId });
    await added(storage());
    expect(await countOf(userId)).to.equal(3);
    await okOf(revoke(storage(), revoked));
    expect(await countOf(userId)).to.equal(2);
    await storage().passTime(120);
    expect(await countOf(userId)).to.equal(1);
  });

  it('makes other units that add tokens of the user wait, and shows them the first one', async () => {
    const { id: userId } = await storedAccount(storage());
    const held = await hold(storage(), ({ apiTokens }) => apiTokens.lockActive(userId));
    const second = countOf(userId);
    await okOf(held.endBefore(second, ({ apiTokens }) => apiTokens.add(anApiToken({ userId }))));
    expect(await second).to.equal(1);
  });

  it('does not block units of other users', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const held = await hold(storage(), ({ apiTokens }) => apiTokens.lockActive(ada.id));
    const elsewhere = countOf(grace.id);
    expect(await goesOn(storage(), elsewhere)).to.equal(true);
    await okOf(held.release());
    expect(await elsewhere).to.equal(0);
  });

  it('keeps the limit when twenty tokens are created with room for one', async () => {
    for (const _ of rounds) {
      const { caller, userId } = await storedOwner(storage());
      const few = Array.from({ length: defaultUsageLimits.apiTokens - 1 }, () => anApiToken({ userId }));
      await runUnit(storage(), ({ apiTokens }) => sequentially(few, (token) => apiTokens.add(token)));
      const create = casesOn(storage()).createApiToken;
      await expectOneWinner('apiToken.limit', () => create(caller, ApiTokenDraft.parse({ name: `token ${unique()}` })));
      expect(await countOf(userId)).to.equal(defaultUsageLimits.apiTokens);
    }
  });
}
