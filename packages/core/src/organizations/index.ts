/** Organizations: their members, permissions, backends, domains and audit log. */

export * from './access/caller.ts';
export type * from './access/credential.ts';
export * from './access/errors.ts';
export * from './access/permissions.ts';
export { openOrganizations, requireTokenPermission, zonesOf } from './access/permissions.ts';
export type * from './access/ports.ts';
export {
  contentPermissions,
  defaultTokenPermissions,
  type NeededPermissions,
  permissionToManage,
  type Role,
  readPermissions,
  roles,
  type TokenPermission,
  tokenPermissions,
  writePermissions,
} from './access/role.ts';
export * from './access/second-factor.ts';
export { isUsableFrom, networkOfUse, TokenNetwork } from './access/token-networks.ts';
export * from './audit/audit-entry.ts';
export type * from './audit/ports.ts';
export type { RecordRefusal } from './audit/record.ts';
export {
  addressKey,
  anyOriginNetwork,
  BackendAddress,
  type OriginNetworks,
  originNetworksIn,
  type RequestHostname,
} from './backends/address.ts';
export * from './backends/backend.ts';
export { BackendId, type BackendKind, BackendReference, backendKind } from './backends/backend-reference.ts';
export { type BackendUser, maxUsers } from './backends/backend-user.ts';
export * from './backends/errors.ts';
export {
  type LoadBalancer,
  LoadBalancerDraft,
  type LoadBalancerOrigin,
  loadBalancerDocument,
  type WrittenLoadBalancer,
} from './backends/load-balancer.ts';
export {
  type OriginServer,
  OriginServerDraft,
  originServerDocument,
  originServerDraftIn,
  type WrittenOriginServer,
} from './backends/origin-server.ts';
export type * from './backends/ports.ts';
export { checkNextDomain } from './domains/check-next-domain.ts';
export * from './domains/delivery.ts';
export * from './domains/dns.ts';
export * from './domains/dns-names.ts';
export * from './domains/domain.ts';
export { type DomainAfterCheck, type DomainCheck, lapsingSeconds, type WatchedDomain } from './domains/domain-check.ts';
export * from './domains/errors.ts';
export {
  contested,
  type HostNameClaim,
  type HostNameFacts,
  type HostNameHolder,
  type HostNameRules,
  newNames,
  strictHostNameRules,
} from './domains/host-name-rules.ts';
export type * from './domains/ports.ts';
export * from './invitations/errors.ts';
export * from './invitations/invitation.ts';
export type * from './invitations/ports.ts';
export { mayCreateOrganizations } from './organizations/create-organization.ts';
export * from './organizations/errors.ts';
export { type Member, MemberSettings, memberVersion } from './organizations/member.ts';
export * from './organizations/organization.ts';
export type * from './organizations/ports.ts';
export type { OrganizationDetails } from './organizations/read-organizations.ts';
export { bytesOfRevision } from './organizations/storage-quota.ts';
export type { OrganizationRepositories } from './repositories.ts';
