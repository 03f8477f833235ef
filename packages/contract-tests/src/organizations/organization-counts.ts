import {
  defaultUsageLimits,
  OrganizationDraft,
  type OrganizationId,
  type Repositories,
  roles,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { removed, storedOwner, storedZone } from '../arrangements/index.ts';
import { anOrganizationName, aZone, aZoneDraft } from '../builders/index.ts';
import { casesOn } from '../fakes.ts';
import { goesOn, hold } from '../gate.ts';
import { expectOneWinner } from '../races.ts';
import { okOf, rounds, runUnit, sequentially } from '../results.ts';
import type { Storage } from '../storage.ts';

/**
 * Part of the contract of organizations: the owner's organizations are counted before one is created, while others
 * wait.
 */
export function ownedCounts(storage: () => Storage): void {
  const countOf = (user: UserId) =>
    runUnit(storage(), ({ organizations }) => organizations.lockOwned(user).map(({ used }) => used));
  const create = (owner: UserId) => (repositories: Repositories) =>
    repositories.organizations.create({ name: anOrganizationName(), owner });

  it('counts only the organizations that the user owns', async () => {
    const [ada, grace] = [await storedOwner(storage()), await storedOwner(storage())];
    expect(await countOf(ada.userId)).to.equal(1);
    await runUnit(storage(), create(ada.userId));
    for (const role of roles) {
      await storage().setRole(grace.organizationId, ada.userId, role);
      expect(await countOf(ada.userId), role).to.equal(role === 'owner' ? 3 : 2);
    }
    await storage().setRole(ada.organizationId, ada.userId, 'admin');
    expect(await countOf(ada.userId)).to.equal(1);
  });

  it('makes other units that create organizations for the user wait, and shows them the first one', async () => {
    const { userId } = await storedOwner(storage());
    const held = await hold(storage(), ({ organizations }) => organizations.lockOwned(userId));
    const second = countOf(userId);
    await okOf(held.endBefore(second, create(userId)));
    expect(await second).to.equal(2);
  });

  it('does not block units of other users', async () => {
    const [ada, grace] = [await storedOwner(storage()), await storedOwner(storage())];
    const held = await hold(storage(), ({ organizations }) => organizations.lockOwned(ada.userId));
    const elsewhere = countOf(grace.userId);
    expect(await goesOn(storage(), elsewhere)).to.equal(true);
    await okOf(held.release());
    expect(await elsewhere).to.equal(1);
  });

  it('keeps the limit when twenty organizations are created with room for one', async () => {
    const draft = OrganizationDraft.parse({ name: 'Team' });
    for (const _ of rounds) {
      const { caller, userId } = await storedOwner(storage());
      const few = Array.from({ length: defaultUsageLimits.organizations - 2 }, () => create(userId));
      await runUnit(storage(), (repositories) => sequentially(few, (each) => each(repositories)));
      const creating = casesOn(storage()).createOrganization;
      await expectOneWinner('user.organizations.limit', () => creating(caller, draft));
      expect(await countOf(userId)).to.equal(defaultUsageLimits.organizations);
    }
  });
}

/**
 * Part of the contract of zones: the zones of an organization are counted by one unit at a time, so that limits hold.
 */
export function zoneCounts(storage: () => Storage): void {
  const lockedCount =
    (organization: OrganizationId) =>
    ({ organizations, zones }: Repositories) =>
      organizations.lock(organization).andThen(() => zones.count(organization));
  const countOf = (organization: OrganizationId) => runUnit(storage(), lockedCount(organization));

  it('counts the zones of that organization', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    expect(await countOf(owner.organizationId)).to.equal(0);
    const { zone } = await storedZone(storage(), { owner });
    await storedZone(storage(), { owner, tag: 'dev' });
    await storedZone(storage(), { owner: other });
    expect(await countOf(owner.organizationId)).to.equal(2);
    await runUnit(storage(), (repositories) => removed(repositories, zone.id));
    expect(await countOf(owner.organizationId)).to.equal(1);
  });

  it('counts the zones that the unit itself added', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const count = await runUnit(storage(), ({ zones, organizations }) =>
      organizations
        .lock(organizationId)
        .andThen(() => zones.add(aZone({ organizationId, createdBy: userId })))
        .andThen(() => zones.count(organizationId)),
    );
    expect(count).to.equal(1);
  });

  it('makes another unit that adds a zone wait, and shows it the first one', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(storage(), lockedCount(organizationId));
    const second = countOf(organizationId);
    await okOf(held.endBefore(second, ({ zones }) => zones.add(aZone({ organizationId, createdBy: userId }))));
    expect(await second).to.equal(1);
  });

  it('does not block units of other organizations', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const held = await hold(storage(), lockedCount(owner.organizationId));
    const elsewhere = countOf(other.organizationId);
    if (storage().unitsOverlap) expect(await elsewhere).to.equal(0);
    await held.release();
    expect(await elsewhere).to.equal(0);
  });

  it('keeps the limit of 500 zones when twenty are created with room for one', async () => {
    const { caller, organizationId, userId } = await storedOwner(storage());
    await runUnit(storage(), ({ zones }) =>
      sequentially(
        Array.from({ length: 499 }, () => aZone({ organizationId, createdBy: userId })),
        (zone) => zones.add(zone),
      ),
    );
    const create = casesOn(storage()).createZone;
    await expectOneWinner('organization.zones.limit', () => create(caller, aZoneDraft()));
    expect(await countOf(organizationId)).to.equal(500);
  });
}
