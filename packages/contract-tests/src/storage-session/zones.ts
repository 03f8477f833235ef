import { type Repositories, zoneNotFound } from '@zonewright/core';
import { expect } from 'chai';
import { addRules, applied, storedCredential, storedOwner, storedZone } from '../arrangements/index.ts';
import { aRule, aZoneId } from '../builders/index.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { openSession, storedMemberOfMany } from './member.ts';

/** A zone, read with the caller. */
export function oneZone(storage: () => Storage): void {
  it('has the head and the contents that anybody reads, member or not', async () => {
    const { userId, own, shared, demanding } = await storedMemberOfMany(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    for (const organizationId of [own, shared, demanding, (await storedOwner(storage())).organizationId]) {
      const { zone } = await storedZone(storage(), { owner: { ...(await storedOwner(storage())), organizationId } });
      const head = await readView(storage(), ({ zones }) => zones.head(zone.id));
      const state = await readView(storage(), ({ zones }) => zones.state(zone.id));
      const { session } = await openSession(storage(), credential, { kind: 'zone', id: zone.id });
      for (let times = 0; times < 2; times += 1) {
        expect(await okOf(session.view(({ zones }) => zones.head(zone.id)))).to.deep.include(head);
        expect(await okOf(session.view(({ zones }) => zones.state(zone.id)))).to.deep.equal(state);
      }
    }
  });

  it('never has contents from before a change', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    for (let count = 1; count < 10; count += 1) {
      await addRules(storage(), { zone: zone.id, kind: 'accessRule' }, [aRule('accessRule')]);
      const { session } = await openSession(storage(), credential, { kind: 'zone', id: zone.id });
      const { rules } = await okOf(session.view(({ zones }) => zones.state(zone.id)));
      expect(rules.accessRule).to.have.lengthOf(count);
    }
  });

  it('may be missing, or another one than the request is about', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const { session } = await openSession(storage(), credential, { kind: 'zone', id: aZoneId() });
    expect(await errorOf(session.view(({ zones }) => zones.head(aZoneId())))).to.deep.equal(zoneNotFound());
    expect(await okOf(session.view(({ zones }) => zones.state(zone.id)))).to.have.nested.property('zone.id', zone.id);
  });
}

/** The facts for a change of a zone, read with the caller. */
export function zoneChanges(storage: () => Storage): void {
  for (const kind of ['session', 'apiToken'] as const) {
    it(`is decided on the facts that anybody reads, with a ${kind}`, async () => {
      const { userId, own, demanding } = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, userId);
      for (const organizationId of [own, demanding, (await storedOwner(storage())).organizationId]) {
        const { zone } = await storedZone(storage(), { owner: { ...(await storedOwner(storage())), organizationId } });
        const read = ({ zoneChanges }: Repositories) => zoneChanges.facts(zone.id, userId);
        const facts = await storage().unitOfWork.view(read);
        const { session } = await openSession(storage(), credential, { kind: 'zone change', id: zone.id });
        for (let times = 0; times < 2; times += 1) expect(await session.view(read)).to.deep.equal(facts);
      }
    });
  }

  it('is decided again on current facts', async () => {
    const { zone, userId } = await storedZone(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const { session } = await openSession(storage(), credential, { kind: 'zone change', id: zone.id });
    await runUnit(storage(), (repositories) => applied(repositories, zone.id, () => ({ banToken: 'another' })));
    const tokens: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      const { state } = await okOf(session.view(({ zoneChanges }) => zoneChanges.facts(zone.id, userId)));
      tokens.push(state.zone.banToken);
    }
    expect(tokens.at(-1)).to.equal('another');
  });

  it('may be of a zone that does not exist', async () => {
    const { userId } = await storedOwner(storage());
    const credential = await storedCredential(storage(), 'session', userId);
    const id = aZoneId();
    const { session } = await openSession(storage(), credential, { kind: 'zone change', id });
    const read = session.view(({ zoneChanges }) => zoneChanges.facts(id, userId));
    expect(await errorOf(read)).to.deep.equal(zoneNotFound());
  });
}
