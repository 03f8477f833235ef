import type { Subject } from '@zonewright/core';
import { expect } from 'chai';
import { applied, storedCredential, storedOwner, storedZone } from '../arrangements/index.ts';
import { wholeList } from '../builders/index.ts';
import { okOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';
import { everything, openSession } from './member.ts';

/** A unit of the session that writes ends what was read ahead. */
export function currentReads(storage: () => Storage): void {
  it('see what a unit of the session has written', async () => {
    const { zone, userId, organizationId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const subjects: readonly Subject[] = [
      { kind: 'zone', id: zone.id },
      { kind: 'zone change', id: zone.id },
      { kind: 'zone list', query: everything },
    ];
    const filter = { organizations: [organizationId], tags: [], search: undefined };
    for (const [at, subject] of subjects.entries()) {
      const { session } = await openSession(storage(), credential, subject);
      const banToken = `token ${at}`;
      await okOf(session.run((repositories) => applied(repositories, zone.id, () => ({ banToken }))));
      const { state } = await okOf(session.view(({ zoneChanges }) => zoneChanges.facts(zone.id, userId)));
      const read = await okOf(session.view(({ zones }) => zones.state(zone.id)));
      const { items } = await okOf(session.view(({ zones }) => zones.list(filter, [], wholeList)));
      expect([state.zone.banToken, read.zone.banToken, items[0]?.banToken]).to.deep.equal([
        banToken,
        banToken,
        banToken,
      ]);
    }
  });

  it('see the profile as a unit of the session has changed it', async () => {
    const { userId } = await storedOwner(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const { session } = await openSession(storage(), credential, { kind: 'profile' });
    const before = await readView(storage(), ({ accounts }) => accounts.profile(userId));
    const changed = { firstName: before.lastName, lastName: before.lastName };
    await okOf(session.run(({ accounts }) => accounts.saveProfile(userId, changed)));
    expect(await okOf(session.view(({ accounts }) => accounts.profile(userId)))).to.deep.include(changed);
  });
}
