import {
  defaultUsageLimits,
  type OrganizationId,
  OrganizationId as OrganizationIdSchema,
  OrganizationName,
  useCases,
} from '@zonewright/core';
import { expect } from 'chai';
import { enforceTwoFactor, storedAccount, storedOwner, storedZone } from '../arrangements/index.ts';
import { anInvitation, anOrganizationName, aZoneDraft, wholeList } from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { readInPages } from '../pages.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rejectionOf, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';
import { roleOf } from './memberships.ts';
import { ownedCounts } from './organization-counts.ts';

/** Every adapter of the port must pass this unchanged. */
export const organizationsContract = contract('Organizations contract', (storage) => {
  describe('create', () => creation(storage));
  describe('lockOwned', () => ownedCounts(storage));
  describe('list', () => lists(storage));
  describe('byId', () => lookup(storage));
  describe('save', () => changes(storage));
  describe('remove', () => removal(storage));
});

function creation(storage: () => Storage): void {
  it('creates an organization whose only member is its owner', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const create = () =>
      runUnit(storage(), ({ organizations }) => organizations.create({ name: anOrganizationName(), owner: ada.id }));
    const [first, second] = [(await create()).id, (await create()).id];
    expect(first).to.not.equal(second);
    expect(await roleOf(storage(), first, ada.id)).to.equal('owner');
    expect(await roleOf(storage(), second, ada.id)).to.equal('owner');
    expect(await roleOf(storage(), first, grace.id)).to.equal(undefined);
  });

  it('resolves to the created organization', async () => {
    const { id: owner } = await storedAccount(storage());
    const name = OrganizationName.parse('Straße ÉTÉ');
    const { id, createdAt, updatedAt, ...rest } = await runUnit(storage(), ({ organizations }) =>
      organizations.create({ name, owner }),
    );
    expect(rest).to.deep.equal({ name, enforceTwoFactor: false, revision: 1, limits: defaultUsageLimits });
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
    const stored = await readView(storage(), ({ organizations }) => organizations.byId(id));
    expect(stored).to.deep.equal({ id, createdAt, updatedAt, ...rest });
  });

  it('assigns an id that the domain accepts', async () => {
    const { organizationId } = await storedOwner(storage());
    expect(OrganizationIdSchema.safeParse(organizationId).success).to.equal(true);
  });
}

function lists(storage: () => Storage): void {
  const listOf = (ids: readonly OrganizationId[], page = wholeList) =>
    readView(storage(), ({ organizations }) => organizations.list(ids, page));
  async function named(...names: readonly string[]): Promise<OrganizationId[]> {
    const { id: owner } = await storedAccount(storage());
    const ids: OrganizationId[] = [];
    for (const name of names) {
      const found = await runUnit(storage(), ({ organizations }) =>
        organizations.create({ name: OrganizationName.parse(name), owner }),
      );
      ids.push(found.id);
    }
    return ids;
  }

  it('lists the existing organizations, ordered by name ignoring case', async () => {
    const ids = await named('beta', 'Alpha', 'GAMMA', 'alpha', 'Straße');
    await named('Another');
    const missing = OrganizationIdSchema.parse(2_147_483_647);
    const { items, totalItems } = await listOf([missing, ...ids.toReversed()]);
    expect(items.map(({ name }) => name)).to.deep.equal(['Alpha', 'alpha', 'beta', 'GAMMA', 'Straße']);
    expect(items.map(({ id }) => id)).to.deep.equal([ids[1], ids[3], ids[0], ids[2], ids[4]]);
    expect(totalItems).to.equal(5);
  });

  it('lists nothing for an empty list of organizations', async () => {
    await named('Alpha');
    expect(await listOf([])).to.deep.equal({ items: [], totalItems: 0 });
  });

  it('returns the requested page, always with the total', async () => {
    const ids = await named('a', 'b', 'c');
    const items = await readInPages((page) => listOf(ids, page));
    expect(items.map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
  });
}

function lookup(storage: () => Storage): void {
  it('does not find an organization that does not exist, locked or not', async () => {
    const missing = OrganizationIdSchema.parse(2_147_483_647);
    const found = storage().unitOfWork.view(({ organizations }) => organizations.byId(missing));
    expect(await errorOf(found)).to.deep.equal({ type: 'OrganizationNotFound' });
    const locked = storage().unitOfWork.run(({ organizations }) => organizations.lock(missing));
    expect(await errorOf(locked)).to.deep.equal({ type: 'OrganizationNotFound' });
  });
}

function changes(storage: () => Storage): void {
  it('changes name and two-factor requirement, and increments the revision', async () => {
    const { organizationId } = await storedOwner(storage());
    const before = await readView(storage(), ({ organizations }) => organizations.byId(organizationId));
    await storage().passTime(5);
    const settings = { name: OrganizationName.parse('Renamed'), enforceTwoFactor: true };
    const saved = await runUnit(storage(), ({ organizations }) =>
      organizations.lock(organizationId).andThen(() => organizations.save(organizationId, settings)),
    );
    expect(saved).to.include({ ...settings, id: organizationId, revision: before.revision + 1 });
    expect(saved.updatedAt > saved.createdAt).to.equal(true);
    expect(await readView(storage(), ({ organizations }) => organizations.byId(organizationId))).to.deep.equal(saved);
  });

  it('changes no other organization, which is then found by its new name', async () => {
    const [first, second] = [await storedOwner(storage()), await storedOwner(storage())];
    const settings = { name: OrganizationName.parse('zzz'), enforceTwoFactor: false };
    await runUnit(storage(), ({ organizations }) =>
      organizations.lock(first.organizationId).andThen(() => organizations.save(first.organizationId, settings)),
    );
    const { items } = await readView(storage(), ({ organizations }) =>
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
    const held = await hold(storage(), ({ organizations }) => organizations.lock(id));
    const second = runUnit(storage(), ({ organizations }) => organizations.lock(id));
    await okOf(held.endBefore(second, ({ organizations }) => organizations.save(id, settings)));
    expect(await second).to.include({ name: 'First', revision: 2 });
  });

  it('loses none of twenty changes that are made concurrently', async () => {
    const { organizationId } = await storedOwner(storage());
    await concurrently(raceSize, () => enforceTwoFactor(storage(), organizationId));
    const { revision } = await readView(storage(), ({ organizations }) => organizations.byId(organizationId));
    expect(revision).to.equal(1 + raceSize);
  });
}

function removal(storage: () => Storage): void {
  const remove = (id: OrganizationId) =>
    storage().unitOfWork.run(({ organizations }) => organizations.lock(id).andThen(() => organizations.remove(id)));

  it('removes the organization with its memberships and invitations, and no other', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const invitation = anInvitation({ organizationId: owner.organizationId, invitedBy: owner.userId });
    await runUnit(storage(), ({ invitations }) => invitations.add(invitation));
    await okOf(remove(owner.organizationId));
    const missing = storage().unitOfWork.view(({ organizations }) => organizations.byId(owner.organizationId));
    expect(await errorOf(missing)).to.deep.equal({ type: 'OrganizationNotFound' });
    expect(await roleOf(storage(), owner.organizationId, owner.userId)).to.equal(undefined);
    const found = storage().unitOfWork.view(({ invitationTokens }) => invitationTokens.byHash(invitation.hash));
    expect(await errorOf(found)).to.deep.equal({ type: 'InvitationTokenInvalid' });
    expect(await roleOf(storage(), other.organizationId, other.userId)).to.equal('owner');
  });

  it('never removes an organization that has zones', async () => {
    const { organizationId } = await storedZone(storage());
    await rejectionOf(remove(organizationId));
    expect((await readView(storage(), ({ organizations }) => organizations.byId(organizationId))).id).to.equal(
      organizationId,
    );
  });

  it('does not reuse the id', async () => {
    const { organizationId } = await storedOwner(storage());
    await okOf(remove(organizationId));
    expect((await storedOwner(storage())).organizationId).to.be.greaterThan(organizationId);
  });

  it('either removes the organization or creates the zone if both happen concurrently', async () => {
    for (const _ of rounds) {
      const { caller, organizationId } = await storedOwner(storage());
      const dependencies = { unitOfWork: storage().unitOfWork, ...fakePorts };
      const [created, removed] = await Promise.all([
        useCases(dependencies).createZone(caller, aZoneDraft()),
        useCases(dependencies).deleteOrganization(caller, organizationId, undefined),
      ]);
      expect([tally([created]), tally([removed])]).to.be.deep.oneOf([
        [{ Ok: 1 }, { OrganizationNotEmpty: 1 }],
        [{ OrganizationNotFound: 1 }, { Ok: 1 }],
      ]);
    }
  });
}
