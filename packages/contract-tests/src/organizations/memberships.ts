import {
  type OrganizationId,
  OrganizationId as OrganizationIdSchema,
  ProviderId,
  roles,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { enforceTwoFactor, requireProvider, storedAccount, storedMember, storedOwner } from '../arrangements/index.ts';
import { aTotpSecret, aUserId } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { goesOn, hold } from '../gate.ts';
import { okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { twoFactorEnforcement } from './two-factor-enforcement.ts';

/** A user's current role in an organization. */
export const roleOf = (storage: Storage, organization: OrganizationId, user: UserId) =>
  runUnit(storage, ({ memberships }) => memberships.lock(organization, user).map((found) => found?.role));

/** Every adapter of the port must pass this unchanged. */
export const membershipsContract = contract('Memberships contract', (storage) => {
  describe('lock', () => locks(storage));
  describe('lockEnforcing', () => twoFactorEnforcement(storage));
  describe('shareOrganization', () => sharing(storage));
});

function locks(storage: () => Storage): void {
  const membershipOf = (organization: OrganizationId, user: UserId) =>
    runUnit(storage(), ({ memberships }) => memberships.lock(organization, user));

  it('has the provider that the organization requires', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const requiredProvider = ProviderId.parse('corp');
    await requireProvider(storage(), organizationId, requiredProvider);
    expect(await membershipOf(organizationId, userId)).to.deep.equal({
      role: 'owner',
      needsTwoFactor: false,
      requiredProvider,
    });
  });

  it('reports that the organization requires a second factor the user lacks', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    await enforceTwoFactor(storage(), organizationId);
    expect(await membershipOf(organizationId, userId)).to.deep.equal({ role: 'owner', needsTwoFactor: true });
    await runUnit(storage(), ({ twoFactors }) =>
      twoFactors.begin({ user: userId, secret: aTotpSecret(), lifetimeSeconds: 900 }),
    );
    expect(await membershipOf(organizationId, userId), 'pending').to.include({ needsTwoFactor: true });
    await runUnit(storage(), ({ twoFactors }) => twoFactors.enable(userId, { confirmed: true }));
    expect(await membershipOf(organizationId, userId)).to.deep.equal({ role: 'owner', needsTwoFactor: false });
  });

  it('makes an organization that starts to require a second factor wait until the unit ends', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(storage(), ({ memberships }) => memberships.lock(organizationId, userId));
    const change = enforceTwoFactor(storage(), organizationId);
    expect(
      await okOf(held.endBefore(change, ({ memberships }) => memberships.lock(organizationId, userId))),
    ).to.include({ needsTwoFactor: false });
    await change;
    expect(await membershipOf(organizationId, userId)).to.include({ needsTwoFactor: true });
  });

  it('waits for a change in progress, and sees it', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(storage(), ({ organizations }) => organizations.lock(organizationId));
    const found = membershipOf(organizationId, userId);
    await okOf(held.endBefore(found, ({ members }) => members.remove(organizationId, userId)));
    expect(await found).to.equal(undefined);
  });

  it('does not block another unit that only reads', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(storage(), ({ memberships }) => memberships.lock(organizationId, userId));
    const found = membershipOf(organizationId, userId);
    expect(await goesOn(storage(), found)).to.equal(true);
    await okOf(held.release());
    expect(await found).to.include({ role: 'owner' });
  });

  it('returns the user’s current role', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id: userId } = await storedAccount(storage());
    for (const role of roles) {
      await storage().setRole(organizationId, userId, role);
      expect(await roleOf(storage(), organizationId, userId)).to.equal(role);
    }
    await storage().setRole(organizationId, userId, undefined);
    expect(await roleOf(storage(), organizationId, userId)).to.equal(undefined);
  });

  it('finds no role in an organization that does not exist', async () => {
    const { userId } = await storedOwner(storage());
    expect(await roleOf(storage(), OrganizationIdSchema.parse(2_147_483_647), userId)).to.equal(undefined);
  });

  for (const role of ['viewer', undefined] as const) {
    it(`makes ${role === undefined ? 'a removal' : 'a change'} of the role wait until the unit ends`, async () => {
      const { organizationId, userId } = await storedOwner(storage());
      const held = await hold(storage(), ({ memberships }) => memberships.lock(organizationId, userId));
      const change = storage().setRole(organizationId, userId, role);
      expect(
        await okOf(held.endBefore(change, ({ memberships }) => memberships.lock(organizationId, userId))),
      ).to.deep.equal({ role: 'owner', needsTwoFactor: false });
      await change;
      expect(await roleOf(storage(), organizationId, userId)).to.equal(role);
    });
  }
}

function sharing(storage: () => Storage): void {
  const share = (one: UserId, other: UserId) =>
    readView(storage(), ({ memberships }) => memberships.shareOrganization(one, other));

  it('reports whether two users are members of one organization', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const { userId: fellow } = await storedMember(storage(), organizationId, 'viewer');
    const stranger = await storedOwner(storage());
    expect(await share(userId, fellow)).to.equal(true);
    expect(await share(fellow, userId)).to.equal(true);
    expect(await share(userId, stranger.userId)).to.equal(false);
    expect(await share(userId, aUserId())).to.equal(false);
    await storage().setRole(organizationId, fellow, undefined);
    expect(await share(userId, fellow)).to.equal(false);
  });

  it('considers only the given organizations, if any', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const { userId: fellow } = await storedMember(storage(), organizationId, 'viewer');
    const { organizationId: other } = await storedOwner(storage());
    const among = (...ids: readonly OrganizationId[]) =>
      readView(storage(), ({ memberships }) => memberships.shareOrganization(userId, fellow, ids));
    expect(await among(other, organizationId)).to.equal(true);
    expect(await among(other)).to.equal(false);
    expect(await among()).to.equal(false);
  });
}
