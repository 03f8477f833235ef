import type { ApiTokenId, InvitationId, OrganizationId, RuleId, SessionId, UserId, ZoneId } from '@zonewright/core';

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
  zone: (id: ZoneId) => `/api/zones/${id}`,
  configurationRule: ({ zoneId, id }: { zoneId: ZoneId; id: RuleId }) =>
    `${iri.zone(zoneId)}/configuration-rules/${id}`,
} as const;

/**
 * The bare id in a reference that may be an IRI or the id itself. What is neither comes back as it is, for the
 * schema of the member to refuse.
 */
export function idInReference(reference: unknown, collection: 'organizations' | 'zones'): unknown {
  if (typeof reference !== 'string') return reference;
  const prefix = `/api/${collection}/`;
  const id = reference.startsWith(prefix) ? reference.slice(prefix.length) : reference;
  return collection === 'organizations' && /^[1-9][0-9]{0,9}$/.test(id) ? Number(id) : id;
}
