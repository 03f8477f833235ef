import type { Route } from '../../src/http/route.ts';
import { routeTable, type UseCases } from '../../src/routes/index.ts';
import { aMember, anApiToken, anInvitation, anotherSession, aRule, aZone, type User } from './arrange.ts';
import type { TestService } from './service.ts';

// The table only passes use cases on: none is needed to read it.
export const routes: readonly Route[] = routeTable({} as UseCases);

export const named = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

/** Ids by the part of a path they complete. */
type Ids = Readonly<Record<string, string | number>>;

/** One of everything that paths name, within reach of the user. */
export async function someOfEverything(service: TestService, user: User): Promise<Ids> {
  const zone = await aZone(user);
  const rule = await aRule(user, zone);
  const { apiToken } = await anApiToken(user);
  return {
    'zones/:id': zone.id,
    'zones/:zoneId': zone.id,
    'configuration-rules/:id': rule.id,
    'users/:id': user.id,
    ...(await someOfOrganization(service, user)),
    'api-tokens/:id': apiToken.id,
    'sessions/:id': await anotherSession(service, user),
  };
}

/** One of everything that paths name inside the organization of the user. */
export async function someOfOrganization(service: TestService, user: User): Promise<Ids> {
  const member = await aMember(service, user, 'viewer');
  const invitation = await anInvitation(user);
  return {
    'organizations/:id': user.organization,
    'members/:user': member.id,
    'invitations/:invitation': invitation.id,
  };
}

/** The address of a route in which everything named exists. */
export function addressOf({ path }: Pick<Route, 'path'>, ids: Ids): string {
  return path.replace(/([a-z-]+\/):(\w+)/g, (part) => {
    const id = ids[part];
    if (id === undefined) throw new Error(`Nothing is known about ${part} in ${path}.`);
    return part.replace(/:\w+/, String(id));
  });
}
