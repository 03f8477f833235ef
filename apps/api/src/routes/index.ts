import type { Route } from '../http/route.ts';
import { type AccountUseCases, accountRoutes } from './accounts.ts';
import { type ApiTokenUseCases, apiTokenRoutes } from './api-tokens.ts';
import { type AuditLogUseCases, auditLogRoutes } from './audit-log.ts';
import { type BasicAuthUserUseCases, basicAuthUserRoutes } from './basic-auth-users.ts';
import { type InvitationUseCases, invitationRoutes } from './invitations.ts';
import { type LoadBalancerUseCases, loadBalancerRoutes } from './load-balancers.ts';
import { type MemberUseCases, memberRoutes } from './members.ts';
import { type OrganizationUseCases, organizationRoutes } from './organizations.ts';
import { type OriginServerUseCases, originServerRoutes } from './origin-servers.ts';
import { type RevisionUseCases, revisionRoutes } from './revisions.ts';
import { type RuleUseCases, ruleRoutes } from './rules.ts';
import { type SessionUseCases, sessionRoutes } from './sessions.ts';
import { type TwoFactorUseCases, twoFactorRoutes } from './two-factor.ts';
import { type ZoneUseCases, zoneRoutes } from './zones.ts';

export type UseCases = AccountUseCases &
  SessionUseCases &
  TwoFactorUseCases &
  ApiTokenUseCases &
  OrganizationUseCases &
  MemberUseCases &
  AuditLogUseCases &
  InvitationUseCases &
  OriginServerUseCases &
  LoadBalancerUseCases &
  ZoneUseCases &
  RuleUseCases &
  BasicAuthUserUseCases &
  RevisionUseCases;

/** Every route of the API: the table that the app serves and that tests walk. The first row that fits answers. */
export const routeTable = (useCases: UseCases): readonly Route[] => [
  ...sessionRoutes(useCases),
  ...accountRoutes(useCases),
  ...twoFactorRoutes(useCases),
  ...apiTokenRoutes(useCases),
  ...organizationRoutes(useCases),
  ...memberRoutes(useCases),
  ...auditLogRoutes(useCases),
  ...invitationRoutes(useCases),
  ...originServerRoutes(useCases),
  ...loadBalancerRoutes(useCases),
  ...zoneRoutes(useCases),
  ...ruleRoutes(useCases),
  ...basicAuthUserRoutes(useCases),
  ...revisionRoutes(useCases),
];
