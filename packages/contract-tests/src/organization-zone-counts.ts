import { createZone, type OrganizationId, type Repositories } from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, ResultAsync } from 'neverthrow';
import { storedOwner, storedZone } from './arrangements.ts';
import { aZone, aZoneDraft } from './builders.ts';
import { hold, waits } from './gate.ts';
import { atOnce, done, okOf, racers, tally } from './results.ts';
import { standIns } from './stand-ins.ts';
import type { Storage } from './storage.ts';

/** Part of the contract of organizations: their zones are counted one unit after another, so that limits hold. */
export function zoneCounts(storage: () => Storage): void {
  const lockedCount =
    (organization: OrganizationId) =>
    ({ organizations }: Repositories) =>
      organizations.lock(organization).andThen(() => organizations.zoneCount(organization));
  const countOf = (organization: OrganizationId) => done(storage(), lockedCount(organization));

  it('counts the zones of that organization', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    expect(await countOf(owner.organizationId)).to.equal(0);
    const { zone } = await storedZone(storage(), { owner });
    await storedZone(storage(), { owner, tag: 'dev' });
    await storedZone(storage(), { owner: other });
    expect(await countOf(owner.organizationId)).to.equal(2);
    await done(storage(), ({ zones }) => zones.lock(zone.id).andThen(() => zones.remove(zone.id)));
    expect(await countOf(owner.organizationId)).to.equal(1);
  });

  it('counts the zones that the unit itself added', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const count = await done(storage(), ({ zones, organizations }) =>
      organizations
        .lock(organizationId)
        .andThen(() => zones.add(aZone({ organizationId, createdBy: userId })))
        .andThen(() => organizations.zoneCount(organizationId)),
    );
    expect(count).to.equal(1);
  });

  it('makes another unit that adds a zone wait, and shows it the zones of the first', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(storage(), lockedCount(organizationId), ({ zones }) =>
      zones.add(aZone({ organizationId, createdBy: userId })),
    );
    const second = countOf(organizationId);
    expect(await waits(storage(), second)).to.equal(true);
    await okOf(held.release());
    expect(await second).to.equal(1);
  });

  it('does not hold up units of other organizations', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const held = await hold(storage(), lockedCount(owner.organizationId), () => okAsync());
    const elsewhere = countOf(other.organizationId);
    if (storage().unitsOverlap) expect(await elsewhere).to.equal(0);
    await held.release();
    expect(await elsewhere).to.equal(0);
  });

  it('keeps the limit of 500 zones when twenty are created next to 499', async () => {
    const { caller, organizationId, userId } = await storedOwner(storage());
    await done(storage(), ({ zones }) =>
      ResultAsync.combine(Array.from({ length: 499 }, () => zones.add(aZone({ organizationId, createdBy: userId })))),
    );
    const create = createZone({ unitOfWork: storage().unitOfWork, ...standIns });
    const results = await atOnce(racers, () => create(caller, aZoneDraft()));
    expect(tally(results)).to.deep.equal({ Ok: 1, 'organization.zones.limit': racers - 1 });
    expect(await countOf(organizationId)).to.equal(500);
  });
}
