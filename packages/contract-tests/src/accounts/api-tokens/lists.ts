import type { ApiTokenId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { readInPages } from '../../pages.ts';
import { okOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { added, list, revoke, secondsAfter, storedNow } from './tokens.ts';

/** What users see of their own tokens. */
export function lists(storage: () => Storage): void {
  it('lists the user’s tokens page by page, newest first, including ended ones', async () => {
    const { id: userId } = await storedAccount(storage());
    const ids: ApiTokenId[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.unshift((await added(storage(), { userId })).id);
      await storage().passTime(1);
    }
    await added(storage());
    await okOf(revoke(storage(), { userId, id: ids[1]! }));
    const items = await readInPages((page) => list(storage(), userId, page));
    expect(items.map(({ id, active }) => ({ id, active }))).to.deep.equal([
      { id: ids[0], active: true },
      { id: ids[1], active: false },
      { id: ids[2], active: true },
    ]);
  });

  it('lists an expired token as inactive', async () => {
    const expiresAt = secondsAfter(await storedNow(storage()), 60).toISOString();
    const { userId } = await added(storage(), { expiresAt });
    expect((await list(storage(), userId)).items[0]).to.include({ active: true });
    await storage().passTime(60);
    expect((await list(storage(), userId)).items[0]).to.include({ active: false });
  });
}
