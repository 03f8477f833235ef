import type { UseCases } from '@zonewright/core';
import type { Route } from '../../src/http/route.ts';
import { routeTable } from '../../src/routes/index.ts';
import {
  aDeletedZone,
  aLoadBalancer,
  aMember,
  anApiToken,
  anInvitation,
  anOriginServer,
  anotherSession,
  aZone,
  type Place,
  type User,
} from './arrange.ts';
import { aBasicAuthUser, aChangeSet, aPromotion, aRuleIn } from './zone-contents.ts';

// The table only passes use cases on: none is needed to read it.
export const routes: readonly Route[] = routeTable({} as UseCases);

export const named = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

/** Ids by the part of a path they complete. */
type Ids = Readonly<Record<string, string | number>>;

/** One of everything that paths name, within reach of the user. */
export async function someOfEverything(service: Place, user: User): Promise<Ids> {
  const zone = await aZone(user);
  const { apiToken } = await anApiToken(user);
  return {
    'zones/:id': zone.id,
    'zones/:zoneId': zone.id,
    ...(await someOfZone(user, zone)),
    'users/:id': user.id,
    ...(await someOfOrganization(service, user)),
    'api-tokens/:id': apiToken.id,
    'sessions/:id': await anotherSession(service, user),
  };
}

/** One of everything that paths name inside the zone. */
export async function someOfZone(user: User, zone: { readonly id: string }): Promise<Ids> {
  const promotion = await aPromotion(user, zone);
  return {
    'configuration-rules/:id': (await aRuleIn(user, zone, 'configurationRules')).id,
    'rewrite-rules/:id': (await aRuleIn(user, zone, 'rewriteRules')).id,
    'access-rules/:id': (await aRuleIn(user, zone, 'accessRules')).id,
    'scenarios/:id': (await aRuleIn(user, zone, 'securityScenarios')).id,
    'basic-auth-users/:id': (await aBasicAuthUser(user, zone)).id,
    'change-sets/:id': (await aChangeSet(user, zone)).id,
    'promotions/:id': promotion.id,
    // No path has it: bodies do.
    'promotions/:from': promotion.from,
    'revisions/:number': 1,
    'diff/:other': 3,
    'behaviour/:other': 3,
  };
}

/** One of everything that paths name inside the organization of the user; with a route, only of what its path names. */
export async function someOfOrganization(service: Place, user: User, route?: Pick<Route, 'path'>): Promise<Ids> {
  const ids: Record<string, string | number> = { 'organizations/:id': user.organization };
  for (const [part, make] of Object.entries(insideOrganizations)) {
    if (route?.path.includes(part) ?? true) ids[part] = (await make(service, user)).id;
  }
  return ids;
}

const insideOrganizations: Readonly<Record<string, (service: Place, user: User) => Promise<{ readonly id: string }>>> =
  {
    'members/:user': (service, user) => aMember(service, user, 'viewer'),
    'invitations/:invitation': (_, user) => anInvitation(user),
    'origin-servers/:originServer': (_, user) => anOriginServer(user),
    'load-balancers/:loadBalancer': (_, user) => aLoadBalancer(user),
    'deleted-zones/:zoneId': (_, user) => aDeletedZone(user),
  };

/** What reads have to be asked. */
const questions = {
  '/api/zones/:id/evaluation': '?url=https://shop.example.com/',
  '/api/zones/:zoneId/change-sets/:id/evaluation': '?url=https://shop.example.com/',
} as const;

/** The address of a route in which everything named exists, with what it has to be asked. */
export function addressOf({ method, path }: Pick<Route, 'method' | 'path'>, ids: Ids): string {
  const question = method === 'get' ? (questions[path as keyof typeof questions] ?? '') : '';
  return `${path}${question}`.replace(/([a-z-]+\/):(\w+)/g, (part) => {
    const id = ids[part];
    if (id === undefined) throw new Error(`Nothing is known about ${part} in ${path}.`);
    return part.replace(/:\w+/, String(id));
  });
}
