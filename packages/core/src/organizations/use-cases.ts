import { readAccountLog } from './audit/read-account-log.ts';
import { recordRefusal } from './audit/record.ts';
import { deleteLoadBalancer, deleteOriginServer } from './backends/delete-backend.ts';
import { listLoadBalancers, listOriginServers, readLoadBalancer, readOriginServer } from './backends/read-backends.ts';
import { createLoadBalancer, updateLoadBalancer } from './backends/write-load-balancer.ts';
import { createOriginServer, updateOriginServer } from './backends/write-origin-server.ts';
import { createDomain } from './domains/create-domain.ts';
import { deleteDomain } from './domains/delete-domain.ts';
import { listDomains, readDomain } from './domains/read-domains.ts';
import { checkRecord, verifyDomain } from './domains/verify-domain.ts';
import { acceptInvitation } from './invitations/accept-invitation.ts';
import { listInvitations, readInvitation } from './invitations/read-invitations.ts';
import { revokeInvitation } from './invitations/revoke-invitation.ts';
import { createInvitation, resendInvitation } from './invitations/send-invitation.ts';
import { changeMemberRole, removeMember } from './members/change-members.ts';
import { listMembers, readMember } from './members/list-members.ts';
import { createOrganization } from './organizations/create-organization.ts';
import { deleteOrganization } from './organizations/delete-organization.ts';
import { checkOrganizationAccess } from './organizations/organization-access.ts';
import { readAuditLog } from './organizations/read-audit-log.ts';
import { listOrganizations, readOrganization } from './organizations/read-organizations.ts';
import { updateOrganization } from './organizations/update-organization.ts';

/** The factories of the use cases of organizations, their members, backends and domains. */
export const organizationUseCases = {
  readAccountLog,
  listOrganizations,
  createOrganization,
  readOrganization,
  updateOrganization,
  deleteOrganization,
  checkOrganizationAccess,
  listMembers,
  readMember,
  changeMemberRole,
  removeMember,
  readAuditLog,
  recordRefusal,
  listInvitations,
  createInvitation,
  readInvitation,
  resendInvitation,
  revokeInvitation,
  acceptInvitation,
  listOriginServers,
  createOriginServer,
  readOriginServer,
  updateOriginServer,
  deleteOriginServer,
  listLoadBalancers,
  createLoadBalancer,
  readLoadBalancer,
  updateLoadBalancer,
  deleteLoadBalancer,
  listDomains,
  createDomain,
  readDomain,
  checkRecord,
  verifyDomain,
  deleteDomain,
};
