import {
  defaultUsageLimits,
  type ExpectedVersions,
  InvitationDraft,
  InvitationId,
  invitationEnded,
  invitationForAnother,
  invitationLifetimeSeconds,
  invitationNotFound,
  invitationPending,
  invitationResendLimit,
  invitationTokenInvalid,
  invitationVersion,
  MailedToken,
  OrganizationId,
  organizationNotFound,
  permissionDenied,
  type Role,
  resendsPerInvitation,
  roles,
  type SessionCaller,
  versionMismatch,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { acceptInvitation } from '../../../../src/organizations/invitations/accept-invitation.ts';
import { listInvitations, readInvitation } from '../../../../src/organizations/invitations/read-invitations.ts';
import { revokeInvitation } from '../../../../src/organizations/invitations/revoke-invitation.ts';
import { createInvitation, resendInvitation } from '../../../../src/organizations/invitations/send-invitation.ts';
import { changeMemberRole, removeMember } from '../../../../src/organizations/members/change-members.ts';
import {
  aMember,
  anOrganization,
  anOutsider,
  aWorldWithOrganization,
  callerOf,
  changeOrganization,
  setRole,
} from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser } from '../../../support/people.ts';
import { entriesDuring, lastMail, queuedMails } from '../../../support/traces.ts';
import { aWorld, everythingIn, inTables, type World } from '../../../support/world.ts';

const page = { page: 1, itemsPerPage: 100 };
const address = 'grace@example.org';
const missing = OrganizationId.parse(2_000_000_000);
const unknown = InvitationId.parse('00000000-0000-7000-8000-00000000ffff');

const aDraft = (email = address, role: Role = 'editor') => InvitationDraft.parse({ email, role });

const aWorldWithInvitation = async (role: Role = 'editor') => {
  const arranged = aWorldWithOrganization();
  const { world, owner, organization } = arranged;
  const invitation = await valueOf(createInvitation(world)(owner, organization, aDraft(address, role)));
  return { ...arranged, invitation, token: lastMail(world).token };
};
const someone = async (world: World, email = address) => callerOf(world, await aUser(world, { email }));
const roleOf = (world: World, organization: OrganizationId, { userId }: SessionCaller) =>
  everythingIn(world).organizations.get(organization)?.members.get(userId)?.role;
/** Fills an organization with members up to a number. */
const fill = (world: World, organization: OrganizationId, count: number) => {
  const missingMembers = count - (everythingIn(world).organizations.get(organization)?.members.size ?? 0);
  for (let index = 0; index < missingMembers; index += 1) aMember(world, organization, 'viewer');
};

describe('createInvitation', () => {
  it('mails a token to the address as written', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const invitation = await valueOf(
      createInvitation(world)(owner, organization, aDraft('Grace@Example.org', 'viewer')),
    );
    expect(invitation).to.deep.equal({
      id: invitation.id,
      organizationId: organization,
      email: 'Grace@Example.org',
      role: 'viewer',
      status: 'pending',
      createdAt: world.clock.now(),
      expiresAt: new Date(world.clock.now().getTime() + invitationLifetimeSeconds * 1000),
      resends: 0,
    });
    const { kind, to, token } = lastMail(world);
    expect({ kind, to }).to.deep.equal({ kind: 'invitation', to: 'Grace@Example.org' });
    expect(everythingIn(world).invitations.get(invitation.id)?.hash).to.equal(world.tokenHashes.of(token));
    expect(JSON.stringify(invitation)).to.not.include(token);
  });

  it('mails the names of the organization and of the member who sent or resent it, and the role', async () => {
    const world = aWorld();
    const organization = anOrganization(world);
    const [ada, grace] = [
      await aUser(world, { firstName: 'Ada' }),
      await aUser(world, { email: 'hedy@example.org', firstName: 'Grace' }),
    ];
    for (const user of [ada, grace]) setRole(world, organization, user, 'owner');
    const { name } = everythingIn(world).organizations.get(organization)!;
    const { id } = await valueOf(createInvitation(world)(callerOf(world, ada), organization, aDraft()));
    expect(lastMail(world)).to.deep.include({ about: { organization: name, role: 'editor', inviter: 'Ada Lovelace' } });
    await valueOf(resendInvitation(world)(callerOf(world, grace), organization, id, undefined));
    expect(lastMail(world)).to.deep.include({
      about: { organization: name, role: 'editor', inviter: 'Grace Lovelace' },
    });
  });

  const mayInvite = (by: Role, as: Role) => by === 'owner' || (by === 'admin' && as !== 'owner');
  for (const by of roles) {
    for (const as of roles) {
      const allowed = mayInvite(by, as);
      it(`${allowed ? 'lets' : 'does not let'} a role of ${by} invite someone as ${as}`, async () => {
        const { world, organization } = aWorldWithOrganization();
        const outcome = createInvitation(world)(aMember(world, organization, by), organization, aDraft(address, as));
        expect(await refusalOf(outcome)).to.deep.equal([allowed ? 'accepted' : 'PermissionDenied']);
        expect(queuedMails(world)).to.have.length(Number(allowed));
      });
    }
  }

  it('responds the same whether or not the address has an account', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    await aUser(world, { email: 'known@example.org' });
    const create = createInvitation(world);
    const [one, other] = [
      await valueOf(create(owner, organization, aDraft('known@example.org'))),
      await valueOf(create(owner, organization, aDraft('unknown@example.org'))),
    ];
    expect(Object.keys(one)).to.deep.equal(Object.keys(other));
    expect(one.status).to.equal(other.status);
  });

  it('refuses a second pending invitation of an address, and sends no mail', async () => {
    const { world, organization, owner } = await aWorldWithInvitation();
    const before = everythingIn(world);
    const outcome = await createInvitation(world)(owner, organization, aDraft('GRACE@example.ORG', 'viewer'));
    expect(outcome).to.deep.equal(err(invitationPending()));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('counts pending invitations as members', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    fill(world, organization, defaultUsageLimits.members - 2);
    const invite = (name: string) => createInvitation(world)(owner, organization, aDraft(`${name}@example.org`));
    for (const name of ['a', 'b']) await valueOf(invite(name));
    expect(await refusalOf(invite('c'))).to.deep.equal([' organization.members.limit']);
  });

  it('refuses outsiders, members who lack a required second factor, and missing organizations', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const create = createInvitation(world);
    const denied = err(permissionDenied('members.manage'));
    expect(await create(anOutsider(world), organization, aDraft())).to.deep.equal(denied);
    expect(await create(owner, missing, aDraft())).to.deep.equal(err(organizationNotFound()));
    changeOrganization(world, organization, { enforceTwoFactor: true });
    expect(await refusalOf(create(owner, organization, aDraft()))).to.deep.equal(['TwoFactorRequired']);
  });

  it('is recorded without address and token', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const entries = await entriesDuring(world, () => createInvitation(world)(owner, organization, aDraft()));
    const [id] = [...everythingIn(world).invitations.keys()];
    expect(entries.map(({ action, organization: of, objects }) => ({ action, of, objects }))).to.deep.equal([
      { action: 'invitation.created', of: organization, objects: { invitation: id, role: 'editor' } },
    ]);
  });
});

describe('listInvitations, readInvitation, resendInvitation and revokeInvitation', () => {
  it('list and show invitations of any status to admins', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const [list, read] = [listInvitations(world), readInvitation(world)];
    expect(await list(owner, organization, page)).to.deep.equal(ok({ items: [invitation], totalItems: 1 }));
    world.clock.advance(invitationLifetimeSeconds);
    const expired = { ...invitation, status: 'expired' };
    expect(await read(owner, organization, invitation.id)).to.deep.equal(ok(expired));
  });

  it('refuse editors, organizations of others, and missing invitations', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const before = everythingIn(world).invitations;
    const other = anOrganization(world);
    const elsewhere = aMember(world, other, 'owner');
    const editor = aMember(world, organization, 'editor');
    for (const [permission, call] of [
      ['invitations.read', readInvitation(world)],
      ['members.manage', resendInvitation(world)],
      ['members.manage', revokeInvitation(world)],
    ] as const) {
      const refused = async (caller: SessionCaller, of: OrganizationId, id = invitation.id) =>
        (await call(caller, of, id, undefined)).match(
          () => 'accepted',
          (error) => error,
        );
      expect(await refused(editor, organization)).to.deep.equal(permissionDenied(permission));
      expect(await refused(elsewhere, other)).to.deep.equal(invitationNotFound());
      expect(await refused(owner, organization, unknown)).to.deep.equal(invitationNotFound());
      expect(await refused(owner, missing)).to.deep.equal(organizationNotFound());
    }
    const list = listInvitations(world);
    expect(await list(editor, organization, page)).to.deep.equal(err(permissionDenied('invitations.read')));
    expect(await list(owner, missing, page)).to.deep.equal(err(organizationNotFound()));
    expect(everythingIn(world).invitations).to.deep.equal(before);
  });
});

describe('resendInvitation', () => {
  it('mails a new token with a new lifetime, and invalidates the old one', async () => {
    const { world, organization, owner, invitation, token } = await aWorldWithInvitation();
    world.clock.advance(invitationLifetimeSeconds - 1);
    const resent = await valueOf(resendInvitation(world)(owner, organization, invitation.id, undefined));
    const newer = lastMail(world);
    expect(newer).to.include({ kind: 'invitation', to: address }).and.not.include({ token });
    const expiresAt = new Date(world.clock.now().getTime() + invitationLifetimeSeconds * 1000);
    expect(resent).to.deep.equal({ ...invitation, expiresAt, resends: 1 });
    const caller = await someone(world);
    expect(await acceptInvitation(world)(caller, token)).to.deep.equal(err(invitationTokenInvalid()));
    expect(await refusalOf(acceptInvitation(world)(caller, newer.token))).to.deep.equal(['accepted']);
  });

  it('resends at most ten times', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const resend = () => resendInvitation(world)(owner, organization, invitation.id, undefined);
    for (let count = 1; count <= resendsPerInvitation; count += 1) {
      expect((await valueOf(resend())).resends).to.equal(count);
    }
    const before = everythingIn(world);
    expect(await resend()).to.deep.equal(err(invitationResendLimit()));
    expect(everythingIn(world)).to.deep.equal(before);
    await valueOf(revokeInvitation(world)(owner, organization, invitation.id, undefined));
    expect(await resend()).to.deep.equal(err(invitationEnded()));
  });

  it('resends only the expected version', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const resend = (expected: ExpectedVersions) =>
      resendInvitation(world)(owner, organization, invitation.id, expected);
    const resent = await valueOf(resend(['another', invitationVersion(invitation)]));
    const stale = await resend([invitationVersion(invitation)]);
    expect(stale).to.deep.equal(err(versionMismatch(invitationVersion(resent))));
    expect(queuedMails(world).filter(({ kind }) => kind === 'invitation')).to.have.length(2);
    world.clock.advance(invitationLifetimeSeconds);
    expect(await refusalOf(resend([invitationVersion(resent)]))).to.deep.equal(['VersionMismatch']);
  });

  it('refuses an invitation that has ended, and sends no mail', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const mails = queuedMails(world).length;
    await valueOf(revokeInvitation(world)(owner, organization, invitation.id, undefined));
    const outcome = await resendInvitation(world)(owner, organization, invitation.id, undefined);
    expect(outcome).to.deep.equal(err(invitationEnded()));
    const late = await aWorldWithInvitation();
    late.world.clock.advance(invitationLifetimeSeconds);
    const expired = await resendInvitation(late.world)(late.owner, late.organization, late.invitation.id, undefined);
    expect(expired).to.deep.equal(err(invitationEnded()));
    expect(queuedMails(world)).to.have.length(mails);
  });

  it('is recorded', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const entries = await entriesDuring(world, () =>
      resendInvitation(world)(owner, organization, invitation.id, undefined),
    );
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'invitation.resent', objects: { invitation: invitation.id } },
    ]);
  });
});

describe('revokeInvitation', () => {
  it('invalidates the token, and is idempotent', async () => {
    const { world, organization, owner, invitation, token } = await aWorldWithInvitation();
    const revoke = revokeInvitation(world);
    expect(await revoke(owner, organization, invitation.id, undefined)).to.deep.equal(ok());
    expect(await revoke(owner, organization, invitation.id, undefined)).to.deep.equal(ok());
    const caller = await someone(world);
    expect(await acceptInvitation(world)(caller, token)).to.deep.equal(err(invitationTokenInvalid()));
  });

  it('revokes only the expected version', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const revoke = (expected: ExpectedVersions) =>
      revokeInvitation(world)(owner, organization, invitation.id, expected);
    const resent = await valueOf(resendInvitation(world)(owner, organization, invitation.id, undefined));
    const stale = await revoke([invitationVersion(invitation)]);
    expect(stale).to.deep.equal(err(versionMismatch(invitationVersion(resent))));
    expect(await revoke([invitationVersion(resent)])).to.deep.equal(ok());
    expect(await refusalOf(revoke([invitationVersion(resent)]))).to.deep.equal(['VersionMismatch']);
  });

  it('is recorded once', async () => {
    const { world, organization, owner, invitation } = await aWorldWithInvitation();
    const revoke = () => revokeInvitation(world)(owner, organization, invitation.id, undefined);
    const entries = await entriesDuring(world, revoke);
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'invitation.revoked', objects: { invitation: invitation.id } },
    ]);
    expect(await entriesDuring(world, revoke)).to.deep.equal([]);
  });
});

describe('acceptInvitation', () => {
  for (const role of roles) {
    it(`makes the caller a member with a role of ${role}`, async () => {
      const { world, organization, token } = await aWorldWithInvitation(role);
      const caller = await someone(world);
      expect(await acceptInvitation(world)(caller, token)).to.deep.equal(
        ok({
          organizationId: organization,
          user: caller.userId,
          role,
          joinedAt: world.clock.now(),
          twoFactorEnabled: undefined,
        }),
      );
      expect(roleOf(world, organization, caller)).to.equal(role);
    });
  }

  it('accepts the address in any case', async () => {
    const { world, token } = await aWorldWithInvitation();
    const caller = await someone(world, 'GRACE@Example.ORG');
    expect(await refusalOf(acceptInvitation(world)(caller, token))).to.deep.equal(['accepted']);
  });

  it('refuses anyone else, and keeps the invitation', async () => {
    const { world, token } = await aWorldWithInvitation();
    const eve = await someone(world, 'eve@example.org');
    const before = everythingIn(world);
    expect(await acceptInvitation(world)(eve, token)).to.deep.equal(err(invitationForAnother()));
    expect(everythingIn(world)).to.deep.equal(before);
    expect(await refusalOf(acceptInvitation(world)(await someone(world), token))).to.deep.equal(['accepted']);
  });

  it('refuses a token that was never sent, and one of a deleted organization', async () => {
    const { world, organization, token } = await aWorldWithInvitation();
    const caller = await someone(world);
    const accept = acceptInvitation(world);
    expect(await accept(caller, MailedToken.parse('guessed'))).to.deep.equal(err(invitationTokenInvalid()));
    inTables(world, ({ organizations }) => organizations.delete(organization));
    expect(await accept(caller, token)).to.deep.equal(err(organizationNotFound()));
  });

  it('fails if the organization has become full, and keeps the invitation', async () => {
    const { world, organization, token, invitation } = await aWorldWithInvitation();
    fill(world, organization, defaultUsageLimits.members);
    const outcome = acceptInvitation(world)(await someone(world), token);
    expect(await refusalOf(outcome)).to.deep.equal([' organization.members.limit']);
    expect(everythingIn(world).invitations.get(invitation.id)?.status).to.equal('pending');
  });

  it('lets a member of a full organization use up a token, which changes nothing else', async () => {
    const { world, organization, token, invitation } = await aWorldWithInvitation('viewer');
    const caller = await someone(world);
    setRole(world, organization, caller.userId, 'admin');
    fill(world, organization, defaultUsageLimits.members);
    const before = everythingIn(world).organizations;
    expect((await valueOf(acceptInvitation(world)(caller, token))).role).to.equal('admin');
    expect(everythingIn(world).organizations).to.deep.equal(before);
    expect(everythingIn(world).invitations.get(invitation.id)?.status).to.equal('accepted');
  });

  it('lets someone join an organization without the second factor it requires, but refuses access', async () => {
    const { world, organization, token } = await aWorldWithInvitation();
    changeOrganization(world, organization, { enforceTwoFactor: true });
    const caller = await someone(world);
    await valueOf(acceptInvitation(world)(caller, token));
    const membership = callerOf(world, caller.userId).memberships.get(organization);
    expect(membership).to.deep.equal({ role: 'editor', needsTwoFactor: true });
  });

  it('is recorded for the user who joins, but not if it is refused', async () => {
    const { world, organization, token, invitation } = await aWorldWithInvitation();
    const [caller, eve] = [await someone(world), await someone(world, 'eve@example.org')];
    expect(await entriesDuring(world, () => acceptInvitation(world)(eve, token))).to.deep.equal([]);
    const entries = await entriesDuring(world, () => acceptInvitation(world)(caller, token));
    expect(
      entries.map(({ action, actor, organization: of, objects }) => ({ action, actor, of, objects })),
    ).to.deep.equal([
      { action: 'invitation.accepted', actor: caller.userId, of: organization, objects: { invitation: invitation.id } },
    ]);
  });
});

describe('an invitation whose inviter', () => {
  const aWorldWithInviter = async (inviter: Role = 'admin', invited: Role = 'editor') => {
    const arranged = aWorldWithOrganization();
    const { world, organization } = arranged;
    const by = callerOf(world, await aUser(world, { email: 'inviter@example.org' }));
    setRole(world, organization, by.userId, inviter);
    const admin = callerOf(world, by.userId);
    const invitation = await valueOf(createInvitation(world)(admin, organization, aDraft(address, invited)));
    const { token } = lastMail(world);
    const outcome = async () => {
      const status = everythingIn(world).invitations.get(invitation.id)?.status;
      return [status, ...(await refusalOf(acceptInvitation(world)(await someone(world), token)))];
    };
    return { ...arranged, admin, invitation, outcome };
  };
  type Arranged = Awaited<ReturnType<typeof aWorldWithInviter>>;
  const changeRole = ({ world, owner, organization, admin }: Arranged, role: Role) =>
    valueOf(changeMemberRole(world)(owner, organization, admin.userId, role, undefined));

  const gone = ['revoked', 'InvitationTokenInvalid'];
  const ends: readonly (readonly [what: string, end: (arranged: Arranged) => Promise<unknown>])[] = [
    [
      'is removed',
      ({ world, owner, organization, admin }) =>
        valueOf(removeMember(world)(owner, organization, admin.userId, undefined)),
    ],
    ['becomes an editor', (arranged) => changeRole(arranged, 'editor')],
  ];
  for (const [what, end] of ends) {
    it(`${what} ends, which is recorded`, async () => {
      const arranged = await aWorldWithInviter();
      const entries = await entriesDuring(arranged.world, () => end(arranged));
      expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.include({
        action: 'invitation.revoked',
        objects: { invitation: arranged.invitation.id },
      });
      expect(await arranged.outcome()).to.deep.equal(gone);
    });
  }

  for (const [invited, role, expected] of [
    ['owner', 'admin', gone],
    ['admin', 'admin', ['pending', 'accepted']],
    ['owner', 'owner', ['pending', 'accepted']],
  ] as const) {
    it(`is an owner and becomes ${role} ${expected === gone ? 'ends' : 'stays'} where it is for ${invited}s`, async () => {
      const arranged = await aWorldWithInviter('owner', invited);
      await changeRole(arranged, role);
      expect(await arranged.outcome()).to.deep.equal(expected);
    });
  }

  it('is an owner cannot be resent by an admin if it is for owners', async () => {
    const { world, organization, invitation } = await aWorldWithInviter('owner', 'owner');
    const resend = resendInvitation(world)(
      aMember(world, organization, 'admin'),
      organization,
      invitation.id,
      undefined,
    );
    expect(await resend).to.deep.equal(err(permissionDenied('members.manageOwners')));
  });
});
