import {
  createOrganization,
  createZone,
  deleteOrganization,
  disableTwoFactor,
  OrganizationDraft,
  type OrganizationId,
  OrganizationId as OrganizationIdSchema,
  OrganizationName,
  organizationsPerOwner,
  type Repositories,
  roles,
  type TotpSecret,
  type UserId,
  updateOrganization,
  VerificationCode,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync, ResultAsync } from 'neverthrow';
import {
  enforceTwoFactor,
  storedAccount,
  storedMember,
  storedOwner,
  storedSecondFactor,
  storedZone,
} from './arrangements.ts';
import { anInvitation, anOrganizationName, aZone, aZoneDraft, wholeList } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { goesOn, hold, waits } from './gate.ts';
import { atOnce, done, errorOf, okOf, racers, rejectionOf, rounds, seen, tally } from './results.ts';
import { standIns } from './stand-ins.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function organizationsContract(adapter: string, open: OpenStorage): void {
  describe(`Organizations contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    describe('found', () => founding(storage));
    describe('lockOwnedCount', () => ownedCount(storage));
    describe('list', () => lists(storage));
    describe('byId', () => lookup(storage));
    describe('save', () => changes(storage));
    describe('remove', () => removal(storage));
    describe('lockMembership', () => membership(storage));
    describe('lockEnforcing', () => enforcing(storage));
    describe('lock and zoneCount', () => zoneCount(storage));
  });
}

const roleOf = (storage: Storage, organization: OrganizationId, user: UserId) =>
  done(storage, ({ organizations }) => organizations.lockMembership(organization, user).map((found) => found?.role));

function founding(storage: () => Storage): void {
  it('founds an organization whose only member is its owner', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const found = () =>
      done(storage(), ({ organizations }) => organizations.found({ name: anOrganizationName(), owner: ada.id }));
    const [first, second] = [(await found()).id, (await found()).id];
    expect(first).to.not.equal(second);
    expect(await roleOf(storage(), first, ada.id)).to.equal('owner');
    expect(await roleOf(storage(), second, ada.id)).to.equal('owner');
    expect(await roleOf(storage(), first, grace.id)).to.equal(undefined);
  });

  it('tells what it founded', async () => {
    const { id: owner } = await storedAccount(storage());
    const name = OrganizationName.parse('Straße ÉTÉ');
    const { id, createdAt, updatedAt, ...rest } = await done(storage(), ({ organizations }) =>
      organizations.found({ name, owner }),
    );
    expect(rest).to.deep.equal({ name, enforceTwoFactor: false, revision: 1 });
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
    const stored = await seen(storage(), ({ organizations }) => organizations.byId(id));
    expect(stored).to.deep.equal({ id, createdAt, updatedAt, ...rest });
  });

  it('leaves nothing when the unit is undone', async () => {
    const { id: owner } = await storedAccount(storage());
    const ids: OrganizationId[] = [];
    await storage().unitOfWork.run(({ organizations }) =>
      organizations.found({ name: anOrganizationName(), owner }).andThen(({ id }) => {
        ids.push(id);
        return errAsync('undo');
      }),
    );
    const missing = storage().unitOfWork.view(({ organizations }) => organizations.byId(ids[0]!));
    expect(await errorOf(missing)).to.deep.equal({ type: 'OrganizationNotFound' });
  });

  it('gives an id that the domain accepts', async () => {
    const { organizationId } = await storedOwner(storage());
    expect(OrganizationIdSchema.safeParse(organizationId).success).to.equal(true);
  });
}

function ownedCount(storage: () => Storage): void {
  const countOf = (user: UserId) => done(storage(), ({ organizations }) => organizations.lockOwnedCount(user));
  const found = (owner: UserId) => (repositories: Repositories) =>
    repositories.organizations.found({ name: anOrganizationName(), owner });

  it('counts the organizations that the user owns, and those of no other role', async () => {
    const [ada, grace] = [await storedOwner(storage()), await storedOwner(storage())];
    expect(await countOf(ada.userId)).to.equal(1);
    await done(storage(), found(ada.userId));
    for (const role of roles) {
      await storage().setRole(grace.organizationId, ada.userId, role);
      expect(await countOf(ada.userId), role).to.equal(role === 'owner' ? 3 : 2);
    }
    await storage().setRole(ada.organizationId, ada.userId, 'admin');
    expect(await countOf(ada.userId)).to.equal(1);
  });

  it('makes other units that found organizations for the user wait, and shows them that of the first', async () => {
    const { userId } = await storedOwner(storage());
    const held = await hold(storage(), ({ organizations }) => organizations.lockOwnedCount(userId), found(userId));
    const second = countOf(userId);
    expect(await waits(storage(), second)).to.equal(true);
    await okOf(held.release());
    expect(await second).to.equal(2);
  });

  it('does not hold up units of other users', async () => {
    const [ada, grace] = [await storedOwner(storage()), await storedOwner(storage())];
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lockOwnedCount(ada.userId),
      () => okAsync(),
    );
    const elsewhere = countOf(grace.userId);
    expect(await goesOn(storage(), elsewhere)).to.equal(true);
    await okOf(held.release());
    expect(await elsewhere).to.equal(1);
  });

  it('keeps the limit when twenty organizations are founded next to all but one', async () => {
    const draft = OrganizationDraft.parse({ name: 'Team' });
    for (const _ of rounds) {
      const { caller, userId } = await storedOwner(storage());
      const few = Array.from({ length: organizationsPerOwner - 2 }, () => found(userId));
      await done(storage(), (repositories) => ResultAsync.combine(few.map((each) => each(repositories))));
      const create = createOrganization({ unitOfWork: storage().unitOfWork });
      const results = await atOnce(racers, () => create(caller, draft));
      expect(tally(results)).to.deep.equal({ Ok: 1, 'user.organizations.limit': racers - 1 });
      expect(await countOf(userId)).to.equal(organizationsPerOwner);
    }
  });
}

function lists(storage: () => Storage): void {
  const listOf = (ids: readonly OrganizationId[], page = wholeList) =>
    seen(storage(), ({ organizations }) => organizations.list(ids, page));
  async function named(...names: readonly string[]): Promise<OrganizationId[]> {
    const { id: owner } = await storedAccount(storage());
    const ids: OrganizationId[] = [];
    for (const name of names) {
      const found = await done(storage(), ({ organizations }) =>
        organizations.found({ name: OrganizationName.parse(name), owner }),
      );
      ids.push(found.id);
    }
    return ids;
  }

  it('lists those of the organizations that exist, by name whatever the letter case', async () => {
    const ids = await named('beta', 'Alpha', 'GAMMA', 'alpha', 'Straße');
    await named('Another');
    const missing = OrganizationIdSchema.parse(2_147_483_647);
    const { items, totalItems } = await listOf([missing, ...ids.toReversed()]);
    expect(items.map(({ name }) => name)).to.deep.equal(['Alpha', 'alpha', 'beta', 'GAMMA', 'Straße']);
    expect(items.map(({ id }) => id)).to.deep.equal([ids[1], ids[3], ids[0], ids[2], ids[4]]);
    expect(totalItems).to.equal(5);
  });

  it('lists nothing for no organizations', async () => {
    await named('Alpha');
    expect(await listOf([])).to.deep.equal({ items: [], totalItems: 0 });
  });

  it('gives the part that is asked for, and the total with every part', async () => {
    const ids = await named('a', 'b', 'c');
    const namesOn = async (page: number, itemsPerPage: number) => {
      const { items, totalItems } = await listOf(ids, { page, itemsPerPage });
      expect(totalItems).to.equal(3);
      return items.map(({ name }) => name);
    };
    expect(await namesOn(1, 2)).to.deep.equal(['a', 'b']);
    expect(await namesOn(2, 2)).to.deep.equal(['c']);
    expect(await namesOn(3, 2)).to.deep.equal([]);
    expect(await namesOn(1, 0)).to.deep.equal([]);
  });
}

function lookup(storage: () => Storage): void {
  it('does not find an organization that is not there, locked or not', async () => {
    const missing = OrganizationIdSchema.parse(2_147_483_647);
    const found = storage().unitOfWork.view(({ organizations }) => organizations.byId(missing));
    expect(await errorOf(found)).to.deep.equal({ type: 'OrganizationNotFound' });
    const locked = storage().unitOfWork.run(({ organizations }) => organizations.lock(missing));
    expect(await errorOf(locked)).to.deep.equal({ type: 'OrganizationNotFound' });
  });
}

function changes(storage: () => Storage): void {
  it('changes name and rule, and raises the revision', async () => {
    const { organizationId } = await storedOwner(storage());
    const before = await seen(storage(), ({ organizations }) => organizations.byId(organizationId));
    await storage().passTime(5);
    const settings = { name: OrganizationName.parse('Renamed'), enforceTwoFactor: true };
    const saved = await done(storage(), ({ organizations }) =>
      organizations.lock(organizationId).andThen(() => organizations.save(organizationId, settings)),
    );
    expect(saved).to.include({ ...settings, id: organizationId, revision: before.revision + 1 });
    expect(saved.updatedAt > saved.createdAt).to.equal(true);
    expect(await seen(storage(), ({ organizations }) => organizations.byId(organizationId))).to.deep.equal(saved);
  });

  it('changes no other organization, and is found under the new name', async () => {
    const [first, second] = [await storedOwner(storage()), await storedOwner(storage())];
    const settings = { name: OrganizationName.parse('zzz'), enforceTwoFactor: false };
    await done(storage(), ({ organizations }) =>
      organizations.lock(first.organizationId).andThen(() => organizations.save(first.organizationId, settings)),
    );
    const { items } = await seen(storage(), ({ organizations }) =>
      organizations.list([first.organizationId, second.organizationId], wholeList),
    );
    expect(items.map(({ id, revision }) => ({ id, revision }))).to.deep.equal([
      { id: second.organizationId, revision: 1 },
      { id: first.organizationId, revision: 2 },
    ]);
  });

  it('makes a second change wait, and shows it the first one', async () => {
    const { organizationId: id } = await storedOwner(storage());
    const settings = { name: OrganizationName.parse('First'), enforceTwoFactor: false };
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lock(id),
      ({ organizations }) => organizations.save(id, settings),
    );
    const second = done(storage(), ({ organizations }) => organizations.lock(id));
    expect(await waits(storage(), second)).to.equal(true);
    await okOf(held.release());
    expect(await second).to.include({ name: 'First', revision: 2 });
  });

  it('loses none of twenty changes that are made at the same time', async () => {
    const { organizationId } = await storedOwner(storage());
    await atOnce(racers, () => enforceTwoFactor(storage(), organizationId));
    const { revision } = await seen(storage(), ({ organizations }) => organizations.byId(organizationId));
    expect(revision).to.equal(1 + racers);
  });
}

function removal(storage: () => Storage): void {
  const remove = (id: OrganizationId) =>
    storage().unitOfWork.run(({ organizations }) => organizations.lock(id).andThen(() => organizations.remove(id)));

  it('removes the organization with its memberships and invitations, and no other', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const invitation = anInvitation({ organizationId: owner.organizationId, invitedBy: owner.userId });
    await done(storage(), ({ invitations }) => invitations.add(invitation));
    await okOf(remove(owner.organizationId));
    const missing = storage().unitOfWork.view(({ organizations }) => organizations.byId(owner.organizationId));
    expect(await errorOf(missing)).to.deep.equal({ type: 'OrganizationNotFound' });
    expect(await roleOf(storage(), owner.organizationId, owner.userId)).to.equal(undefined);
    const found = storage().unitOfWork.view(({ invitations }) => invitations.byToken(invitation.hash));
    expect(await errorOf(found)).to.deep.equal({ type: 'InvitationTokenInvalid' });
    expect(await roleOf(storage(), other.organizationId, other.userId)).to.equal('owner');
  });

  it('never removes an organization that has zones', async () => {
    const { organizationId } = await storedZone(storage());
    await rejectionOf(remove(organizationId));
    expect((await seen(storage(), ({ organizations }) => organizations.byId(organizationId))).id).to.equal(
      organizationId,
    );
  });

  it('does not give the id again', async () => {
    const { organizationId } = await storedOwner(storage());
    await okOf(remove(organizationId));
    expect((await storedOwner(storage())).organizationId).to.be.greaterThan(organizationId);
  });

  it('either removes the organization or creates the zone when both are asked for', async () => {
    for (const _ of rounds) {
      const { caller, organizationId } = await storedOwner(storage());
      const dependencies = { unitOfWork: storage().unitOfWork, ...standIns };
      const [created, removed] = await Promise.all([
        createZone(dependencies)(caller, aZoneDraft()),
        deleteOrganization(dependencies)(caller, organizationId, undefined),
      ]);
      expect([tally([created]), tally([removed])]).to.be.deep.oneOf([
        [{ Ok: 1 }, { OrganizationNotEmpty: 1 }],
        [{ OrganizationNotFound: 1 }, { Ok: 1 }],
      ]);
    }
  });
}

function enforcing(storage: () => Storage): void {
  const enforcingOf = (user: UserId) => done(storage(), ({ organizations }) => organizations.lockEnforcing(user));

  it('tells those of the user’s organizations that demand a second factor', async () => {
    const [own, joined, foreign] = [
      await storedOwner(storage()),
      await storedOwner(storage()),
      await storedOwner(storage()),
    ];
    await storage().setRole(joined.organizationId, own.userId, 'viewer');
    expect(await enforcingOf(own.userId)).to.deep.equal([]);
    await enforceTwoFactor(storage(), foreign.organizationId);
    await enforceTwoFactor(storage(), joined.organizationId);
    expect(await enforcingOf(own.userId)).to.deep.equal([joined.organizationId]);
    await enforceTwoFactor(storage(), own.organizationId);
    expect(await enforcingOf(own.userId)).to.have.members([own.organizationId, joined.organizationId]);
    await enforceTwoFactor(storage(), joined.organizationId, false);
    expect(await enforcingOf(own.userId)).to.deep.equal([own.organizationId]);
  });

  for (const demanded of [true, false]) {
    it(`makes an organization that ${demanded ? 'starts' : 'stops'} to demand one wait until the unit ends`, async () => {
      const { userId, organizationId } = await storedOwner(storage());
      if (!demanded) await enforceTwoFactor(storage(), organizationId);
      const held = await hold(
        storage(),
        ({ organizations }) => organizations.lockEnforcing(userId),
        ({ organizations }) => organizations.lockEnforcing(userId),
      );
      const change = enforceTwoFactor(storage(), organizationId, demanded);
      expect(await waits(storage(), change)).to.equal(true);
      expect(await okOf(held.release())).to.deep.equal(demanded ? [] : [organizationId]);
      await change;
      expect(await enforcingOf(userId)).to.deep.equal(demanded ? [organizationId] : []);
    });
  }

  it('waits for an organization that is starting to demand one, and sees it', async () => {
    const { userId, organizationId: id } = await storedOwner(storage());
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lock(id),
      ({ organizations }) => organizations.save(id, { name: anOrganizationName(), enforceTwoFactor: true }),
    );
    const found = enforcingOf(userId);
    expect(await waits(storage(), found)).to.equal(true);
    await okOf(held.release());
    expect(await found).to.deep.equal([id]);
  });

  it('does not hold up another member who looks at the same time', async () => {
    const { userId, organizationId } = await storedOwner(storage());
    const { userId: other } = await storedMember(storage(), organizationId, 'viewer');
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lockEnforcing(userId),
      () => okAsync(),
    );
    const found = enforcingOf(other);
    expect(await goesOn(storage(), found)).to.equal(true);
    await okOf(held.release());
    expect(await found).to.deep.equal([]);
  });

  it('refuses to switch a second factor off while an organization that demands it is written', async () => {
    const { organizationId: id } = await storedOwner(storage());
    const member = await storedMember(storage(), id, 'viewer');
    await storedSecondFactor(storage(), member.userId);
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lock(id),
      ({ organizations }) => organizations.save(id, { name: anOrganizationName(), enforceTwoFactor: true }),
    );
    const disable = disableTwoFactor({ unitOfWork: storage().unitOfWork, ...standIns });
    const disabled = disable(member, VerificationCode.parse('123456'));
    expect(await waits(storage(), disabled)).to.equal(true);
    await okOf(held.release());
    expect(await errorOf(disabled)).to.deep.equal({ type: 'TwoFactorEnforced', organization: id });
    expect(await done(storage(), ({ twoFactors }) => twoFactors.lock(member.userId))).to.include({ state: 'enabled' });
  });

  it('never leaves an owner without a second factor who makes it the rule while switching it off', async () => {
    for (const _ of rounds) {
      const { caller, userId, organizationId } = await storedOwner(storage());
      await storedSecondFactor(storage(), userId);
      const dependencies = { unitOfWork: storage().unitOfWork, ...standIns };
      const [changed, disabled] = await Promise.all([
        updateOrganization(dependencies)(caller, organizationId, { enforceTwoFactor: true }, undefined),
        disableTwoFactor(dependencies)(caller, VerificationCode.parse('123456')),
      ]);
      expect([tally([changed]), tally([disabled])]).to.be.deep.oneOf([
        [{ Ok: 1 }, { TwoFactorEnforced: 1 }],
        [{ OwnSecondFactorMissing: 1 }, { Ok: 1 }],
      ]);
    }
  });
}

function membership(storage: () => Storage): void {
  const membershipOf = (organization: OrganizationId, user: UserId) =>
    done(storage(), ({ organizations }) => organizations.lockMembership(organization, user));

  it('tells that the organization demands a second factor the user lacks', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    await enforceTwoFactor(storage(), organizationId);
    expect(await membershipOf(organizationId, userId)).to.deep.equal({ role: 'owner', needsTwoFactor: true });
    await done(storage(), ({ twoFactors }) =>
      twoFactors.begin({ user: userId, secret: 'PENDING' as TotpSecret, lifetimeSeconds: 900 }),
    );
    expect(await membershipOf(organizationId, userId), 'pending').to.include({ needsTwoFactor: true });
    await done(storage(), ({ twoFactors }) => twoFactors.enable(userId));
    expect(await membershipOf(organizationId, userId)).to.deep.equal({ role: 'owner', needsTwoFactor: false });
  });

  it('makes an organization that starts to demand a second factor wait until the unit ends', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lockMembership(organizationId, userId),
      ({ organizations }) => organizations.lockMembership(organizationId, userId),
    );
    const change = enforceTwoFactor(storage(), organizationId);
    expect(await waits(storage(), change)).to.equal(true);
    expect(await okOf(held.release())).to.include({ needsTwoFactor: false });
    await change;
    expect(await membershipOf(organizationId, userId)).to.include({ needsTwoFactor: true });
  });

  it('waits for a change that is being made, and sees it', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lock(organizationId),
      ({ organizations }) => organizations.removeMember(organizationId, userId),
    );
    const found = membershipOf(organizationId, userId);
    expect(await waits(storage(), found)).to.equal(true);
    await okOf(held.release());
    expect(await found).to.equal(undefined);
  });

  it('does not hold up another unit that only looks', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const held = await hold(
      storage(),
      ({ organizations }) => organizations.lockMembership(organizationId, userId),
      () => okAsync(),
    );
    const found = membershipOf(organizationId, userId);
    expect(await goesOn(storage(), found)).to.equal(true);
    await okOf(held.release());
    expect(await found).to.include({ role: 'owner' });
  });

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
        ({ organizations }) => organizations.lockMembership(organizationId, userId),
        ({ organizations }) => organizations.lockMembership(organizationId, userId),
      );
      const change = storage().setRole(organizationId, userId, role);
      expect(await waits(storage(), change)).to.equal(true);
      expect(await okOf(held.release())).to.deep.equal({ role: 'owner', needsTwoFactor: false });
      await change;
      expect(await roleOf(storage(), organizationId, userId)).to.equal(role);
    });
  }
}

function zoneCount(storage: () => Storage): void {
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
