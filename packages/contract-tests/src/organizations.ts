import {
  createZone,
  type OrganizationId,
  OrganizationId as OrganizationIdSchema,
  roles,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { okAsync, ResultAsync } from 'neverthrow';
import { storedAccount, storedOwner, storedZone } from './arrangements.ts';
import { anOrganizationName, aZone, aZoneDraft } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { hold, waits } from './gate.ts';
import { atOnce, done, okOf, racers, tally } from './results.ts';
import { standIns } from './stand-ins.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function organizationsContract(adapter: string, open: OpenStorage): void {
  describe(`Organizations contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    describe('found', () => founding(storage));
    describe('lockRole', () => membership(storage));
    describe('lockZoneCount', () => zoneCount(storage));
  });
}

const roleOf = (storage: Storage, organization: OrganizationId, user: UserId) =>
  done(storage, ({ organizations }) => organizations.lockRole(organization, user));

function founding(storage: () => Storage): void {
  it('founds an organization whose only member is its owner', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const found = () =>
      done(storage(), ({ organizations }) => organizations.found({ name: anOrganizationName(), owner: ada.id }));
    const [first, second] = [await found(), await found()];
    expect(first).to.not.equal(second);
    expect(await roleOf(storage(), first, ada.id)).to.equal('owner');
    expect(await roleOf(storage(), second, ada.id)).to.equal('owner');
    expect(await roleOf(storage(), first, grace.id)).to.equal(undefined);
  });

  it('gives an id that the domain accepts', async () => {
    const { organizationId } = await storedOwner(storage());
    expect(OrganizationIdSchema.safeParse(organizationId).success).to.equal(true);
  });
}

function membership(storage: () => Storage): void {
  it('tells the role the user has now', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id: userId } = await storedAccount(storage());
    for (const role of roles) {
      await storage().setRole(organizationId, userId, role);
      expect(await roleOf(storage(), organizationId, userId)).to.equal(role);
    }
    await storage().setRole(organizationId, userId, undefined);
    expect(await roleOf(storage(), organizationId, userId)).to.equal(undefined);
  });

  it('knows no role in an organization that is not there', async () => {
    const { userId } = await storedOwner(storage());
    expect(await roleOf(storage(), OrganizationIdSchema.parse(2_147_483_647), userId)).to.equal(undefined);
  });

  for (const role of ['viewer', undefined] as const) {
    it(`makes ${role === undefined ? 'the withdrawal' : 'a change'} of the role wait until the unit ends`, async () => {
      const { organizationId, userId } = await storedOwner(storage());
      const held = await hold(
        storage(),
        ({ organizations }) => organizations.lockRole(organizationId, userId),
        ({ organizations }) => organizations.lockRole(organizationId, userId),
      );
      const change = storage().setRole(organizationId, userId, role);
      expect(await waits(storage(), change)).to.equal(true);
      expect(await okOf(held.release())).to.equal('owner');
      await change;
      expect(await roleOf(storage(), organizationId, userId)).to.equal(role);
    });
  }
}

function zoneCount(storage: () => Storage): void {
  const countOf = (organization: OrganizationId) =>
    done(storage(), ({ organizations }) => organizations.lockZoneCount(organization));

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
      zones
        .add(aZone({ organizationId, createdBy: userId }))
        .andThen(() => organizations.lockZoneCount(organizationId)),
    );
    expect(count).to.equal(1);
  });

  it('makes another unit that adds a zone wait, and shows it the zones of the first', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lockZoneCount(organizationId),
      ({ zones }) => zones.add(aZone({ organizationId, createdBy: userId })),
    );
    const second = countOf(organizationId);
    expect(await waits(storage(), second)).to.equal(true);
    await okOf(held.release());
    expect(await second).to.equal(1);
  });

  it('does not hold up units of other organizations', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lockZoneCount(owner.organizationId),
      () => okAsync(),
    );
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
