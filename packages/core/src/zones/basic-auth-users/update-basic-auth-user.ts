import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { HashingBusy } from '../../accounts/accounts/errors.ts';
import type { BasicAuthUserId, ZoneId } from '../../kernel/shared/ids.ts';
import { type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import { parseDocument } from '../../kernel/shared/parse.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import {
  BasicAuthPassword,
  type BasicAuthPasswordHash,
  type BasicAuthUser,
  BasicAuthUserChange,
  basicAuthUserVersion,
} from '../basic-auth/basic-auth-user.ts';
import { changeZone, tryChange, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import type { ZoneCommand } from '../zone-changes/zone-command.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { BasicAuthUserNotFound } from './errors.ts';
import type { BasicAuthPasswordHashes } from './ports.ts';
import { userAfter, userIn } from './user-in-zone.ts';

export type UpdateBasicAuthUserError =
  | ZoneAccessError
  | BasicAuthUserNotFound
  | VersionMismatch
  | InvalidInput
  | HashingBusy;

/**
 * Applies a merge patch to the comment or password. The password is hashed before anything is written, and only if the
 * caller may change it.
 */
export const updateBasicAuthUser =
  ({
    unitOfWork,
    basicAuthPasswords,
  }: {
    readonly unitOfWork: UnitOfWork<ZoneChangeRepositories>;
    readonly basicAuthPasswords: BasicAuthPasswordHashes;
  }) =>
  (
    caller: Caller,
    zone: ZoneId,
    id: BasicAuthUserId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<BasicAuthUser, UpdateBasicAuthUserError> => {
    const { password } = patch;
    const change = (hash?: BasicAuthPasswordHash) =>
      changeZone(unitOfWork, caller, zone, userUpdate(id, patch, expected, hash)).andThen(userAfter(id));
    if (typeof password !== 'string') return change();
    return tryChange(unitOfWork, caller, zone, userUpdate(id, patch, expected))
      .andThen(() => basicAuthPasswords.hash(BasicAuthPassword.parse(password)))
      .andThen(change);
  };

/** The command that merges a patch into a user. `hash` is the hash of the patch's password, if it has one. */
const userUpdate = (
  id: BasicAuthUserId,
  patch: JsonObject,
  expected: ExpectedVersions,
  hash?: BasicAuthPasswordHash,
): ZoneCommand<BasicAuthUserNotFound | VersionMismatch | InvalidInput> => ({
  permission: 'basicAuthUsers.write',
  decide: ({ state }) =>
    safeTry(function* () {
      const current = yield* userIn(state, id);
      yield* requireVersion(expected, basicAuthUserVersion(current));
      const { comment, passwordHash } = yield* patched(current, patch);
      const user = { id, comment, hash: hash ?? passwordHash };
      const isSame = user.hash === undefined && comment === current.comment;
      return ok({
        decided: {
          plan: isSame ? {} : { users: { added: [], changed: [user], removed: [] } },
          action: user.hash === undefined ? 'basicAuthUser.changed' : 'basicAuthUser.passwordChanged',
          objects: { basicAuthUser: id },
        },
      });
    }),
});

const patched = ({ username, comment }: BasicAuthUser, patch: JsonObject): Result<BasicAuthUserChange, InvalidInput> =>
  parseDocument(BasicAuthUserChange, mergePatch({ username, comment }, patch)).andThen((change) =>
    change.username === username
      ? ok(change)
      : err(invalidAt('username', 'basicAuth.username.change', 'The user name cannot be changed.')),
  );
