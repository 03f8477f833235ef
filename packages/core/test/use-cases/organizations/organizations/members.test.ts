import {
  type ExpectedVersions,
  lastOwner,
  memberNotFound,
  memberVersion,
  type OrganizationId,
  OrganizationId as OrganizationIds,
  organizationNotFound,
  permissionDenied,
  type Role,
  roles,
  twoFactorRequired,
  UserId,
  versionMismatch,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { changeMemberRole, removeMember } from '../../../../src/organizations/members/change-members.ts';
import { listMembers, readMember } from '../../../../src/organizations/members/list-members.ts';
import {
  aMember,
  anOutsider,
  aWorldWithOrganization,
  callerOf,
  changeOrganization,
  setRole,
} from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { everythingIn, type World } from '../../../support/world.ts';

const page = { page: 1, itemsPerPage: 100 };
const nobody = UserId.parse('00000000-0000-7000-8000-00000000ffff');
const missing = OrganizationIds.parse(2_000_000_000);

const roleOf = (world: World, organization: OrganizationId, user: UserId) =>
  everythingIn(world).organizations.get(organization)?.members.get(user)?.role;

describe('listMembers and readMember', () => {
  for (const role of roles) {
    const mayKnow = role === 'owner' || role === 'admin';
    it(`show all members to a role of ${role}, ${mayKnow ? 'and' : 'but not'} who has a second factor`, async () => {
      const { world, organization, owner } = aWorldWithOrganization();
      world.clock.advance(1);
      const caller = aMember(world, organization, role);
      const { items, totalItems } = await valueOf(listMembers(world)(caller, organization, page));
      expect(totalItems).to.equal(2);
      expect(items.map(({ user, role: has }) => [user, has])).to.deep.equal([
        [owner.userId, 'owner'],
        [caller.userId, role],
      ]);
      const known = mayKnow ? false : undefined;
      expect(items.map(({ twoFactorEnabled }) => twoFactorEnabled)).to.deep.equal([known, known]);
      expect(await readMember(world)(caller, organization, owner.userId)).to.deep.equal(ok(items[0]));
    });
  }

  it('are refused to outsiders and to those who lack a required second factor', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const outsider = anOutsider(world);
    const denied = err(permissionDenied('organization.read'));
    expect(await listMembers(world)(outsider, organization, page)).to.deep.equal(denied);
    expect(await readMember(world)(outsider, organization, owner.userId)).to.deep.equal(denied);
    changeOrganization(world, organization, { enforceTwoFactor: true });
    const caller = callerOf(world, owner.userId);
    expect(await refusalOf(listMembers(world)(caller, organization, page))).to.deep.equal(['TwoFactorRequired']);
    const read = readMember(world)(caller, organization, owner.userId);
    expect(await refusalOf(read)).to.deep.equal(['TwoFactorRequired']);
  });

  it('fail if something does not exist', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    expect(await listMembers(world)(owner, missing, page)).to.deep.equal(err(organizationNotFound()));
    expect(await readMember(world)(owner, organization, nobody)).to.deep.equal(err(memberNotFound()));
  });
});

describe('changeMemberRole', () => {
  /** Which role changes the permission matrix allows. */
  const mayChange = (by: Role, from: Role, to: Role): boolean =>
    by === 'owner' || (by === 'admin' && from !== 'owner' && to !== 'owner');
  for (const by of roles) {
    for (const from of roles) {
      for (const to of roles) {
        const allowed = mayChange(by, from, to);
        it(`${allowed ? 'lets' : 'does not let'} a role of ${by} change ${from} to ${to}`, async () => {
          const { world, organization } = aWorldWithOrganization();
          const { userId } = aMember(world, organization, from);
          const outcome = changeMemberRole(world)(
            aMember(world, organization, by),
            organization,
            userId,
            to,
            undefined,
          );
          expect(await refusalOf(outcome)).to.deep.equal([allowed ? 'accepted' : 'PermissionDenied']);
          expect(roleOf(world, organization, userId)).to.equal(allowed ? to : from);
        });
      }
    }
  }

  it('does not demote the last owner until there is another', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const change = changeMemberRole(world);
    expect(await change(owner, organization, owner.userId, 'admin', undefined)).to.deep.equal(err(lastOwner()));
    expect(await refusalOf(change(owner, organization, owner.userId, 'owner', undefined))).to.deep.equal(['accepted']);
    aMember(world, organization, 'owner');
    expect(await refusalOf(change(owner, organization, owner.userId, 'viewer', undefined))).to.deep.equal(['accepted']);
  });

  it('leaves no trace if the role stays the same', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const { userId } = aMember(world, organization, 'viewer');
    const before = everythingIn(world);
    for (const role of ['viewer', undefined] as const) {
      const outcome = changeMemberRole(world)(owner, organization, userId, role, undefined);
      expect(await refusalOf(outcome)).to.deep.equal(['accepted']);
    }
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('fails if something does not exist', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const change = changeMemberRole(world);
    expect(await change(owner, organization, nobody, 'viewer', undefined)).to.deep.equal(err(memberNotFound()));
    expect(await change(owner, missing, owner.userId, 'viewer', undefined)).to.deep.equal(err(organizationNotFound()));
  });

  it('is recorded with the user and the new role, but not if it is refused', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const { userId } = aMember(world, organization, 'viewer');
    const change = changeMemberRole(world);
    const entries = await entriesDuring(world, () => change(owner, organization, userId, 'editor', undefined));
    expect(entries.map(({ action, organization: id, objects }) => ({ action, id, objects }))).to.deep.equal([
      { action: 'member.roleChanged', id: organization, objects: { user: userId, role: 'editor' } },
    ]);
    const refused = await entriesDuring(world, () => change(owner, organization, owner.userId, 'editor', undefined));
    expect(refused).to.deep.equal([]);
  });
});

describe('changeMemberRole with expected versions', () => {
  const aWorldWithViewer = () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const { userId } = aMember(world, organization, 'viewer');
    const change = (role: Role | undefined, expected: ExpectedVersions, caller = owner, user = userId) =>
      changeMemberRole(world)(caller, organization, user, role, expected);
    const version = async () => memberVersion(await valueOf(readMember(world)(owner, organization, userId)));
    return { world, organization, owner, userId, change, version };
  };

  it('changes only the expected version', async () => {
    const { world, organization, userId, change, version } = aWorldWithViewer();
    const read = await version();
    await valueOf(change('editor', ['another', read]));
    const stale = await change('admin', [read]);
    expect(stale).to.deep.equal(err(versionMismatch(await version())));
    expect(await version()).not.to.equal(read);
    expect(roleOf(world, organization, userId)).to.equal('editor');
  });

  it('keeps the role if none is given, without a record, but still checks the version', async () => {
    const { world, owner, organization, userId, change, version } = aWorldWithViewer();
    const read = await version();
    const current = await valueOf(readMember(world)(owner, organization, userId));
    const entries = await entriesDuring(world, async () => {
      expect(await change(undefined, [read])).to.deep.equal(ok(current));
      expect(await change(undefined, ['another'])).to.deep.equal(err(versionMismatch(read)));
    });
    expect(entries).to.deep.equal([]);
  });

  it('checks the permission first, and for another owner last', async () => {
    const { world, organization, owner, change } = aWorldWithViewer();
    const admin = aMember(world, organization, 'admin');
    const refusals = [
      change('viewer', ['another'], admin, owner.userId),
      change(undefined, ['another'], aMember(world, organization, 'editor')),
      change('viewer', ['another'], owner, owner.userId),
    ];
    expect(await Promise.all(refusals.map((each) => refusalOf(each)))).to.deep.equal([
      ['PermissionDenied'],
      ['PermissionDenied'],
      ['VersionMismatch'],
    ]);
  });
});

describe('removeMember', () => {
  const mayRemove = (by: Role, whom: Role): boolean => by === 'owner' || (by === 'admin' && whom !== 'owner');
  for (const by of roles) {
    for (const whom of roles) {
      const allowed = mayRemove(by, whom);
      it(`${allowed ? 'lets' : 'does not let'} a role of ${by} remove a role of ${whom}`, async () => {
        const { world, organization } = aWorldWithOrganization();
        const { userId } = aMember(world, organization, whom);
        const outcome = removeMember(world)(aMember(world, organization, by), organization, userId, undefined);
        expect(await refusalOf(outcome)).to.deep.equal([allowed ? 'accepted' : 'PermissionDenied']);
        expect(roleOf(world, organization, userId)).to.equal(allowed ? undefined : whom);
      });
    }
  }

  it('does not let a member leave who lacks a required second factor', async () => {
    const { world, organization } = aWorldWithOrganization();
    const { userId } = aMember(world, organization, 'viewer');
    changeOrganization(world, organization, { enforceTwoFactor: true });
    const caller = callerOf(world, userId);
    expect(await removeMember(world)(caller, organization, userId, undefined)).to.deep.equal(
      err(twoFactorRequired(organization)),
    );
    expect(roleOf(world, organization, userId)).to.equal('viewer');
  });

  it('keeps the last owner', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const before = everythingIn(world);
    expect(await removeMember(world)(owner, organization, owner.userId, undefined)).to.deep.equal(err(lastOwner()));
    expect(everythingIn(world)).to.deep.equal(before);
    aMember(world, organization, 'owner');
    expect(await removeMember(world)(owner, organization, owner.userId, undefined)).to.deep.equal(ok());
  });

  it('refuses outsiders, and fails if something does not exist', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const outsider = anOutsider(world);
    const remove = removeMember(world);
    for (const user of [owner.userId, outsider.userId]) {
      expect(await refusalOf(remove(outsider, organization, user, undefined))).to.deep.equal(['PermissionDenied']);
    }
    expect(await remove(owner, organization, nobody, undefined)).to.deep.equal(err(memberNotFound()));
    expect(await remove(owner, missing, owner.userId, undefined)).to.deep.equal(err(organizationNotFound()));
  });

  it('removes only the expected version', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const { userId } = aMember(world, organization, 'viewer');
    const read = memberVersion(await valueOf(readMember(world)(owner, organization, userId)));
    await valueOf(changeMemberRole(world)(owner, organization, userId, 'editor', undefined));
    const remove = removeMember(world);
    expect(await refusalOf(remove(owner, organization, userId, [read]))).to.deep.equal(['VersionMismatch']);
    expect(roleOf(world, organization, userId)).to.equal('editor');
    const now = memberVersion(await valueOf(readMember(world)(owner, organization, userId)));
    expect(await remove(owner, organization, userId, [now])).to.deep.equal(ok());
  });

  for (const role of roles) {
    it(`lets a role of ${role} leave with the version they were shown`, async () => {
      const { world, organization } = aWorldWithOrganization();
      const caller = aMember(world, organization, role);
      const shown = memberVersion(await valueOf(readMember(world)(caller, organization, caller.userId)));
      expect(await removeMember(world)(caller, organization, caller.userId, [shown])).to.deep.equal(ok());
    });
  }

  it('refuses a caller who lost the permission meanwhile', async () => {
    const { world, organization } = aWorldWithOrganization();
    const admin = aMember(world, organization, 'admin');
    const { userId } = aMember(world, organization, 'viewer');
    setRole(world, organization, admin.userId, 'editor');
    expect(await refusalOf(removeMember(world)(admin, organization, userId, undefined))).to.deep.equal([
      'PermissionDenied',
    ]);
  });

  it('is recorded with the user', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const { userId } = aMember(world, organization, 'viewer');
    const entries = await entriesDuring(world, () => removeMember(world)(owner, organization, userId, undefined));
    expect(entries.map(({ action, organization: id, objects }) => ({ action, id, objects }))).to.deep.equal([
      { action: 'member.removed', id: organization, objects: { user: userId } },
    ]);
  });
});
