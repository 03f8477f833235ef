import { ApiTokenId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { type NewApiToken, uuid } from '../../builders/index.ts';
import { happensOnce } from '../../races.ts';
import { errorOf, okOf, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { added, callerOf, revoke, secondsAfter, storedNow } from './tokens.ts';

/** The end of a token, which happens once. */
export function revocation(storage: () => Storage): void {
  const isMissing = async (token: Pick<NewApiToken, 'userId' | 'id'>) => {
    expect(await errorOf(revoke(storage(), token))).to.deep.equal({ type: 'ApiTokenNotFound' });
  };

  it('ends the token', async () => {
    const token = await added(storage());
    await okOf(revoke(storage(), token));
    expect(await errorOf(callerOf(storage(), token.hash))).to.deep.equal({ type: 'Unauthenticated' });
  });

  it('finds no token that is unknown, revoked or someone else’s', async () => {
    const token = await added(storage());
    await isMissing({ userId: token.userId, id: ApiTokenId.parse(uuid()) });
    await isMissing({ userId: (await storedAccount(storage())).id, id: token.id });
    expect((await callerOf(storage(), token.hash)).isOk()).to.equal(true);
    await okOf(revoke(storage(), token));
    await isMissing(token);
  });

  it('revokes an expired token, so that its name is free', async () => {
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    const token = await added(storage(), { expiresAt });
    await storage().passTime(120);
    await okOf(revoke(storage(), token));
    await added(storage(), { userId: token.userId, name: token.name });
  });

  it('ends all active tokens of a user, of which the names were known', async () => {
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    const first = await added(storage());
    const { userId } = first;
    const [second, expired, revoked, foreign] = [
      await added(storage(), { userId }),
      await added(storage(), { userId, expiresAt }),
      await added(storage(), { userId }),
      await added(storage()),
    ];
    await okOf(revoke(storage(), revoked));
    await storage().passTime(120);
    const names = () => readView(storage(), ({ apiTokens }) => apiTokens.activeNames(userId));
    expect(await names()).to.have.members([second.name, first.name]);
    const ended = await runUnit(storage(), ({ apiTokens }) => apiTokens.revokeAllOf(userId));
    expect(ended).to.have.members([first.id, second.id]).and.not.include(expired.id);
    expect(await names()).to.deep.equal([]);
    for (const { hash } of [first, second]) {
      expect(await errorOf(callerOf(storage(), hash))).to.deep.equal({ type: 'Unauthenticated' });
    }
    expect((await callerOf(storage(), foreign.hash)).isOk()).to.equal(true);
  });

  happensOnce(storage, {
    arrange: () => added(storage()),
    call: ({ apiTokens }, { userId, id }) => apiTokens.revoke(userId, id),
    loser: 'ApiTokenNotFound',
  });
}
