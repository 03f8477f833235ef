import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn } from '../access/permissions.ts';
import { permissionToManage } from '../access/role.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { LastOwner, MemberNotFound } from './errors.ts';
import { requireAnotherOwner } from './last-owner.ts';
import { memberSeenBy, memberVersion } from './member.ts';
import { lockOrganizationFor, type OrganizationAccessError } from './organization-access.ts';
import { revokeInvitationsOf } from './revoke-invitations-of.ts';

/**
 * Removes a member and revokes the invitations they sent. Any member who meets the two-factor requirement may leave;
 * removing others requires the permission to manage members. An owner who leaves gives the role up, which needs the same as
 * taking it from somebody else; the last one cannot leave. Not allowed for API tokens.
 */
export const removeMember =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    id: OrganizationId,
    user: UserId,
    expected: ExpectedVersions,
  ): ResultAsync<void, OrganizationAccessError | MemberNotFound | VersionMismatch | LastOwner> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { members } = repositories;
        const leaves = caller.userId === user;
        yield* lockOrganizationFor(repositories, caller, id, leaves ? 'members.leave' : 'members.remove');
        const member = yield* members.byUser(id, user);
        const { role } = member;
        if (!leaves || role === 'owner') yield* lockedMayIn(repositories, caller, id, permissionToManage(role));
        // Those who manage members see everything; a member who leaves may see less.
        const version = memberVersion(leaves ? memberSeenBy(role, member) : member);
        yield* requireVersion(expected, version);
        if (role === 'owner') yield* requireAnotherOwner(repositories, id);
        yield* record(repositories, caller, 'member.removed', { organization: id, objects: { user } });
        yield* revokeInvitationsOf(repositories, caller, id, user, undefined);
        return members.remove(id, user);
      }),
    );
