import { listOf, type ZoneDraft } from '../support/documents.ts';
import { attackedHost } from './attack.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a zone of these tests has besides its origin. */
export interface ProxiedZone {
  readonly id?: string;
  readonly host?: string;
  readonly settings?: Members;
  readonly access?: readonly Members[];
  readonly rewrites?: readonly Members[];
  readonly rules?: readonly Members[];
  readonly users?: Readonly<Record<string, { readonly username: string; readonly hash: string }>>;
  readonly revision?: number;
}

/** A zone whose only origin is a port of this machine. */
export function proxiedZone(port: number, zone: ProxiedZone = {}): ZoneDraft {
  const { id = 'attacked', host = attackedHost, settings, access = [], rewrites = [], rules = [], users = {} } = zone;
  const origin = `origin-of-${id}`;
  return {
    id,
    revision: zone.revision ?? 1,
    hostnames: [host],
    checks: [],
    document: {
      zone_settings: { defaultBackend: { type: 'origin_server', id: origin }, ...settings },
      accessRules: listOf(access),
      rewriteRules: listOf(rewrites),
      configurationRules: listOf(rules),
      basicAuthUsers: Object.fromEntries(Object.entries(users).map(([user, { username }]) => [user, { username }])),
    },
    more: {
      backends: {
        [origin]: {
          kind: 'origin_server',
          id: origin,
          organization: '/api/organizations/1',
          name: 'Origin',
          protocol: 'http',
          address: '127.0.0.1',
          port,
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-01T00:00:00.000Z',
        },
      },
      basicAuthUsers: users,
    },
  };
}
