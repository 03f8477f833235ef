import { expect } from 'chai';
import { OrganizationId, UserId } from '../../../src/kernel/shared/ids.ts';
import { roles } from '../../../src/organizations/access/role.ts';
import { memberSeenBy, memberVersion } from '../../../src/organizations/organizations/member.ts';

describe('memberVersion', () => {
  const joinedAt = new Date('2026-03-01T12:00:00.000Z');
  const member = {
    organizationId: OrganizationId.parse(1),
    user: UserId.parse('00000000-0000-7000-8000-000000000001'),
    role: 'viewer' as const,
    joinedAt,
    twoFactorEnabled: false,
  };

  it('differs whenever the representation differs', () => {
    const shown = [
      ...roles.map((role) => ({ ...member, role })),
      { ...member, joinedAt: new Date(joinedAt.getTime() + 1) },
      { ...member, twoFactorEnabled: true },
      { ...member, twoFactorEnabled: undefined },
    ];
    expect(new Set(shown.map(memberVersion)).size).to.equal(shown.length);
  });

  it('is stable while nothing changes', () => {
    expect(memberVersion({ ...member, joinedAt: new Date(joinedAt) })).to.equal(memberVersion(member));
  });

  it('is the same for everyone who sees the same', () => {
    const versions = roles.map((role) => memberVersion(memberSeenBy(role, member)));
    expect(versions[0]).to.equal(versions[1]);
    expect(versions[2]).to.equal(versions[3]);
    expect(versions[0]).not.to.equal(versions[2]);
  });
});
