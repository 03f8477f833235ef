import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn } from '../access/permissions.ts';
import { permissionToManage, type Role } from '../access/role.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { LastOwner, MemberNotFound } from './errors.ts';
import { requireAnotherOwner } from './last-owner.ts';
import { type Member, memberVersion } from './member.ts';
import { lockOrganizationFor, type OrganizationAccessError } from './organization-access.ts';
import { revokeInvitationsOf } from './revoke-invitations-of.ts';

/**
 * Changes a member's role (undefined keeps it) and revokes pending invitations that the new role may not send. Only
 * owners manage owners, API tokens manage neither owners nor admins, and the last owner cannot step down.
 */
export const changeMemberRole =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    id: OrganizationId,
    user: UserId,
    role: Role | undefined,
    expected: ExpectedVersions,
  ): ResultAsync<Member, OrganizationAccessError | MemberNotFound | VersionMismatch | LastOwner> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { members } = repositories;
        yield* lockOrganizationFor(repositories, caller, id, 'members.manage');
        const current = yield* members.byUser(id, user);
        yield* lockedMayIn(repositories, caller, id, permissionToManage(current.role));
        if (role !== undefined) yield* lockedMayIn(repositories, caller, id, permissionToManage(role));
        yield* requireVersion(expected, memberVersion(current));
        if (role === undefined || role === current.role) return ok(current);
        if (current.role === 'owner' && role !== 'owner') yield* requireAnotherOwner(repositories, id);
        yield* record(repositories, caller, 'member.roleChanged', { organization: id, objects: { user, role } });
        yield* revokeInvitationsOf(repositories, caller, id, user, role);
        return members.setRole(id, user, role);
      }),
    );
