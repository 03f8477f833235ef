import { ProviderId } from '@zonewright/core';
import { expect } from 'chai';
import {
  applying,
  enforceTwoFactor,
  requireProvider,
  storedMember,
  storedOwner,
  storedSecondFactor,
  storedZone,
} from '../../arrangements/index.ts';
import { aChange, aUserId, aZoneId } from '../../builders/index.ts';
import { errorOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { factsOf, fullZone, plain, stateOf } from './full-zone.ts';

/** What a change of a zone is decided on. */
export function facts(storage: () => Storage): void {
  it('are the state of the zone, and the user’s membership', async () => {
    const owned = await fullZone(storage());
    const { state, ...found } = await factsOf(storage(), owned);
    expect(plain(state)).to.deep.equal(plain(await stateOf(storage(), owned)));
    expect(found).to.deep.include({ user: owned.userId, membership: { role: 'owner', needsTwoFactor: false } });
    const viewer = await storedMember(storage(), owned.organizationId, 'viewer');
    const { membership } = await factsOf(storage(), { ...owned, userId: viewer.userId });
    expect(membership).to.deep.equal({ role: 'viewer', needsTwoFactor: false });
  });

  it('are withheld from outsiders, who learn only whose zone it is', async () => {
    const owned = await storedZone(storage());
    const { userId } = await storedOwner(storage());
    const read = storage().unitOfWork.view(({ zoneChanges }) => zoneChanges.facts(owned.zone.id, userId));
    expect(await errorOf(read)).to.deep.equal({ type: 'NotAMember', organization: owned.organizationId });
  });

  it('report that a required second factor is missing', async () => {
    const owned = await storedZone(storage());
    await enforceTwoFactor(storage(), owned.organizationId);
    expect((await factsOf(storage(), owned)).membership).to.deep.equal({ role: 'owner', needsTwoFactor: true });
    await storedSecondFactor(storage(), owned.userId);
    expect((await factsOf(storage(), owned)).membership).to.deep.equal({ role: 'owner', needsTwoFactor: false });
  });

  it('tell which provider the organization requires, as does the lock', async () => {
    const owned = await storedZone(storage());
    const requiredProvider = ProviderId.parse('corp');
    await requireProvider(storage(), owned.organizationId, requiredProvider);
    const membership = { role: 'owner', needsTwoFactor: false, requiredProvider };
    expect((await factsOf(storage(), owned)).membership).to.deep.equal(membership);
    const locked = await runUnit(storage(), ({ zoneChanges }) => zoneChanges.lock(owned.zone.id, owned.userId));
    expect(locked.membership).to.deep.equal(membership);
  });

  it('include the bytes to replay since the latest snapshot', async () => {
    const owned = await storedZone(storage());
    const found = [];
    for (const replayBytes of [70, 250, 0]) {
      const now = await factsOf(storage(), owned);
      found.push(now.replayBytes);
      const change = aChange({ banToken: `ban_${replayBytes}` });
      await runUnit(storage(), ({ zoneChanges }) =>
        applying(zoneChanges, now, [], { ...change, revision: { ...change.revision, replayBytes } }),
      );
    }
    expect([...found, (await factsOf(storage(), owned)).replayBytes]).to.deep.equal([0, 0 + 70, 250, 0]);
  });

  it('do not find a zone that does not exist', async () => {
    const read = storage().unitOfWork.view(({ zoneChanges }) => zoneChanges.facts(aZoneId(), aUserId()));
    expect(await errorOf(read)).to.deep.equal({ type: 'ZoneNotFound' });
  });
}
