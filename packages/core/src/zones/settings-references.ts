import { okAsync, type ResultAsync } from 'neverthrow';
import type { BackendReference } from '../backends/backend-reference.ts';
import type { BackendOrigin } from '../backends/ports.ts';
import type { Repositories } from '../repositories.ts';
import type { BasicAuthUserId } from '../shared/ids.ts';
import { nameKey } from '../shared/text.ts';
import { type Violation, violation, violationsUnder } from '../shared/violation.ts';
import { settingsViolations } from './settings-rules.ts';
import type { Zone, ZoneName } from './zone.ts';
import type { ZoneSettings } from './zone-settings.ts';

/** The settings that name things stored elsewhere. */
export interface SettingsReferences {
  readonly defaultBackend?: BackendReference | undefined;
  readonly basicAuth?: { readonly enabled: boolean; readonly allowedUserIds: readonly BasicAuthUserId[] } | undefined;
}

/** What is wrong with the settings of a zone that does not exist yet; paths start at `zone_settings`. */
export const newZoneSettingsViolations = (
  repositories: Repositories,
  zone: Pick<Zone, 'organizationId' | 'name'>,
  settings: ZoneSettings,
): ResultAsync<readonly Violation[], never> =>
  backendViolations(repositories, zone, settings).map((dangling) =>
    violationsUnder('zone_settings', [
      ...settingsViolations(settings),
      ...dangling,
      ...basicAuthViolations(settings, new Set()),
    ]),
  );

/**
 * Which references of a locked zone's settings, or of one of its rules, lead nowhere or in circles; paths start at the
 * settings.
 */
export const referenceViolations = (
  repositories: Repositories,
  zone: Pick<Zone, 'id' | 'organizationId' | 'name'>,
  settings: SettingsReferences,
): ResultAsync<readonly Violation[], never> =>
  backendViolations(repositories, zone, settings).andThen((dangling) =>
    settings.basicAuth === undefined
      ? okAsync(dangling)
      : repositories.basicAuthUsers
          .idsIn(zone.id)
          .map((users) => [...dangling, ...basicAuthViolations(settings, users)]),
  );

const backendViolations = (
  { backends }: Repositories,
  { organizationId, name }: Pick<Zone, 'organizationId' | 'name'>,
  { defaultBackend }: SettingsReferences,
): ResultAsync<readonly Violation[], never> =>
  defaultBackend === undefined
    ? okAsync([])
    : backends
        .lockIfPresent(organizationId, defaultBackend)
        .andThen((present) =>
          present
            ? backends.originsBehind(defaultBackend).map((origins) => originViolations(name, origins))
            : okAsync([violation('defaultBackend', 'backend.unknown', 'The organization has no such backend.')]),
        );

/** What is wrong with the origin servers behind a backend, seen from a zone that uses it. */
const originViolations = (zone: ZoneName, origins: readonly BackendOrigin[]): readonly Violation[] => [
  ...(origins.some(({ enabled }) => enabled)
    ? []
    : [violation('defaultBackend', 'backend.noEnabledOrigin', 'The load balancer has no enabled origin.')]),
  ...(origins.some(({ addressKey }) => addressKey === nameKey(zone))
    ? [violation('defaultBackend', 'backend.loop', 'The backend has the address of the zone: requests would go round.')]
    : []),
];

function basicAuthViolations(
  { basicAuth }: SettingsReferences,
  users: ReadonlySet<BasicAuthUserId>,
): readonly Violation[] {
  if (basicAuth === undefined) return [];
  const unknown = basicAuth.allowedUserIds.flatMap((id, index) =>
    users.has(id)
      ? []
      : [
          violation(
            `basicAuth.allowedUserIds[${index}]`,
            'basicAuth.user.unknown',
            'The zone has no such basic-auth user.',
          ),
        ],
  );
  const lockedOut = basicAuth.enabled && users.size === 0;
  return lockedOut
    ? [
        ...unknown,
        violation('basicAuth.enabled', 'basicAuth.noUser', 'The zone has no basic-auth user: nobody could pass.'),
      ]
    : unknown;
}
