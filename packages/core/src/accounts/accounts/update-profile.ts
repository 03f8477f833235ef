import { ok, type ResultAsync, safeTry } from 'neverthrow';
import { type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import { parse } from '../../kernel/shared/parse.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { AccountNotFound, PermissionMissing } from '../../organizations/access/errors.ts';
import { requireTokenPermission } from '../../organizations/access/permissions.ts';
import { writePermissions } from '../../organizations/access/role.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import { type Profile, ProfileSettings, profileVersion } from './account.ts';
import type { Accounts } from './ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
}

/**
 * Applies a merge patch to the caller's own profile (interface, "User endpoints"). A patch that changes nothing leaves
 * no trace. An API token needs any permission to write.
 */
export const updateProfile =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<Profile, PermissionMissing | AccountNotFound | VersionMismatch | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* requireTokenPermission(caller.credential, writePermissions);
        const { accounts } = repositories;
        yield* accounts.lock(caller.userId);
        const current = yield* accounts.profile(caller.userId);
        yield* requireVersion(expected, profileVersion(current));
        const { firstName, lastName } = current;
        const settings = yield* parse(ProfileSettings, mergePatch({ firstName, lastName }, patch));
        if (settings.firstName === firstName && settings.lastName === lastName) return ok(current);
        yield* record(repositories, caller, 'account.profileChanged');
        return accounts.saveProfile(caller.userId, settings);
      }),
    );
