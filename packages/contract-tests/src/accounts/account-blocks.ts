import type { Repositories, UserId } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { block, storedAccount } from '../arrangements/index.ts';
import { aUserId } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { okOf, readView, runUnit } from '../results.ts';

/** Every adapter of the port must pass this unchanged. The contracts of other ports test what a block prevents. */
export const accountBlocksContract = contract('AccountBlocks contract', (storage) => {
  const factsOf = (id: UserId) => readView(storage(), ({ accounts }) => accounts.facts(id));
  const profileOf = (id: UserId) => readView(storage(), ({ accounts }) => accounts.profile(id));
  const unblock = (id: UserId) => runUnit(storage(), ({ accountBlocks }) => accountBlocks.unblock(id));

  it('blocks one account and lifts the block, each of which changes the profile’s revision', async () => {
    const [{ id }, other] = [await storedAccount(storage()), await storedAccount(storage())];
    const before = await profileOf(id);
    await block(storage(), id);
    expect(await factsOf(id)).to.include({ blocked: true, standing: 'inactive' });
    expect(await factsOf(other.id)).to.include({ blocked: false, standing: 'active' });
    expect(await profileOf(id)).to.include({ active: false, revision: before.revision + 1 });
    await unblock(id);
    expect(await factsOf(id)).to.include({ blocked: false, standing: 'active' });
    expect(await profileOf(id)).to.include({ active: true, revision: before.revision + 2 });
  });

  it('changes nothing the second time, or for a missing account', async () => {
    const { id } = await storedAccount(storage());
    await unblock(id);
    await block(storage(), id);
    const once = await profileOf(id);
    await block(storage(), id);
    await block(storage(), aUserId());
    expect(await profileOf(id)).to.deep.equal(once);
  });

  const changes: readonly (readonly [string, (repositories: Repositories, id: UserId) => ResultAsync<void, never>])[] =
    [
      ['block', ({ accountBlocks }, id) => accountBlocks.block(id)],
      ['unblock', ({ accountBlocks }, id) => accountBlocks.unblock(id)],
    ];
  for (const [name, change] of changes) {
    it(`${name} waits for a unit that has locked the account`, async () => {
      const { id } = await storedAccount(storage());
      if (name === 'unblock') await block(storage(), id);
      const held = await hold(storage(), ({ accounts }) => accounts.lock(id));
      const changing = storage().unitOfWork.run((repositories) => change(repositories, id));
      expect(await okOf(held.endBefore(changing, ({ accounts }) => accounts.facts(id)))).to.include({
        blocked: name === 'unblock',
      });
      await changing;
      expect(await factsOf(id)).to.include({ blocked: name === 'block' });
    });
  }
});
