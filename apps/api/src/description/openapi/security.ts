import { cookieNames } from '../../http/cookies.ts';
import type { Route } from '../../http/route.ts';

/** Authentication schemes (interface, "Authentication"). */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session: `Authorization: Bearer <token>`.',
  },
  apiToken: { type: 'apiKey', in: 'header', name: 'X-API-TOKEN', description: 'A long-lived API token for programs.' },
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

type Requirement = Readonly<Partial<Record<keyof typeof securitySchemes, readonly never[]>>>;

const session: readonly Requirement[] = [{ bearer: [] }, { sessionCookie: [] }];

/** Alternatives, any of which suffices (OpenAPI 3.1 section 4.8.30); an empty one means no credential. */
export function securityOf({ access, cookies }: Route): readonly Requirement[] {
  switch (access) {
    case 'public':
      return cookies.reads?.includes('accessToken') === true ? [{}, ...session] : [];
    case 'protected':
      return [...session, { apiToken: [] }];
    case 'session':
      return session;
    case 'edge':
      return [{ edgeKey: [] }];
  }
}
