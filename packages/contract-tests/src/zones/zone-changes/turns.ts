import type { UserId, ZonePlan } from '@zonewright/core';
import { expect } from 'chai';
import {
  applied,
  applying,
  enforceTwoFactor,
  type OwnedZone,
  removed,
  storedOwner,
  storedZone,
} from '../../arrangements/index.ts';
import { aChange, aRevision, aUserId, aZoneName } from '../../builders/index.ts';
import { goesOn, hold } from '../../gate.ts';
import { expectOneWinner } from '../../races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, runUnit, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { factsOf, stateOf } from './full-zone.ts';

/** Who waits for whom when changes of zones coincide. */
export function turns(storage: () => Storage): void {
  const apply = (storageNow: Storage, found: Awaited<ReturnType<typeof factsOf>>, plan: ZonePlan) =>
    storageNow.unitOfWork.single(({ zoneChanges }) => applying(zoneChanges, found, [], aChange(plan)));

  it('is superseded if a revision that the new one refers to is no longer kept, or the organization stores too much', async () => {
    const owned = await storedZone(storage());
    await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: owned.zone.id, number: 1 })));
    const facts = await factsOf(storage(), owned);
    const change = aChange({ banToken: 'ban_1' });
    const referring = (contentsFrom: number, restFrom: number) => ({
      ...change,
      revision: { ...change.revision, patch: undefined, restored: { contentsFrom, restFrom, adjustment: undefined } },
    });
    const { used } = await readView(storage(), ({ storageQuotas }) => storageQuotas.of(owned.organizationId));
    const outcomes = [];
    for (const each of [referring(7, 1), referring(1, 7), { ...change, mostStored: used - 1 }, referring(1, 1)])
      outcomes.push(await storage().unitOfWork.single(({ zoneChanges }) => applying(zoneChanges, facts, [], each)));
    expect(outcomes.map((outcome) => (outcome.isOk() ? 'applied' : outcome.error.type))).to.deep.equal([
      'Superseded',
      'Superseded',
      'Superseded',
      'applied',
    ]);
  });

  it('apply one of twenty changes decided on the same state', async () => {
    const owned = await storedZone(storage());
    const found = await factsOf(storage(), owned);
    await expectOneWinner('Superseded', (index) => apply(storage(), found, { banToken: `ban_${index}` }));
    expect((await stateOf(storage(), owned)).zone.revision).to.equal(2);
  });

  it('gives a name that twenty zones claim to one of them', async () => {
    const owner = await storedOwner(storage());
    const stored = await concurrently(raceSize, () => storedZone(storage(), { owner }));
    const all = await Promise.all(stored.map((owned) => factsOf(storage(), owned)));
    const names = { name: aZoneName('wanted'), tag: 'prod' } as const;
    await expectOneWinner('ZoneNameTaken', (index) => apply(storage(), all[index]!, { names }));
  });

  const beginnings: readonly (readonly [what: string, first: (owned: OwnedZone) => Parameters<typeof hold>[1]])[] = [
    [
      'applied a change',
      ({ zone }) =>
        (each) =>
          applied(each, zone.id, () => ({ banToken: 'ban_first' })),
    ],
    [
      'locked the zone',
      ({ zone, userId }) =>
        ({ zoneChanges }) =>
          zoneChanges.lock(zone.id, userId),
    ],
  ];
  for (const [what, first] of beginnings) {
    it(`make a change of the same zone wait for a unit that ${what}, but not of another zone`, async () => {
      const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
      const [found, elsewhere] = [await factsOf(storage(), owned), await factsOf(storage(), other)];
      const held = await hold(storage(), first(owned));
      expect(await goesOn(storage(), apply(storage(), elsewhere, { banToken: 'ban_elsewhere' }))).to.equal(true);
      const second = apply(storage(), found, { banToken: 'ban_second' });
      await okOf(held.endBefore(second));
      expect(tally([await second])).to.deep.equal(what === 'locked the zone' ? { Ok: 1 } : { Superseded: 1 });
    });

    it(`make the removal of the user’s role wait for a unit that ${what}`, async () => {
      const owned = await storedZone(storage());
      const { zone, userId, organizationId } = owned;
      const held = await hold(storage(), first(owned));
      const withdrawal = storage().setRole(organizationId, userId, undefined);
      await okOf(held.endBefore(withdrawal));
      await withdrawal;
      const read = storage().unitOfWork.view(({ zoneChanges }) => zoneChanges.facts(zone.id, userId));
      expect(await errorOf(read)).to.deep.equal({ type: 'NotAMember', organization: organizationId });
    });
  }

  it('make only those wait who queue for the same zone', async () => {
    const [owned, other] = [await storedZone(storage()), await storedZone(storage())];
    const queueing = ({ zone }: OwnedZone) => storage().unitOfWork.run(({ zoneChanges }) => zoneChanges.queue(zone.id));
    const found = await factsOf(storage(), owned);
    const held = await hold(storage(), ({ zoneChanges }) => zoneChanges.queue(owned.zone.id));
    expect(await goesOn(storage(), apply(storage(), found, { banToken: 'ban_free' }))).to.equal(true);
    expect(await goesOn(storage(), queueing(other))).to.equal(true);
    const second = queueing(owned);
    await okOf(held.endBefore(second));
    await okOf(second);
  });

  it('find no zone that is gone, and report whom they keep from changing', async () => {
    const { zone, userId, organizationId } = await storedZone(storage());
    const locking = (user: UserId) => storage().unitOfWork.run(({ zoneChanges }) => zoneChanges.lock(zone.id, user));
    const { name, tag, revision } = zone;
    const membership = { role: 'owner', needsTwoFactor: false };
    expect(await okOf(locking(userId))).to.deep.equal({ organizationId, name, tag, revision, membership });
    expect((await okOf(locking(aUserId()))).membership).to.equal(undefined);
    await enforceTwoFactor(storage(), organizationId);
    expect((await okOf(locking(userId))).membership).to.deep.equal({ role: 'owner', needsTwoFactor: true });
    await runUnit(storage(), (each) => removed(each, zone.id));
    expect(await errorOf(locking(userId))).to.deep.equal({ type: 'ZoneNotFound' });
  });

  it('wait for a unit that removes the role, and then have no effect', async () => {
    const owned = await storedZone(storage());
    const { userId, organizationId } = owned;
    const found = await factsOf(storage(), owned);
    const held = await hold(storage(), ({ organizations, members }) =>
      organizations.lock(organizationId).andThen(() => members.setRole(organizationId, userId, 'viewer')),
    );
    const second = apply(storage(), found, { banToken: 'ban_late' });
    await okOf(held.endBefore(second));
    expect(tally([await second])).to.deep.equal({ Superseded: 1 });
  });
}
