import { expect } from 'chai';
import { type Permission, permits, type Role, roles } from '../../../src/organizations/access/role.ts';

describe('permits', () => {
  const matrix: Readonly<Record<Permission, Readonly<Record<Role, boolean>>>> = {
    'organization.read': { owner: true, admin: true, editor: true, viewer: true },
    'domains.write': { owner: true, admin: true, editor: false, viewer: false },
    'organization.rename': { owner: true, admin: true, editor: false, viewer: false },
    'organization.enforceTwoFactor': { owner: true, admin: false, editor: false, viewer: false },
    'organization.liftTwoFactor': { owner: true, admin: false, editor: false, viewer: false },
    'organization.requireProvider': { owner: true, admin: false, editor: false, viewer: false },
    'organization.liftProvider': { owner: true, admin: false, editor: false, viewer: false },
    'organization.delete': { owner: true, admin: false, editor: false, viewer: false },
    'organization.readAuditLog': { owner: true, admin: true, editor: false, viewer: false },
    'members.readTwoFactor': { owner: true, admin: true, editor: false, viewer: false },
    'members.manage': { owner: true, admin: true, editor: false, viewer: false },
    'members.manageOwners': { owner: true, admin: false, editor: false, viewer: false },
    'members.manageAdmins': { owner: true, admin: true, editor: false, viewer: false },
    'members.remove': { owner: true, admin: true, editor: false, viewer: false },
    'members.leave': { owner: true, admin: true, editor: true, viewer: true },
    'invitations.read': { owner: true, admin: true, editor: false, viewer: false },
    'zones.read': { owner: true, admin: true, editor: true, viewer: true },
    'zones.create': { owner: true, admin: true, editor: true, viewer: false },
    'zones.write': { owner: true, admin: true, editor: true, viewer: false },
    'zones.delete': { owner: true, admin: true, editor: false, viewer: false },
    'deletedZones.read': { owner: true, admin: true, editor: false, viewer: false },
    'contents.write': { owner: true, admin: true, editor: true, viewer: false },
    'banToken.read': { owner: true, admin: true, editor: true, viewer: false },
    'banToken.rotate': { owner: true, admin: true, editor: false, viewer: false },
    'rules.read': { owner: true, admin: true, editor: true, viewer: true },
    'rules.write': { owner: true, admin: true, editor: true, viewer: false },
    'backends.read': { owner: true, admin: true, editor: true, viewer: true },
    'backends.write': { owner: true, admin: true, editor: true, viewer: false },
    'basicAuthUsers.read': { owner: true, admin: true, editor: true, viewer: true },
    'basicAuthUsers.write': { owner: true, admin: true, editor: true, viewer: false },
  };
  const permissions = Object.keys(matrix) as Permission[];

  for (const permission of permissions) {
    for (const role of roles) {
      it(`${matrix[permission][role] ? 'lets' : 'does not let'} a role of ${role} do ${permission}`, () => {
        expect(permits(role, permission)).to.equal(matrix[permission][role]);
      });
    }
  }

  it('includes the permissions of each lower role', () => {
    for (const permission of permissions) {
      const rights = roles.map((role) => permits(role, permission));
      expect(rights).to.deep.equal([...rights].sort((a, b) => Number(b) - Number(a)));
    }
  });
});
