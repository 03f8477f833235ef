import type { Route } from '../http/route.ts';
import { accountRoutes } from './accounts/accounts.ts';
import { addressChangeRoutes } from './accounts/address-changes.ts';
import { apiTokenRoutes } from './accounts/api-tokens.ts';
import { identityRoutes } from './accounts/identities.ts';
import { passkeyRoutes } from './accounts/passkeys.ts';
import { sessionRoutes } from './accounts/sessions.ts';
import { twoFactorRoutes } from './accounts/two-factor.ts';
import { deliveryRoutes } from './delivery/delivery.ts';
import { edgeRoutes } from './delivery/edges.ts';
import { auditLogRoutes } from './organizations/audit-log.ts';
import { domainRoutes } from './organizations/domains.ts';
import { invitationRoutes } from './organizations/invitations.ts';
import { loadBalancerRoutes } from './organizations/load-balancers.ts';
import { memberRoutes } from './organizations/members.ts';
import { organizationRoutes } from './organizations/organizations.ts';
import { originServerRoutes } from './organizations/origin-servers.ts';
import { behaviourRoutes } from './review/behaviour.ts';
import { changeSetRoutes } from './review/change-sets.ts';
import { findingsRoutes } from './review/findings.ts';
import { promotionRoutes } from './review/promotions.ts';
import { backendRevisionRoutes } from './zones/backend-revisions.ts';
import { basicAuthUserRoutes } from './zones/basic-auth-users.ts';
import { deletedZoneRoutes } from './zones/deleted-zones.ts';
import { evaluationRoutes } from './zones/evaluation.ts';
import { revisionRoutes } from './zones/revisions.ts';
import { ruleRoutes } from './zones/rules.ts';
import { securityScenarioRoutes } from './zones/security-scenarios.ts';
import { zoneRoutes } from './zones/zones.ts';

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
