import type {
  ApiTokenId,
  BackendId,
  BackendOfOrganization,
  BackendUser,
  BasicAuthUserId,
  ChangeSetId,
  DomainId,
  IdentityId,
  InvitationId,
  Json,
  OrganizationId,
  PasskeyId,
  PromotionId,
  ProviderId,
  Rule,
  RuleKind,
  SessionId,
  UserId,
  ZoneId,
} from '@zonewright/core';
import { z } from 'zod';

/** Path segment of each rule list below its zone. */
export const ruleCollections = {
  configurationRule: 'configuration-rules',
  rewriteRule: 'rewrite-rules',
  accessRule: 'access-rules',
  securityScenario: 'security/scenarios',
} as const satisfies Record<RuleKind, string>;

/** The only place that builds resource IRIs; all are path-absolute. */
export const iri = {
  user: (id: UserId) => `/api/users/${id}`,
  session: (id: SessionId) => `/api/users/me/sessions/${id}`,
  provider: (id: ProviderId) => `/api/auth/providers/${id}`,
  identity: (id: IdentityId) => `/api/users/me/providers/${id}`,
  apiToken: (id: ApiTokenId) => `/api/api-tokens/${id}`,
  passkey: (id: PasskeyId) => `/api/users/me/passkeys/${id}`,
  organization: (id: OrganizationId) => `/api/organizations/${id}`,
  member: ({ organizationId, user }: { organizationId: OrganizationId; user: UserId }) =>
    `${iri.organization(organizationId)}/members/${user}`,
  invitation: ({ organizationId, id }: { organizationId: OrganizationId; id: InvitationId }) =>
    `${iri.organization(organizationId)}/invitations/${id}`,
  domain: ({ organizationId, id }: { organizationId: OrganizationId; id: DomainId }) =>
    `${iri.organization(organizationId)}/domains/${id}`,
  auditEntry: ({ organization, id }: { organization: OrganizationId | undefined; id: string }) =>
    organization === undefined ? `/api/users/me/audit-log/${id}` : `/api/organizations/${organization}/audit-log/${id}`,
  originServer: ({ organizationId, id }: { organizationId: OrganizationId; id: BackendId }) =>
    `${iri.organization(organizationId)}/origin-servers/${id}`,
  loadBalancer: ({ organizationId, id }: { organizationId: OrganizationId; id: BackendId }) =>
    `${iri.organization(organizationId)}/load-balancers/${id}`,
  backendRevision: ({ backend, number }: { backend: BackendOfOrganization; number: number }) =>
    `${backend.kind === 'origin_server' ? iri.originServer(backend) : iri.loadBalancer(backend)}/revisions/${number}`,
  deletedZone: ({ organizationId, id }: { organizationId: OrganizationId; id: ZoneId }) =>
    `${iri.organization(organizationId)}/deleted-zones/${id}`,
  zone: (id: ZoneId) => `/api/zones/${id}`,
  findings: (id: ZoneId) => `${iri.zone(id)}/findings`,
  evaluation: (id: ZoneId) => `${iri.zone(id)}/evaluation`,
  rule: ({ zoneId, kind, id }: Pick<Rule, 'zoneId' | 'kind' | 'id'>) =>
    `${iri.zone(zoneId)}/${ruleCollections[kind]}/${id}`,
  basicAuthUser: ({ zoneId, id }: { zoneId: ZoneId; id: BasicAuthUserId }) =>
    `${iri.zone(zoneId)}/basic-auth-users/${id}`,
  changeSet: ({ zoneId, id }: { zoneId: ZoneId; id: ChangeSetId }) => `${iri.zone(zoneId)}/change-sets/${id}`,
  promotion: ({ zoneId, id }: { zoneId: ZoneId; id: PromotionId }) => `${iri.zone(zoneId)}/promotions/${id}`,
  revision: ({ zoneId, number }: { zoneId: ZoneId; number: number }) => `${iri.zone(zoneId)}/revisions/${number}`,
} as const;

/** A member that refers to a resource by IRI or bare id. */
export const reference = (type: string, id: z.ZodType) =>
  z.union([z.string().regex(/^\/api\//), id]).meta({ 'x-resource': type });

/** The IRI of a rule or setting that uses a backend. */
export function backendUserIri(user: BackendUser): string {
  switch (user.kind) {
    case 'zone':
      return iri.zone(user.zone);
    case 'configurationRule':
      return iri.rule({ zoneId: user.zone, kind: user.kind, id: user.rule });
    case 'loadBalancer':
      return iri.loadBalancer({ organizationId: user.organization, id: user.loadBalancer });
  }
}

/** Collections that bodies can refer to. */
type ReferredCollection = 'organizations' | 'zones' | `organizations/${number}/origin-servers`;

/**
 * The id in a reference that is an IRI or an id. Anything else is returned unchanged, so that the member's schema
 * rejects it.
 */
export function idInReference<T>(reference: T, collection: ReferredCollection): T | string | number {
  if (typeof reference !== 'string') return reference;
  const prefix = `/api/${collection}/`;
  const id = reference.startsWith(prefix) ? reference.slice(prefix.length) : reference;
  return collection === 'organizations' && /^[1-9][0-9]{0,9}$/.test(id) ? Number(id) : id;
}

/** The id of the organization below which an IRI is; undefined if there is none. */
export const organizationIn = (reference: string | undefined): number | undefined => {
  const [, id] = /^\/api\/organizations\/([1-9][0-9]{0,9})(?:\/|$)/.exec(reference ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
};

/** The last path segment of an IRI, or an id unchanged; undefined unless it is a string. */
export const lastSegment = (reference: Json | undefined): string | undefined =>
  typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined;
