import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import type { ApiTokenId, SessionId } from '../../../src/kernel/shared/ids.ts';
import type { CallerCredential } from '../../../src/organizations/access/caller.ts';
import {
  confirmationRequired,
  permissionDenied,
  permissionMissing,
  sessionRequired,
} from '../../../src/organizations/access/errors.ts';
import { requireCredentialAllows } from '../../../src/organizations/access/permissions.ts';
import type { Permission } from '../../../src/organizations/access/role.ts';
import {
  defaultTokenPermissions,
  type TokenPermission,
  tokenPermissions,
} from '../../../src/organizations/access/role.ts';

const session: Extract<CallerCredential, { kind: 'session' }> = {
  kind: 'session',
  id: 'a session' as SessionId,
  provider: undefined,
  confirmed: true,
  confirmableBy: ['password'],
};
const token = (permissions: readonly TokenPermission[], readOnly = false): CallerCredential => ({
  kind: 'apiToken',
  id: 'a token' as ApiTokenId,
  readOnly,
  scoped: false,
  permissions,
  zones: undefined,
});

const zones = ['zones:read', 'zones:write'] as const;

/** The token permissions that include each permission, `admin` aside; none if no token has it. Sessions have all. */
const matrix: Readonly<Record<Permission, readonly TokenPermission[] | 'no API token'>> = {
  'organization.read': ['members:read'],
  'domains.write': [],
  'organization.rename': [],
  'organization.enforceTwoFactor': 'no API token',
  'organization.liftTwoFactor': 'no API token',
  'organization.requireProvider': 'no API token',
  'organization.liftProvider': 'no API token',
  'organization.delete': 'no API token',
  'organization.readAuditLog': ['audit:read'],
  'members.readTwoFactor': ['members:read'],
  'members.manage': [],
  'members.manageAdmins': 'no API token',
  'members.manageOwners': 'no API token',
  'members.remove': 'no API token',
  'members.leave': 'no API token',
  'invitations.read': ['members:read'],
  'zones.read': zones,
  'zones.create': ['zones:write'],
  'zones.write': ['zones:write'],
  'zones.delete': ['zones:write'],
  'deletedZones.read': zones,
  'contents.write': ['zones:write', 'rules:write'],
  'banToken.read': ['purges:write'],
  'banToken.rotate': ['zones:write'],
  'rules.read': [...zones, 'rules:write'],
  'rules.write': ['rules:write'],
  'basicAuthUsers.read': [...zones, 'rules:write'],
  'basicAuthUsers.write': ['rules:write'],
  'backends.read': [...zones, 'backends:write'],
  'backends.write': ['backends:write'],
};

describe('requireCredentialAllows', () => {
  for (const permission of Object.keys(matrix) as Permission[]) {
    const lenders = matrix[permission];

    it(`allows ${permission} for sessions and ${lenders === 'no API token' ? lenders : ['admin', ...lenders].join(', ')}`, () => {
      expect(requireCredentialAllows(session, permission)).to.deep.equal(ok());
      for (const each of tokenPermissions) {
        const outcome = requireCredentialAllows(token([each]), permission);
        if (lenders === 'no API token') expect(outcome).to.deep.equal(err(sessionRequired()));
        else if (each === 'admin' || lenders.includes(each)) expect(outcome).to.deep.equal(ok());
        else expect(outcome).to.deep.equal(err(permissionMissing(lenders[0] ?? 'admin')));
      }
    });
  }

  it('withholds the ban token from read-only tokens, whatever their permissions', () => {
    expect(requireCredentialAllows(token(['admin'], true), 'banToken.read')).to.deep.equal(
      err(permissionDenied('banToken.read')),
    );
  });

  it('takes all permissions of a token together', () => {
    const both = token(['rules:write', 'audit:read']);
    expect(requireCredentialAllows(both, 'rules.write')).to.deep.equal(ok());
    expect(requireCredentialAllows(both, 'organization.readAuditLog')).to.deep.equal(ok());
    expect(requireCredentialAllows(both, 'zones.write')).to.deep.equal(err(permissionMissing('zones:write')));
  });

  it('includes everything but management by default', () => {
    const unlimited = token(defaultTokenPermissions);
    const refused = (Object.keys(matrix) as Permission[]).filter(
      (permission) => matrix[permission] !== 'no API token' && requireCredentialAllows(unlimited, permission).isErr(),
    );
    expect(refused).to.have.members(['organization.rename', 'members.manage', 'domains.write']);
  });

  const needConfirmation: readonly Permission[] = [
    'organization.liftTwoFactor',
    'organization.liftProvider',
    'organization.delete',
    'members.manageOwners',
  ];

  it('wants a confirmed session where a thief could keep an organization', () => {
    const stale: CallerCredential = { ...session, confirmed: false, confirmableBy: ['password', 'code'] };
    for (const permission of Object.keys(matrix) as Permission[]) {
      expect(requireCredentialAllows(stale, permission)).to.deep.equal(
        needConfirmation.includes(permission) ? err(confirmationRequired(['password', 'code'])) : ok(),
      );
    }
  });
});
