import type { Route } from '../http/route.ts';
import { accountRoutes } from './accounts.ts';
import { addressChangeRoutes } from './address-changes.ts';
import { apiTokenRoutes } from './api-tokens.ts';
import { auditLogRoutes } from './audit-log.ts';
import { backendRevisionRoutes } from './backend-revisions.ts';
import { basicAuthUserRoutes } from './basic-auth-users.ts';
import { behaviourRoutes } from './behaviour.ts';
import { changeSetRoutes } from './change-sets.ts';
import { deletedZoneRoutes } from './deleted-zones.ts';
import { deliveryRoutes } from './delivery.ts';
import { domainRoutes } from './domains.ts';
import { edgeRoutes } from './edges.ts';
import { evaluationRoutes } from './evaluation.ts';
import { findingsRoutes } from './findings.ts';
import { identityRoutes } from './identities.ts';
import { invitationRoutes } from './invitations.ts';
import { loadBalancerRoutes } from './load-balancers.ts';
import { memberRoutes } from './members.ts';
import { organizationRoutes } from './organizations.ts';
import { originServerRoutes } from './origin-servers.ts';
import { passkeyRoutes } from './passkeys.ts';
import { promotionRoutes } from './promotions.ts';
import { revisionRoutes } from './revisions.ts';
import { ruleRoutes } from './rules.ts';
import { securityScenarioRoutes } from './security-scenarios.ts';
import { sessionRoutes } from './sessions.ts';
import { twoFactorRoutes } from './two-factor.ts';
import { zoneRoutes } from './zones.ts';

/** Every route of the API, as the app serves it and tests enumerate it. The first match wins. */
export const routeTable = (): readonly Route[] => [
  ...sessionRoutes,
  ...identityRoutes,
  ...addressChangeRoutes,
  ...accountRoutes,
  ...twoFactorRoutes,
  ...passkeyRoutes,
  ...apiTokenRoutes,
  ...organizationRoutes,
  ...memberRoutes,
  ...auditLogRoutes,
  ...invitationRoutes,
  ...domainRoutes,
  ...originServerRoutes,
  ...loadBalancerRoutes,
  ...backendRevisionRoutes,
  ...deletedZoneRoutes,
  ...zoneRoutes,
  ...findingsRoutes,
  ...behaviourRoutes,
  ...ruleRoutes,
  ...securityScenarioRoutes,
  ...basicAuthUserRoutes,
  ...revisionRoutes,
  ...promotionRoutes,
  ...evaluationRoutes,
  ...changeSetRoutes,
  ...deliveryRoutes,
  ...edgeRoutes,
];
