import type { Route } from '../../src/http/route.ts';
import { routeTable } from '../../src/routes/index.ts';
import {
  aDeletedZone,
  aDomain,
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
import { addPasskey } from './passkeys.ts';
import { aBasicAuthUser, aChangeSet, aPromotion, aRuleIn, type RuleListName } from './zone-contents.ts';

export const routes: readonly Route[] = routeTable();

export const named = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

/** Ids by the path segments they complete. */
type Ids = Readonly<Record<string, string | number>>;

/** Creates one object for every path parameter, reachable by the user. */
export async function someOfEverything(service: Place, user: User): Promise<Ids> {
  const zone = await aZone(user);
  const { apiToken } = await anApiToken(user);
  return {
    'zones/:id': zone.id,
    'zones/:zoneId': zone.id,
    ...(await someOfZone(user, zone)),
    'users/:id': user.id,
    // Of a provider where flows begin, and of an identity where one is unlinked.
    'providers/:id': 'corp',
    ...(await someOfOrganization(service, user)),
    'api-tokens/:id': apiToken.id,
    'sessions/:id': await anotherSession(service, user),
    'documents/:digest': `sha256:${'0'.repeat(64)}`,
    'passkeys/:id': (await addPasskey(user)).passkey.id,
  };
}

/** Creates one object for every path parameter below the zone; with a route, only those in its path. */
export async function someOfZone(user: User, zone: { readonly id: string }, route?: Pick<Route, 'path'>): Promise<Ids> {
  const ids: Record<string, string | number> = { 'revisions/:number': 1, 'diff/:other': 3, 'behaviour/:other': 3 };
  for (const [part, make] of Object.entries(insideZones)) {
    if (route?.path.includes(part) ?? true) Object.assign(ids, await make(user, zone));
  }
  return ids;
}

const ruleIn =
  (part: string, list: RuleListName) =>
  async (user: User, zone: { readonly id: string }): Promise<Ids> => ({ [part]: (await aRuleIn(user, zone, list)).id });

const insideZones: Readonly<Record<string, (user: User, zone: { readonly id: string }) => Promise<Ids>>> = {
  'promotions/:id': async (user, zone) => {
    const { id, from } = await aPromotion(user, zone);
    // Bodies use the source, which is not a path parameter.
    return { 'promotions/:id': id, 'promotions/:from': from };
  },
  'configuration-rules/:id': ruleIn('configuration-rules/:id', 'configurationRules'),
  'rewrite-rules/:id': ruleIn('rewrite-rules/:id', 'rewriteRules'),
  'access-rules/:id': ruleIn('access-rules/:id', 'accessRules'),
  'scenarios/:id': ruleIn('scenarios/:id', 'securityScenarios'),
  'basic-auth-users/:id': async (user, zone) => ({ 'basic-auth-users/:id': (await aBasicAuthUser(user, zone)).id }),
  'change-sets/:id': async (user, zone) => ({ 'change-sets/:id': (await aChangeSet(user, zone)).id }),
};

/** Creates one object for every path parameter below the user's organization; with a route, only those in its path. */
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
    'domains/:domain': (_, user) => aDomain(user),
    'origin-servers/:originServer': (_, user) => anOriginServer(user),
    'load-balancers/:loadBalancer': (_, user) => aLoadBalancer(user),
    'deleted-zones/:zoneId': (_, user) => aDeletedZone(user),
  };

/** Required query parameters of reads. */
const questions = {
  '/api/zones/:id/evaluation': '?url=https://shop.example.com/',
  '/api/zones/:zoneId/change-sets/:id/evaluation': '?url=https://shop.example.com/',
} as const;

/** The URL of a route with all parameters and required queries filled in. */
export function addressOf({ method, path }: Pick<Route, 'method' | 'path'>, ids: Ids): string {
  const question = method === 'get' ? (questions[path as keyof typeof questions] ?? '') : '';
  return `${path}${question}`.replace(/([a-z-]+\/):(\w+)/g, (part) => {
    const id = ids[part];
    if (id === undefined) throw new Error(`Nothing is known about ${part} in ${path}.`);
    return part.replace(/:\w+/, String(id));
  });
}
