import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { recordChange } from '../history/record-change.ts';
import { basicAuthUserMember } from '../history/zone-document.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { SettingsReferences } from '../settings/references.ts';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { Zone } from '../zones/zone.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import { basicAuthUserVersion } from './basic-auth-user.ts';
import { type BasicAuthUserInUse, type BasicAuthUserNotFound, basicAuthUserInUse } from './errors.ts';

export type DeleteBasicAuthUserError = ZoneAccessError | BasicAuthUserNotFound | VersionMismatch | BasicAuthUserInUse;
export type DeleteBasicAuthUser = (
  caller: Caller,
  zone: ZoneId,
  id: BasicAuthUserId,
  expected: ExpectedVersions,
) => ResultAsync<void, DeleteBasicAuthUserError>;

/** Deletes a basic-auth user that nothing needs. */
export const deleteBasicAuthUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): DeleteBasicAuthUser =>
  (caller, zoneId, id, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { basicAuthUsers } = repositories;
        const zone = yield* lockZoneFor(repositories, caller, zoneId, 'basicAuthUsers.write');
        const user = yield* basicAuthUsers.byId(zoneId, id);
        yield* requireVersion(expected, basicAuthUserVersion(user));
        yield* requireUnused(repositories, zone, id);
        yield* basicAuthUsers.remove(zoneId, id);
        yield* recordChange(repositories, caller, zone, {
          action: 'basicAuthUser.deleted',
          objects: { basicAuthUser: id },
          name: user.username,
          before: { basicAuthUsers: { [id]: basicAuthUserMember(user) } },
          after: { basicAuthUsers: {} },
        });
        return ok();
      }),
    );

/** Refuses to remove a user that is named, or the last one where a user must be able to pass. */
const requireUnused = (
  { rules, basicAuthUsers }: Repositories,
  zone: Zone,
  id: BasicAuthUserId,
): ResultAsync<void, BasicAuthUserInUse> =>
  safeTry(async function* () {
    const isLast = (yield* basicAuthUsers.idsIn(zone.id)).size === 1;
    const all = yield* rules.all({ zone: zone.id, kind: 'configurationRule' });
    const needs = ({ basicAuth }: SettingsReferences): boolean =>
      basicAuth !== undefined && (basicAuth.allowedUserIds.includes(id) || (isLast && basicAuth.enabled));
    const needing = all.filter(({ content }) => needs(content.value.settingsOverrides)).map((rule) => rule.id);
    const usedBy = { settings: needs(zone.settings.value), rules: needing };
    return usedBy.settings || needing.length > 0 ? err(basicAuthUserInUse(zone.id, usedBy)) : ok();
  });
