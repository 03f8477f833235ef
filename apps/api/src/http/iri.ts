import type {
  ApiTokenId,
  BackendId,
  BackendUser,
  InvitationId,
  OrganizationId,
  RuleId,
  SessionId,
  UserId,
  ZoneId,
} from '@zonewright/core';

/** Path-absolute addresses of resources: the one place that spells them. */
export const iri = {
  user: (id: UserId) => `/api/users/${id}`,
  session: (id: SessionId) => `/api/users/me/sessions/${id}`,
  apiToken: (id: ApiTokenId) => `/api/api-tokens/${id}`,
  organization: (id: OrganizationId) => `/api/organizations/${id}`,
  member: ({ organizationId, user }: { organizationId: OrganizationId; user: UserId }) =>
    `${iri.organization(organizationId)}/members/${user}`,
  invitation: ({ organizationId, id }: { organizationId: OrganizationId; id: InvitationId }) =>
    `${iri.organization(organizationId)}/invitations/${id}`,
  auditEntry: ({ organization, id }: { organization: OrganizationId | undefined; id: string }) =>
    `/api/organizations/${organization}/audit-log/${id}`,
  originServer: ({ organizationId, id }: { organizationId: OrganizationId; id: BackendId }) =>
    `${iri.organization(organizationId)}/origin-servers/${id}`,
  loadBalancer: ({ organizationId, id }: { organizationId: OrganizationId; id: BackendId }) =>
    `${iri.organization(organizationId)}/load-balancers/${id}`,
  zone: (id: ZoneId) => `/api/zones/${id}`,
  configurationRule: ({ zoneId, id }: { zoneId: ZoneId; id: RuleId }) =>
    `${iri.zone(zoneId)}/configuration-rules/${id}`,
} as const;

/** What uses a backend. */
export function backendUserIri(user: BackendUser): string {
  switch (user.kind) {
    case 'zone':
      return iri.zone(user.zone);
    case 'configurationRule':
      return iri.configurationRule({ zoneId: user.zone, id: user.rule });
    case 'loadBalancer':
      return iri.loadBalancer({ organizationId: user.organization, id: user.loadBalancer });
  }
}

/** Collections whose items a body can refer to. */
type ReferredCollection = 'organizations' | 'zones' | `organizations/${number}/origin-servers`;

/**
 * The bare id in a reference that may be an IRI or the id itself. What is neither comes back as it is, for the
 * schema of the member to refuse.
 */
export function idInReference<T>(reference: T, collection: ReferredCollection): T | string | number {
  if (typeof reference !== 'string') return reference;
  const prefix = `/api/${collection}/`;
  const id = reference.startsWith(prefix) ? reference.slice(prefix.length) : reference;
  return collection === 'organizations' && /^[1-9][0-9]{0,9}$/.test(id) ? Number(id) : id;
}
