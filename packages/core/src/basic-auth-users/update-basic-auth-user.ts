import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { HashingBusy } from '../accounts/errors.ts';
import { recordChange } from '../history/record-change.ts';
import { basicAuthUserMember } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { checkZoneAccess, lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import { type BasicAuthUser, BasicAuthUserChange, basicAuthUserVersion } from './basic-auth-user.ts';
import type { BasicAuthUserNotFound } from './errors.ts';
import { givenHash } from './password-hash.ts';
import type { BasicAuthPasswordHashes } from './ports.ts';
import { readBasicAuthUser } from './read-basic-auth-user.ts';

export type UpdateBasicAuthUserError =
  | ZoneAccessError
  | BasicAuthUserNotFound
  | VersionMismatch
  | InvalidInput
  | HashingBusy;
export type UpdateBasicAuthUser = (
  caller: Caller,
  zone: ZoneId,
  id: BasicAuthUserId,
  patch: JsonObject,
  expected: ExpectedVersions,
) => ResultAsync<BasicAuthUser, UpdateBasicAuthUserError>;

/**
 * Changes comment or password by a merge patch. The password is hashed before anything is locked, and for nobody who may
 * not change it.
 */
export const updateBasicAuthUser =
  (ports: {
    readonly unitOfWork: UnitOfWork;
    readonly basicAuthPasswords: BasicAuthPasswordHashes;
  }): UpdateBasicAuthUser =>
  (caller, zoneId, id, patch, expected) =>
    checkZoneAccess(ports)(caller, zoneId, 'basicAuthUsers.write')
      .andThen(() => readBasicAuthUser(ports)(caller, zoneId, id))
      .andThen((user) => requireVersion(expected, basicAuthUserVersion(user)).andThen(() => patched(user, patch)))
      .andThen((change) => givenHash(ports.basicAuthPasswords, change))
      .andThen((hash) =>
        ports.unitOfWork.run((repositories) =>
          safeTry(async function* () {
            const zone = yield* lockZoneFor(repositories, caller, zoneId, 'basicAuthUsers.write');
            const current = yield* repositories.basicAuthUsers.byId(zoneId, id);
            yield* requireVersion(expected, basicAuthUserVersion(current));
            const { comment } = yield* patched(current, patch);
            if (hash === undefined && comment === current.comment) return ok(current);
            const user = yield* repositories.basicAuthUsers.save({ ...current, comment }, hash);
            yield* recordChange(repositories, caller, zone, {
              action: hash === undefined ? 'basicAuthUser.changed' : 'basicAuthUser.passwordChanged',
              objects: { basicAuthUser: id },
              before: { basicAuthUsers: { [id]: basicAuthUserMember(current) } },
              after: { basicAuthUsers: { [id]: basicAuthUserMember(user) } },
            });
            return ok(user);
          }),
        ),
      );

const patched = ({ username, comment }: BasicAuthUser, patch: JsonObject): Result<BasicAuthUserChange, InvalidInput> =>
  parseDocument(BasicAuthUserChange, mergePatch({ username, comment }, patch)).andThen((change) =>
    change.username === username
      ? ok(change)
      : err(invalidInput([violation('username', 'basicAuth.username.change', 'The user name cannot be changed.')])),
  );
