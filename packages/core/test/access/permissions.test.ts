import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import type { CallerCredential } from '../../src/access/caller.ts';
import { confirmationRequired, permissionDenied, sessionRequired } from '../../src/access/errors.ts';
import { requireCredentialAllows } from '../../src/access/permissions.ts';
import type { Permission } from '../../src/access/role.ts';
import type { ApiTokenId, SessionId } from '../../src/shared/ids.ts';

const session: Extract<CallerCredential, { kind: 'session' }> = {
  kind: 'session',
  id: 'a session' as SessionId,
  provider: undefined,
  confirmed: true,
  confirmableBy: ['password'],
};
const token = (readOnly: boolean): CallerCredential => ({
  kind: 'apiToken',
  id: 'a token' as ApiTokenId,
  readOnly,
  scoped: false,
});

/** Which credentials allow each permission; sessions allow all. */
const matrix: Readonly<Record<Permission, 'every API token' | 'API tokens that write' | 'no API token'>> = {
  'organization.read': 'every API token',
  'domains.write': 'every API token',
  'organization.rename': 'every API token',
  'organization.enforceTwoFactor': 'no API token',
  'organization.liftTwoFactor': 'no API token',
  'organization.delete': 'no API token',
  'organization.readAuditLog': 'every API token',
  'members.readTwoFactor': 'every API token',
  'members.manage': 'every API token',
  'members.manageAdmins': 'no API token',
  'members.manageOwners': 'no API token',
  'members.remove': 'no API token',
  'members.leave': 'no API token',
  'zones.read': 'every API token',
  'zones.create': 'every API token',
  'zones.write': 'every API token',
  'zones.delete': 'every API token',
  'banToken.read': 'API tokens that write',
  'banToken.rotate': 'every API token',
  'rules.write': 'every API token',
  'basicAuthUsers.write': 'every API token',
  'backends.read': 'every API token',
  'backends.write': 'every API token',
};

describe('requireCredentialAllows', () => {
  for (const permission of Object.keys(matrix) as Permission[]) {
    const lenders = matrix[permission];

    it(`allows ${permission} for sessions and ${lenders}`, () => {
      const [reading, writing] = {
        'every API token': [ok(), ok()],
        'API tokens that write': [err(permissionDenied(permission)), ok()],
        'no API token': [err(sessionRequired()), err(sessionRequired())],
      }[lenders];
      expect(requireCredentialAllows(session, permission)).to.deep.equal(ok());
      expect(requireCredentialAllows(token(true), permission)).to.deep.equal(reading);
      expect(requireCredentialAllows(token(false), permission)).to.deep.equal(writing);
    });
  }

  const needConfirmation: readonly Permission[] = [
    'organization.liftTwoFactor',
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
