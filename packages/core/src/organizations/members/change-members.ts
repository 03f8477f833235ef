import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn } from '../access/permissions.ts';
import type { Memberships } from '../access/ports.ts';
import { permissionToManage, permits, type Role, roles } from '../access/role.ts';
import type { AuditLog } from '../audit/ports.ts';
import { record } from '../audit/record.ts';
import type { Invitations } from '../invitations/ports.ts';
import { type LastOwner, lastOwner, type MemberNotFound } from '../organizations/errors.ts';
import { type Member, memberSeenBy, memberVersion } from '../organizations/member.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Members, Organizations } from '../organizations/ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly invitations: Invitations;
  readonly members: Members;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
}

/**
 * Changes a member's role (undefined keeps it) and revokes pending invitations that the new role may not send. Only
 * owners manage owners, API tokens manage neither owners nor admins, and the last owner cannot step down.
 */
export const changeMemberRole =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
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

/**
 * Removes a member and revokes the invitations they sent. Any member who meets the two-factor requirement may leave;
 * removing others requires the permission to manage members. An owner who leaves gives the role up, which needs the same as
 * taking it from somebody else; the last one cannot leave. Not allowed for API tokens.
 */
export const removeMember =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
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

/** The unit must have locked the organization: of two owners who leave concurrently, one must stay. */
const requireAnotherOwner = (
  { members }: Pick<Repositories, 'members'>,
  id: OrganizationId,
): ResultAsync<void, LastOwner> => members.ownerCount(id).andThen((owners) => (owners > 1 ? ok() : err(lastOwner())));

/**
 * Revokes a member's pending invitations that their new role (undefined: none) may not send. The unit must have locked
 * the organization.
 */
const revokeInvitationsOf = (
  repositories: Repositories,
  caller: Caller,
  organization: OrganizationId,
  inviter: UserId,
  newRole: Role | undefined,
): ResultAsync<void, never> =>
  safeTry(async function* () {
    const lost = roles.filter((role) => newRole === undefined || !permits(newRole, permissionToManage(role)));
    for (const invitation of yield* repositories.invitations.revokeAllOf(organization, inviter, lost)) {
      yield* record(repositories, caller, 'invitation.revoked', { organization, objects: { invitation } });
    }
    return ok();
  });
