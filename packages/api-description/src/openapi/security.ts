import type { NeededPermissions, TokenPermission } from '@zonewright/core';
import { cookieNames } from '../cookie-names.ts';
import type { DescribedRoute } from '../route.ts';
import { permissionsOf } from '../route.ts';

/** Authentication schemes (interface, "Authentication"). */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session: `Authorization: Bearer <token>`.',
  },
  apiToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-TOKEN',
    description: 'A long-lived API token for programs. The roles of a requirement are permissions of the token.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieNames.accessToken,
    description: 'The access token as a cookie, for browsers; used only if there is no `Authorization` header.',
  },
  edgeKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'zwe_…',
    description: 'The key of an edge: `Authorization: Bearer zwe_…`.',
  },
} as const;

type Requirement = Readonly<Partial<Record<keyof typeof securitySchemes, readonly TokenPermission[]>>>;

const session: readonly Requirement[] = [{ bearer: [] }, { sessionCookie: [] }];

/**
 * Alternatives, any of which suffices (OpenAPI 3.1 section 4.8.30); an empty one means no credential. An API token with
 * each of the permissions, or combination of permissions, is an alternative of its own.
 */
export function securityOf({ access, cookies, permission }: DescribedRoute): readonly Requirement[] {
  switch (access) {
    case 'public':
      return cookies.reads?.includes('accessToken') === true ? [{}, ...session] : [];
    case 'protected':
      return permission === 'session' ? session : [...session, ...tokensWith(permissionsOf(permission))];
    case 'session':
      return session;
    case 'edge':
      return [{ edgeKey: [] }];
  }
}

const tokensWith = (lists: readonly NeededPermissions[]): readonly Requirement[] =>
  sufficientSets(lists).map((permissions) => ({ apiToken: permissions }));

/** The smallest sets with a permission of each list. */
function sufficientSets(lists: readonly NeededPermissions[]): readonly (readonly TokenPermission[])[] {
  const choices = lists.reduce<readonly (readonly TokenPermission[])[]>(
    (sets, list) => sets.flatMap((set) => list.map((each) => (set.includes(each) ? set : [...set, each]))),
    [[]],
  );
  return choices.filter(
    (set) => !choices.some((other) => other.length < set.length && other.every((each) => set.includes(each))),
  );
}
