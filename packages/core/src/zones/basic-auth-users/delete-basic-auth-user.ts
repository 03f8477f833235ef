import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { BasicAuthUserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { basicAuthUserVersion } from '../basic-auth/basic-auth-user.ts';
import type { SettingsReferences } from '../settings/references.ts';
import { changeZone, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { type BasicAuthUserInUse, type BasicAuthUserNotFound, basicAuthUserInUse } from './errors.ts';
import { userIn } from './user-in-zone.ts';

/** Deletes a basic-auth user that nothing depends on. */
export const deleteBasicAuthUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ZoneChangeRepositories> }) =>
  (
    caller: Caller,
    zone: ZoneId,
    id: BasicAuthUserId,
    expected: ExpectedVersions,
  ): ResultAsync<void, ZoneAccessError | BasicAuthUserNotFound | VersionMismatch | BasicAuthUserInUse | InvalidInput> =>
    changeZone(unitOfWork, caller, zone, {
      permission: 'basicAuthUsers.write',
      decide: ({ state }) =>
        safeTry(function* () {
          const user = yield* userIn(state, id);
          yield* requireVersion(expected, basicAuthUserVersion(user));
          yield* requireUnused(state, id);
          return ok({
            decided: {
              plan: { users: { added: [], changed: [], removed: [id] } },
              action: 'basicAuthUser.deleted',
              objects: { basicAuthUser: id },
              name: user.username,
            },
          });
        }),
    }).map(() => undefined);

/** Refuses to remove a user that is named in settings or rules, or the last one where authentication is enabled. */
function requireUnused({ zone, rules, users }: ZoneState, id: BasicAuthUserId): Result<void, BasicAuthUserInUse> {
  const isLast = users.length === 1;
  const needs = ({ basicAuth }: SettingsReferences): boolean =>
    basicAuth !== undefined && (basicAuth.allowedUserIds.includes(id) || (isLast && basicAuth.enabled));
  const needing = rules.configurationRule.filter(({ content }) => needs(content.value.settingsOverrides));
  const usedBy = { settings: needs(zone.settings.value), rules: needing.map((rule) => rule.id) };
  return usedBy.settings || needing.length > 0 ? err(basicAuthUserInUse(zone.id, usedBy)) : ok();
}
