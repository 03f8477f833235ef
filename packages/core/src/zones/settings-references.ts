import { okAsync, type ResultAsync } from 'neverthrow';
import type { BasicAuthUserId, OrganizationId, ZoneId } from '../shared/ids.ts';
import type { Repositories } from '../shared/unit-of-work.ts';
import { type Violation, violation } from '../shared/violation.ts';
import type { BackendReference } from './backend-reference.ts';
import { settingsViolations } from './settings-rules.ts';
import type { ZoneSettings } from './zone-settings.ts';

/** The settings that name things stored elsewhere. */
export interface SettingsReferences {
  readonly defaultBackend?: BackendReference | undefined;
  readonly basicAuth?: { readonly enabled: boolean; readonly allowedUserIds: readonly BasicAuthUserId[] } | undefined;
}

/** What is wrong with the settings of a zone that does not exist yet; paths start at `zone_settings`. */
export const newZoneSettingsViolations = (
  repositories: Repositories,
  organization: OrganizationId,
  settings: ZoneSettings,
): ResultAsync<readonly Violation[], never> =>
  backendViolations(repositories, organization, settings).map((dangling) =>
    [...settingsViolations(settings), ...dangling, ...basicAuthViolations(settings, new Set())].map((each) => ({
      ...each,
      propertyPath: `zone_settings.${each.propertyPath}`,
    })),
  );

/** Which references of a locked zone's settings, or of one of its rules, lead nowhere; paths start at the settings. */
export const referenceViolations = (
  repositories: Repositories,
  zone: { readonly id: ZoneId; readonly organizationId: OrganizationId },
  settings: SettingsReferences,
): ResultAsync<readonly Violation[], never> =>
  backendViolations(repositories, zone.organizationId, settings).andThen((dangling) =>
    settings.basicAuth === undefined
      ? okAsync(dangling)
      : repositories.basicAuthUsers
          .idsIn(zone.id)
          .map((users) => [...dangling, ...basicAuthViolations(settings, users)]),
  );

const backendViolations = (
  { backends }: Repositories,
  organization: OrganizationId,
  { defaultBackend }: SettingsReferences,
): ResultAsync<readonly Violation[], never> =>
  defaultBackend === undefined
    ? okAsync([])
    : backends
        .lockIfPresent(organization, defaultBackend)
        .map((present) =>
          present ? [] : [violation('defaultBackend', 'backend.unknown', 'The organization has no such backend.')],
        );

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
