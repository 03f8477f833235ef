import type { ResourceDescription } from '@zonewright/api-description';
import {
  type ApiToken,
  ApiTokenId,
  ApiTokenName,
  defaultUsageLimits,
  Email,
  IdentityId,
  type Invitation,
  InvitationId,
  type Member,
  type NamedIdentity,
  type Organization,
  OrganizationId,
  OrganizationName,
  PersonName,
  type PlainApiToken,
  type Profile,
  ProviderId,
  type RecordedAuditEntry,
  type Session,
  type SessionCaller,
  SessionId,
  type TokenNetwork,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import {
  apiTokenResource,
  createdApiTokenResource,
  presentApiTokens,
  presentCreatedApiToken,
} from '../../src/present/accounts/api-token.ts';
import {
  identityResource,
  presentIdentities,
  presentProviders,
  providerResource,
} from '../../src/present/accounts/identity.ts';
import { presentSessions, sessionResource } from '../../src/present/accounts/session.ts';
import { presentProfile, presentUser, profileResource, userResource } from '../../src/present/accounts/user.ts';
import { auditEntryResource, presentAuditLog } from '../../src/present/organizations/audit-log.ts';
import { invitationResource, presentInvitation } from '../../src/present/organizations/invitation.ts';
import { memberResource, presentMember } from '../../src/present/organizations/member.ts';
import { organizationResource, presentOrganization } from '../../src/present/organizations/organization.ts';
import { writeJson } from '../../src/resources/json-writer.ts';
import type { Collection, Item } from '../../src/resources/resource.ts';

const uuid = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const at = new Date('2026-01-15T09:30:00.000Z');
const email = Email.parse('ada@example.com');
const names = { firstName: PersonName.parse('Ada'), lastName: PersonName.parse('Lovelace') };
const userId = UserId.parse(uuid);
const organizationId = OrganizationId.parse(7);
const page = { page: 1, itemsPerPage: 30 };

const profile: Profile = {
  id: userId,
  email,
  ...names,
  active: true,
  emailVerified: true,
  twoFactorEnabled: false,
  twoFactorEnforced: false,
  hasPassword: true,
  connectedProviders: ['example'],
  createdAt: at,
  updatedAt: at,
  revision: 1,
};
const session: Session = {
  id: SessionId.parse(uuid),
  createdAt: at,
  lastUsedAt: at,
  expiresAt: at,
  userAgent: 'curl/8.5.0',
  twoFactor: true,
};
const caller: SessionCaller = {
  userId,
  credential: { kind: 'session', id: session.id, provider: undefined, confirmed: true, confirmableBy: ['password'] },
  memberships: new Map(),
  client: { network: undefined, userAgent: undefined },
};
const plainToken = `zw_${'a'.repeat(36)}` as PlainApiToken;
const apiToken: ApiToken = {
  id: ApiTokenId.parse(uuid),
  name: ApiTokenName.parse('deployment'),
  prefix: plainToken.slice(0, 8),
  readOnly: true,
  organizations: [organizationId],
  permissions: ['zones:read', 'rules:write'],
  zones: [ZoneId.parse(uuid)],
  networks: ['203.0.113.0/24' as TokenNetwork],
  expiresAt: at,
  lastUsedAt: at,
  lastUsedNetwork: '203.0.113.0/24',
  active: true,
  createdAt: at,
};
/** Without the optional members of an API token. */
const unlimited = {
  zones: undefined,
  networks: undefined,
  expiresAt: undefined,
  lastUsedAt: undefined,
  lastUsedNetwork: undefined,
} as const;
const organization: Organization = {
  id: organizationId,
  name: OrganizationName.parse('Example'),
  enforceTwoFactor: false,
  createdAt: at,
  updatedAt: at,
  revision: 1,
  limits: defaultUsageLimits,
};
const member: Member = { organizationId, user: userId, role: 'editor', joinedAt: at, twoFactorEnabled: true };
const invitation: Invitation = {
  id: InvitationId.parse(uuid),
  organizationId,
  email,
  role: 'viewer',
  status: 'pending',
  createdAt: at,
  expiresAt: at,
  resends: 0,
};
const auditEntry: RecordedAuditEntry = {
  id: '12',
  at,
  action: 'zone.created',
  actor: userId,
  credential: uuid,
  organization: organizationId,
  objects: { zone: uuid },
  client: { network: '192.0.2.1', userAgent: 'curl/8.5.0' },
};

const only = ({ items: [first] }: Collection): Item => {
  if (first === undefined) throw new Error('The collection is empty.');
  return first;
};
const one = <T>(value: T) => ({ items: [value], totalItems: 1 });
const sessionItem = (value: Session) => only(presentSessions(caller)(one(value), page));
const apiTokenItem = (value: ApiToken) => only(presentApiTokens(one(value), page));
const auditItem = (value: RecordedAuditEntry) => only(presentAuditLog(one(value), page));

const corp = ProviderId.parse('corp');
const provider = { name: 'Example Corp', domains: undefined, redirectUris: [] };
const identity = { id: IdentityId.parse(uuid), provider: corp, name: provider.name, connectedAt: at };
const identityItem = (value: NamedIdentity) => only(presentIdentities(one(value), page));

const nothingKnown = { network: undefined, userAgent: undefined };

/** Each resource with all possible members and finally with only the required ones. */
const resources: readonly (readonly [string, ResourceDescription, ...Item[]])[] = [
  ['a user', userResource, presentUser(profile)],
  ['a profile', profileResource, presentProfile(profile)],
  ['a session', sessionResource, sessionItem(session), sessionItem({ ...session, userAgent: undefined })],
  [
    'an API token',
    apiTokenResource,
    apiTokenItem(apiToken),
    apiTokenItem({ ...apiToken, ...unlimited, organizations: [] }),
  ],
  [
    'a new API token',
    createdApiTokenResource,
    presentCreatedApiToken({ token: apiToken, plainToken }),
    presentCreatedApiToken({ token: { ...apiToken, ...unlimited }, plainToken }),
  ],
  [
    'an organization',
    organizationResource,
    presentOrganization({ ...organization, requiredProvider: corp }),
    presentOrganization(organization),
  ],
  ['a sign-in provider', providerResource, only(presentProviders(one({ id: corp, ...provider }), page))],
  [
    'a linked identity',
    identityResource,
    identityItem({ ...identity, email, lastUsedAt: at }),
    identityItem({ ...identity, email: undefined, lastUsedAt: undefined }),
  ],
  ['a member', memberResource, presentMember(member), presentMember({ ...member, twoFactorEnabled: undefined })],
  ['an invitation', invitationResource, presentInvitation(invitation)],
  [
    'an audit entry',
    auditEntryResource,
    auditItem(auditEntry),
    auditItem({ ...auditEntry, actor: undefined, credential: undefined, client: nothingKnown }),
  ],
];

/** The value as clients read it. */
const read = (value: unknown): Record<string, unknown> =>
  JSON.parse(writeJson(value, 'plain')) as Record<string, unknown>;

describe('Descriptions of presented resources', () => {
  for (const [name, { type, schema }, ...items] of resources) {
    it(`list the members of ${name} in order, and no others`, () => {
      expect(Object.keys(read(items[0]))).to.deep.equal(Object.keys(schema.shape));
      for (const item of items) {
        expect(item.type).to.equal(type);
        const parsed = schema.strict().safeParse(read(item));
        expect(parsed.error?.issues ?? []).to.deep.equal([]);
      }
    });

    it(`mark exactly the optional members of ${name}`, () => {
      const least = read(items.at(-1));
      const required = Object.entries(schema.shape)
        .filter(([, shape]) => !shape.safeParse(undefined).success)
        .map(([key]) => key);
      expect(Object.keys(least)).to.deep.equal(required);
    });
  }
});
