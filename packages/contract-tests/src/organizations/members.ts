import { type OrganizationId, roles, type UserId, useCases } from '@zonewright/core';
import { expect } from 'chai';
import {
  applied,
  storedAccount,
  storedMember,
  storedOwner,
  storedSecondFactor,
  storedZone,
  withRules,
} from '../arrangements/index.ts';
import { aRule, aUserId, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { readInPages } from '../pages.ts';
import { happensOnce } from '../races.ts';
import {
  concurrently,
  errorOf,
  type Failure,
  okOf,
  type Pending,
  raceSize,
  readView,
  rounds,
  runUnit,
  tally,
} from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const membersContract = contract('Members contract', (storage) => {
  describe('list', () => lists(storage));
  describe('byUser', () => lookup(storage));
  describe('count and ownerCount', () => counts(storage));
  describe('add', () => addition(storage));
  describe('setRole', () => roleChange(storage));
  describe('remove', () => removal(storage));
  describe('the last owner', () => lastOwner(storage));
});

const memberOf = (storage: Storage, organization: OrganizationId, user: UserId) =>
  storage.unitOfWork.view(({ members }) => members.byUser(organization, user));
const isMissing = async (storage: Storage, organization: OrganizationId, user: UserId) => {
  expect(await errorOf(memberOf(storage, organization, user))).to.deep.equal({ type: 'MemberNotFound' });
};
const remove = ({ unitOfWork }: Storage, organization: OrganizationId, user: UserId) =>
  unitOfWork.run(({ organizations, members }) =>
    organizations.lock(organization).andThen(() => members.remove(organization, user)),
  );

function lists(storage: () => Storage): void {
  async function threeMembers() {
    const { organizationId, userId } = await storedOwner(storage());
    await storage().passTime(60);
    const second = await storedMember(storage(), organizationId, 'viewer');
    await storage().passTime(60);
    const third = await storedMember(storage(), organizationId, 'admin');
    return { organizationId, users: [userId, second.userId, third.userId] };
  }
  const listOf = (id: OrganizationId, page = wholeList) => readView(storage(), ({ members }) => members.list(id, page));

  it('lists the members of the organization page by page, oldest membership first', async () => {
    const { organizationId, users } = await threeMembers();
    await storedOwner(storage());
    await storedSecondFactor(storage(), users[1]!);
    const items = await readInPages((page) => listOf(organizationId, page));
    expect(items.map(({ joinedAt: _, ...member }) => member)).to.deep.equal([
      { organizationId, user: users[0], role: 'owner', twoFactorEnabled: false },
      { organizationId, user: users[1], role: 'viewer', twoFactorEnabled: true },
      { organizationId, user: users[2], role: 'admin', twoFactorEnabled: false },
    ]);
    expect(items[0]!.joinedAt < items[1]!.joinedAt).to.equal(true);
  });

  it('keeps the position of a member whose role changes', async () => {
    const { organizationId, users } = await threeMembers();
    await runUnit(storage(), ({ members }) => members.setRole(organizationId, users[0]!, 'editor'));
    expect((await listOf(organizationId)).items.map(({ user }) => user)).to.deep.equal(users);
  });
}

function lookup(storage: () => Storage): void {
  it('returns the same as the list', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const [listed] = (await readView(storage(), ({ members }) => members.list(organizationId, wholeList))).items;
    expect(await okOf(memberOf(storage(), organizationId, userId))).to.deep.equal(listed);
  });

  it('finds neither members of other organizations nor unknown users', async () => {
    const [one, other] = [await storedOwner(storage()), await storedOwner(storage())];
    await isMissing(storage(), one.organizationId, other.userId);
    await isMissing(storage(), one.organizationId, aUserId());
  });
}

function counts(storage: () => Storage): void {
  it('counts the members, and the owners among them', async () => {
    const { organizationId } = await storedOwner(storage());
    await storedOwner(storage());
    const countsNow = () =>
      readView(storage(), ({ members }) =>
        members
          .count(organizationId)
          .andThen((all) => members.ownerCount(organizationId).map((owners) => ({ members: all, owners }))),
      );
    expect(await countsNow()).to.deep.equal({ members: 1, owners: 1 });
    for (const role of roles) await storedMember(storage(), organizationId, role);
    expect(await countsNow()).to.deep.equal({ members: 5, owners: 2 });
  });
}

function addition(storage: () => Storage): void {
  const add = (id: OrganizationId, user: UserId, role: (typeof roles)[number] = 'editor') =>
    runUnit(storage(), ({ members }) => members.add(id, user, role));

  it('adds a member with the role', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id: user } = await storedAccount(storage());
    const { joinedAt, ...member } = await add(organizationId, user);
    expect(member).to.deep.equal({ organizationId, user, role: 'editor', twoFactorEnabled: false });
    expect(await okOf(memberOf(storage(), organizationId, user))).to.deep.equal({ ...member, joinedAt });
  });

  it('does nothing if the user is already a member', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const before = await okOf(memberOf(storage(), organizationId, userId));
    expect(await add(organizationId, userId, 'viewer')).to.deep.equal(before);
    expect(await okOf(memberOf(storage(), organizationId, userId))).to.deep.equal(before);
  });

  it('adds one member when twenty units add the same user', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id: user } = await storedAccount(storage());
    await concurrently(raceSize, () => add(organizationId, user));
    expect(await readView(storage(), ({ members }) => members.count(organizationId))).to.equal(2);
  });
}

function roleChange(storage: () => Storage): void {
  it('changes the role, and nothing else', async () => {
    const { organizationId } = await storedOwner(storage());
    const { userId } = await storedMember(storage(), organizationId, 'viewer');
    const before = await okOf(memberOf(storage(), organizationId, userId));
    for (const role of roles) {
      const changed = await runUnit(storage(), ({ members }) => members.setRole(organizationId, userId, role));
      expect(changed).to.deep.equal({ ...before, role });
      expect(await okOf(memberOf(storage(), organizationId, userId))).to.deep.equal(changed);
    }
  });

  it('fails for non-members', async () => {
    const [one, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const changed = storage().unitOfWork.run(({ members }) =>
      members.setRole(one.organizationId, other.userId, 'viewer'),
    );
    expect(await errorOf(changed)).to.deep.equal({ type: 'MemberNotFound' });
    expect(await okOf(memberOf(storage(), other.organizationId, other.userId))).to.include({ role: 'owner' });
  });
}

function removal(storage: () => Storage): void {
  it('removes the member from that organization only', async () => {
    const [one, other] = [await storedOwner(storage()), await storedOwner(storage())];
    await storage().setRole(other.organizationId, one.userId, 'viewer');
    await okOf(remove(storage(), one.organizationId, one.userId));
    await isMissing(storage(), one.organizationId, one.userId);
    expect(await okOf(memberOf(storage(), other.organizationId, one.userId))).to.include({ role: 'viewer' });
  });

  it('fails for former members', async () => {
    const { organizationId } = await storedOwner(storage());
    const { userId } = await storedMember(storage(), organizationId, 'viewer');
    await okOf(remove(storage(), organizationId, userId));
    for (const user of [userId, aUserId()]) {
      expect(await errorOf(remove(storage(), organizationId, user))).to.deep.equal({ type: 'MemberNotFound' });
    }
  });

  happensOnce(storage, {
    arrange: async () => {
      const { organizationId } = await storedOwner(storage());
      return storedMember(storage(), organizationId, 'viewer').then(({ userId }) => ({ organizationId, userId }));
    },
    call: ({ organizations, members }, { organizationId, userId }) =>
      organizations.lock(organizationId).andThen(() => members.remove(organizationId, userId)),
    loser: 'MemberNotFound',
  });

  it('waits for a unit that relies on the member’s role', async () => {
    const { organizationId, userId, zone } = await storedZone(storage());
    const list = { zone: zone.id, kind: 'accessRule' } as const;
    const held = await hold(storage(), (repositories) =>
      applied(repositories, zone.id, withRules(list, [aRule('accessRule')])),
    );
    const removed = remove(storage(), organizationId, userId);
    await okOf(held.endBefore(removed));
    await okOf(removed);
    await isMissing(storage(), organizationId, userId);
  });
}

function lastOwner(storage: () => Storage): void {
  const dependencies = () => ({ unitOfWork: storage().unitOfWork });

  /** Two owners, either of whom could leave if the other one stayed. */
  async function twoOwners() {
    const { organizationId, caller } = await storedOwner(storage());
    return { organizationId, owners: [caller, await storedMember(storage(), organizationId, 'owner')] };
  }
  const ownersOf = (id: OrganizationId) => readView(storage(), ({ members }) => members.ownerCount(id));

  type Act = (
    owner: Awaited<ReturnType<typeof twoOwners>>['owners'][number],
    of: OrganizationId,
  ) => Pending<unknown, Failure>;
  const leave: Act = (owner, of) => useCases(dependencies()).removeMember(owner, of, owner.userId, undefined);
  const stepDown: Act = (owner, of) =>
    useCases(dependencies()).changeMemberRole(owner, of, owner.userId, 'viewer', undefined);
  for (const [what, ...acts] of [
    ['two owners leave', leave, leave],
    ['two owners step down', stepDown, stepDown],
    ['one owner leaves while the other steps down', leave, stepDown],
  ] as const) {
    it(`stays when ${what} concurrently`, async () => {
      for (const _ of rounds) {
        const { organizationId, owners } = await twoOwners();
        const results = await Promise.all(owners.map((owner, index) => acts[index]!(owner, organizationId)));
        expect(tally(results)).to.deep.equal({ Ok: 1, LastOwner: 1 });
        expect(await ownersOf(organizationId)).to.equal(1);
      }
    });
  }

  it('stays when two owners make each other viewers concurrently', async () => {
    for (const _ of rounds) {
      const { organizationId, owners } = await twoOwners();
      const change = useCases(dependencies()).changeMemberRole;
      const [one, other] = owners;
      const results = await Promise.all([
        change(one!, organizationId, other!.userId, 'viewer', undefined),
        change(other!, organizationId, one!.userId, 'viewer', undefined),
      ]);
      expect(tally(results)).to.deep.equal({ Ok: 1, PermissionDenied: 1 });
      expect(await ownersOf(organizationId)).to.equal(1);
    }
  });
}
