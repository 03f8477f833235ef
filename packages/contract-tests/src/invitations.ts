import {
  defaultUsageLimits,
  Email,
  type Invitation,
  InvitationDraft,
  InvitationId,
  MailedToken,
  type OrganizationId,
  type Role,
  roles,
  type TokenHash,
  type UserId,
  useCases,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, type ResultAsync } from 'neverthrow';
import { block, callerWith, type Owner, storedAccount, storedMember, storedOwner } from './arrangements.ts';
import { anEmail, anInvitation, aTokenHash, type NewInvitation, unique, uuid, wholeList } from './builders.ts';
import { casesOn, fakePorts } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { hold } from './gate.ts';
import { readInPages } from './pages.ts';
import { expectOneWinner } from './races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, sequentially, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const invitationsContract = contract('Invitations contract', (storage) => {
  describe('add', () => addition(storage));
  describe('list', () => lists(storage));
  describe('byId', () => lookup(storage));
  describe('pendingCount', () => pendingCount(storage));
  describe('renew', () => renewal(storage));
  describe('revoke', () => revocation(storage));
  describe('revokeAllOf', () => revocationOfAll(storage));
  describe('an inviter who may no longer invite', () => lostRights(storage));
});

const add = ({ unitOfWork }: Storage, invitation: NewInvitation) =>
  unitOfWork.run(({ invitations }) => invitations.add(invitation));

/** Accepts the invitation in its own unit. */
export const accept = ({ unitOfWork }: Storage, hash: TokenHash) =>
  unitOfWork.run(({ invitationTokens }) => invitationTokens.accept(hash));

/** Looks up the token without accepting. */
export const byHash = ({ unitOfWork }: Storage, hash: TokenHash) =>
  unitOfWork.view(({ invitationTokens }) => invitationTokens.byHash(hash));
const renew = (
  { unitOfWork }: Storage,
  { id, invitedBy }: Pick<NewInvitation, 'id' | 'invitedBy'>,
  hash = aTokenHash(),
  lifetimeSeconds = 1000,
) => unitOfWork.run(({ invitations }) => invitations.renew(id, { hash, lifetimeSeconds, invitedBy }));
const revoke = (storage: Storage, id: InvitationId) => runUnit(storage, ({ invitations }) => invitations.revoke(id));

/** The current status. */
export const statusOf = async (
  storage: Storage,
  { organizationId, id }: Pick<NewInvitation, 'organizationId' | 'id'>,
) => (await readView(storage, ({ invitations }) => invitations.byId(organizationId, id))).status;

/** An invitation of a new person, by default with a new owner. */
export async function invited(storage: Storage, given: Partial<NewInvitation> & { owner?: Owner } = {}) {
  const { owner, ...members } = given;
  const { organizationId, userId } = owner ?? (await storedOwner(storage));
  const invitation = anInvitation({ organizationId, invitedBy: userId, ...members });
  await okOf(add(storage, invitation));
  return invitation;
}

/** Asserts that the token can be neither looked up nor accepted. */
export const isInvalid = async (storage: Storage, hash: TokenHash) => {
  expect(await errorOf(byHash(storage, hash)), 'byHash').to.deep.equal({ type: 'InvitationTokenInvalid' });
  expect(await errorOf(accept(storage, hash)), 'accept').to.deep.equal({ type: 'InvitationTokenInvalid' });
};

/** All ways in which an invitation ends. */
export const endings: readonly (readonly [
  status: Invitation['status'],
  end: (storage: Storage, invitation: NewInvitation) => Promise<unknown>,
])[] = [
  ['accepted', (storage, { hash }) => okOf(accept(storage, hash))],
  ['revoked', (storage, { id }) => revoke(storage, id)],
  ['expired', (storage, { lifetimeSeconds }) => storage.passTime(lifetimeSeconds)],
];

function addition(storage: () => Storage): void {
  for (const role of roles) {
    it(`adds a pending invitation with a role of ${role}`, async () => {
      const { organizationId, userId } = await storedOwner(storage());
      const email = Email.parse(`Grace-${unique()}@Example.org`);
      const { id, ...invitation } = anInvitation({ organizationId, invitedBy: userId, email, role });
      const { createdAt, expiresAt, ...rest } = await okOf(add(storage(), { id, ...invitation }));
      expect(rest).to.deep.equal({ id, organizationId, email, role, status: 'pending', resends: 0 });
      expect(expiresAt.getTime() - createdAt.getTime()).to.equal(1000 * invitation.lifetimeSeconds);
    });
  }

  it('refuses a second pending invitation of an address in any case', async () => {
    const { organizationId, invitedBy, email } = await invited(storage(), { email: Email.parse('grace@example.org') });
    for (const again of [email, Email.parse('GRACE@Example.ORG')]) {
      const refused = add(storage(), anInvitation({ organizationId, invitedBy, email: again }));
      expect(await errorOf(refused)).to.deep.equal({ type: 'InvitationPending' });
    }
    expect(
      (await readView(storage(), ({ invitations }) => invitations.list(organizationId, wholeList))).totalItems,
    ).to.equal(1);
  });

  it('lets other organizations invite the same address', async () => {
    const { email } = await invited(storage());
    await invited(storage(), { email });
  });

  for (const [status, end] of endings) {
    it(`invites the address again after the invitation was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      const { organizationId, invitedBy, email } = invitation;
      const next = anInvitation({ organizationId, invitedBy, email });
      await okOf(add(storage(), next));
      expect(await statusOf(storage(), invitation)).to.equal(status);
      expect(await statusOf(storage(), next)).to.equal('pending');
    });
  }

  it('lets exactly one of twenty concurrent invitations of an address succeed', async () => {
    for (const _ of rounds) {
      const { caller, organizationId } = await storedOwner(storage());
      const email = anEmail();
      const create = casesOn(storage()).createInvitation;
      await expectOneWinner('InvitationPending', (index) => {
        const spelled = index % 2 === 0 ? email : email.toUpperCase();
        return create(caller, organizationId, InvitationDraft.parse({ email: spelled, role: 'viewer' }));
      });
    }
    expect(await storage().mailContents()).to.equal(rounds.length);
  });

  it('lets exactly one of twenty concurrent additions in the place of an expired one succeed', async () => {
    for (const _ of rounds) {
      const { organizationId, invitedBy, email, lifetimeSeconds } = await invited(storage());
      await storage().passTime(lifetimeSeconds);
      await expectOneWinner('InvitationPending', () =>
        add(storage(), anInvitation({ organizationId, invitedBy, email })),
      );
    }
  });

  it('makes a second addition wait for the first, and succeed if that is rolled back', async () => {
    const { organizationId, userId: invitedBy } = await storedOwner(storage());
    const [first, second] = [anEmail(), anEmail()].map(() => anInvitation({ organizationId, invitedBy }));
    const held = await hold(storage(), ({ invitations }) => invitations.add(first!));
    const adding = add(storage(), { ...second!, email: first!.email });
    await held.endBefore(adding, () => errAsync('undo'));
    expect((await adding).isOk()).to.equal(true);
  });
}

function lists(storage: () => Storage): void {
  const listOf = (organization: OrganizationId, page = wholeList) =>
    readView(storage(), ({ invitations }) => invitations.list(organization, page));

  it('lists every invitation of the organization with its status, newest first', async () => {
    const owner = await storedOwner(storage());
    const old: NewInvitation[] = [];
    for (const [, end] of endings) {
      const invitation = await invited(storage(), { owner });
      await end(storage(), invitation);
      old.unshift(invitation);
      await storage().passTime(1);
    }
    const pending = await invited(storage(), { owner });
    await invited(storage());
    const { items, totalItems } = await listOf(owner.organizationId);
    expect(items.map(({ id }) => id)).to.deep.equal([pending, ...old].map(({ id }) => id));
    expect(items.map(({ status }) => status)).to.deep.equal(['pending', 'expired', 'revoked', 'accepted']);
    expect(totalItems).to.equal(4);
  });

  it('returns the requested page, always with the total', async () => {
    const owner = await storedOwner(storage());
    for (let index = 0; index < 3; index += 1) await invited(storage(), { owner });
    expect(await readInPages((page) => listOf(owner.organizationId, page))).to.have.lengthOf(3);
  });
}

function lookup(storage: () => Storage): void {
  it('finds the invitation only in its own organization', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { id, email } = await invited(storage(), { owner: own });
    const found = await readView(storage(), ({ invitations }) => invitations.byId(own.organizationId, id));
    expect(found).to.include({ id, email, status: 'pending', organizationId: own.organizationId });
    for (const [organization, wanted] of [
      [other.organizationId, id],
      [own.organizationId, InvitationId.parse(uuid())],
    ] as const) {
      const missing = storage().unitOfWork.view(({ invitations }) => invitations.byId(organization, wanted));
      expect(await errorOf(missing)).to.deep.equal({ type: 'InvitationNotFound' });
    }
  });

  for (const [status, end] of endings) {
    it(`reports that an invitation was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      expect(await statusOf(storage(), invitation)).to.equal(status);
    });
  }
}

function pendingCount(storage: () => Storage): void {
  const countOf = (organization: OrganizationId) =>
    readView(storage(), ({ invitations }) => invitations.pendingCount(organization));

  for (const [status, end] of endings) {
    it(`counts the pending invitations of the organization, but not one that was ${status}`, async () => {
      const owner = await storedOwner(storage());
      expect(await countOf(owner.organizationId)).to.equal(0);
      const ended = await invited(storage(), { owner, lifetimeSeconds: 100 });
      await invited(storage(), { owner });
      await invited(storage());
      expect(await countOf(owner.organizationId)).to.equal(2);
      await end(storage(), ended);
      expect(await countOf(owner.organizationId)).to.equal(1);
    });
  }

  it('keeps the limit of members when twenty people are invited to the last place', async () => {
    for (const _ of rounds) {
      const { caller, organizationId, userId: invitedBy } = await storedOwner(storage());
      const few = Array.from({ length: defaultUsageLimits.members - 2 }, () =>
        anInvitation({ organizationId, invitedBy }),
      );
      await runUnit(storage(), ({ invitations }) => sequentially(few, (each) => invitations.add(each)));
      const create = casesOn(storage()).createInvitation;
      await expectOneWinner('organization.members.limit', () =>
        create(caller, organizationId, InvitationDraft.parse({ email: anEmail(), role: 'viewer' })),
      );
    }
  });
}

function renewal(storage: () => Storage): void {
  it('sets a new token and lifetime, and invalidates the old token', async () => {
    const invitation = await invited(storage(), { lifetimeSeconds: 100 });
    await storage().passTime(90);
    const hash = aTokenHash();
    const renewed = await okOf(renew(storage(), invitation, hash, 100));
    expect(renewed).to.include({ id: invitation.id, email: invitation.email, status: 'pending', resends: 1 });
    await isInvalid(storage(), invitation.hash);
    await storage().passTime(90);
    expect(await okOf(byHash(storage(), hash))).to.deep.include({ id: invitation.id, resends: 1 });
    expect((await okOf(renew(storage(), invitation))).resends).to.equal(2);
  });

  for (const [status, end] of endings) {
    it(`refuses an invitation that was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      const hash = aTokenHash();
      expect(await errorOf(renew(storage(), invitation, hash))).to.deep.equal({ type: 'InvitationEnded' });
      await isInvalid(storage(), hash);
    });
  }

  it('leaves one token valid when twenty are set concurrently', async () => {
    const invitation = await invited(storage());
    const hashes = Array.from({ length: raceSize }, () => aTokenHash());
    expect(tally(await concurrently(raceSize, (index) => renew(storage(), invitation, hashes[index])))).to.deep.equal({
      Ok: raceSize,
    });
    await expectOneWinner('InvitationTokenInvalid', (index) => accept(storage(), hashes[index]!));
  });
}

function revocation(storage: () => Storage): void {
  it('revokes a pending invitation, and no other', async () => {
    const [first, second] = [await invited(storage()), await invited(storage())];
    await revoke(storage(), first.id);
    await isInvalid(storage(), first.hash);
    expect(await statusOf(storage(), first)).to.equal('revoked');
    expect(await statusOf(storage(), second)).to.equal('pending');
  });

  for (const [status, end] of endings) {
    it(`succeeds without changes if the invitation was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      await revoke(storage(), invitation.id);
      expect(await statusOf(storage(), invitation)).to.equal(status);
    });
  }

  it('succeeds if there is no such invitation', async () => {
    await revoke(storage(), InvitationId.parse(uuid()));
  });

  it('lets either the acceptance or the revocation win', async () => {
    for (const _ of rounds) {
      const invitation = await invited(storage());
      const [accepted] = await Promise.all([accept(storage(), invitation.hash), revoke(storage(), invitation.id)]);
      expect(await statusOf(storage(), invitation)).to.equal(accepted.isOk() ? 'accepted' : 'revoked');
    }
  });
}

function revocationOfAll(storage: () => Storage): void {
  const revokeAll = (organization: OrganizationId, inviter: UserId, among: readonly Role[]) =>
    runUnit(storage(), ({ invitations }) => invitations.revokeAllOf(organization, inviter, among));

  it('revokes the inviter’s pending invitations to the organization with one of the roles', async () => {
    const [owner, elsewhere] = [await storedOwner(storage()), await storedOwner(storage())];
    const other = await storedMember(storage(), owner.organizationId, 'owner');
    const own = [];
    for (const role of roles) own.push(await invited(storage(), { owner, role }));
    const kept = [
      await invited(storage(), { owner, invitedBy: other.userId }),
      await invited(storage(), { owner: elsewhere, invitedBy: owner.userId }),
    ];
    const ended = await revokeAll(owner.organizationId, owner.userId, ['owner', 'editor']);
    expect(ended.toSorted()).to.deep.equal(
      own.filter(({ role }) => ['owner', 'editor'].includes(role)).map(({ id }) => id),
    );
    const statuses = [];
    for (const invitation of [...own, ...kept]) statuses.push(await statusOf(storage(), invitation));
    expect(statuses).to.deep.equal(['revoked', 'pending', 'revoked', 'pending', 'pending', 'pending']);
    expect(await revokeAll(owner.organizationId, owner.userId, [])).to.deep.equal([]);
  });

  for (const [status, end] of endings) {
    it(`does not change an invitation that was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      expect(await revokeAll(invitation.organizationId, invitation.invitedBy, roles)).to.deep.equal([]);
      expect(await statusOf(storage(), invitation)).to.equal(status);
    });
  }

  it('attributes an invitation to the member who last renewed it', async () => {
    const invitation = await invited(storage());
    const { organizationId, invitedBy } = invitation;
    const other = await storedMember(storage(), organizationId, 'admin');
    const hash = aTokenHash();
    await okOf(renew(storage(), { ...invitation, invitedBy: other.userId }, hash));
    expect(await revokeAll(organizationId, invitedBy, roles)).to.deep.equal([]);
    expect((await okOf(byHash(storage(), hash))).invitedBy).to.equal(other.userId);
    expect(await revokeAll(organizationId, other.userId, roles)).to.deep.equal([invitation.id]);
    await isInvalid(storage(), hash);
  });
}

/** An invitation by an admin, a person who may accept it, and how they do. */
async function invitedByAdmin(storage: Storage) {
  const owner = await storedOwner(storage);
  const admin = await storedMember(storage, owner.organizationId, 'admin');
  const { id, email } = await storedAccount(storage);
  const token = MailedToken.parse(`invitation-${unique()}`);
  const hash = fakePorts.tokenHashes.of(token);
  const invitation = await invited(storage, { owner, invitedBy: admin.userId, email, hash });
  const joining = { ...callerWith(id, owner.organizationId, 'viewer'), memberships: new Map() };
  const join = () => useCases({ unitOfWork: storage.unitOfWork, ...fakePorts }).acceptInvitation(joining, token);
  return { owner, admin, invitation, join };
}

function lostRights(storage: () => Storage): void {
  it('leaves their invitations revoked when the account is blocked and unblocked', async () => {
    const { owner, admin, invitation, join } = await invitedByAdmin(storage());
    await block(storage(), admin.userId);
    await runUnit(storage(), ({ accountBlocks }) => accountBlocks.unblock(admin.userId));
    expect(await statusOf(storage(), invitation)).to.equal('revoked');
    expect(await errorOf(join())).to.deep.equal({ type: 'InvitationTokenInvalid' });
    expect(await errorOf(renew(storage(), invitation))).to.deep.equal({ type: 'InvitationEnded' });
    await invited(storage(), { owner, email: invitation.email });
  });

  for (const role of ['viewer', undefined] as const) {
    it(`admits nobody if the inviter is ${role === undefined ? 'removed' : 'demoted'} concurrently`, async () => {
      const { owner, admin, invitation, join } = await invitedByAdmin(storage());
      const { organizationId } = owner;
      const held = await hold(storage(), ({ organizations, members, invitations }) =>
        organizations
          .lock(organizationId)
          .andThen(() => invitations.revokeAllOf(organizationId, admin.userId, roles))
          .andThen(
            (): ResultAsync<unknown, unknown> =>
              role === undefined
                ? members.remove(organizationId, admin.userId)
                : members.setRole(organizationId, admin.userId, role),
          ),
      );
      const joined = join();
      await held.endBefore(joined);
      expect(await errorOf(joined)).to.deep.equal({ type: 'InvitationTokenInvalid' });
      expect(await statusOf(storage(), invitation)).to.equal('revoked');
    });

    it(`admits nobody after the inviter was ${role === undefined ? 'removed' : 'demoted'}, bypassing the use cases`, async () => {
      const { owner, admin, join } = await invitedByAdmin(storage());
      await storage().setRole(owner.organizationId, admin.userId, role);
      expect(await errorOf(join())).to.deep.equal({ type: 'InvitationTokenInvalid' });
    });
  }

  it('makes the removal of the inviter wait for an acceptance in progress, which succeeds', async () => {
    const { owner, admin, invitation } = await invitedByAdmin(storage());
    const held = await hold(storage(), ({ organizations, invitationTokens }) =>
      organizations.lock(owner.organizationId).andThen(() => invitationTokens.accept(invitation.hash)),
    );
    const remove = casesOn(storage()).removeMember;
    const removal = remove(owner.caller, owner.organizationId, admin.userId, undefined);
    await held.endBefore(removal);
    await okOf(removal);
    expect(await statusOf(storage(), invitation)).to.equal('accepted');
  });

  it('accepts an invitation entirely or not at all when the inviter is removed', async () => {
    for (const _ of rounds) {
      const { owner, admin, invitation, join } = await invitedByAdmin(storage());
      const remove = casesOn(storage()).removeMember;
      const [joined] = await Promise.all([
        join(),
        okOf(remove(owner.caller, owner.organizationId, admin.userId, undefined)),
      ]);
      expect(await statusOf(storage(), invitation)).to.equal(joined.isOk() ? 'accepted' : 'revoked');
      const count = await readView(storage(), ({ members }) => members.count(owner.organizationId));
      expect(count).to.equal(joined.isOk() ? 2 : 1);
    }
  });
}
