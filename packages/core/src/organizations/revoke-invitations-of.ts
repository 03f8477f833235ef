import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { permissionToManage, permits, type Role, roles } from '../access/role.ts';
import { record } from '../audit/record.ts';
import type { Repositories } from '../repositories.ts';
import type { InvitationId, OrganizationId, UserId } from '../shared/ids.ts';

/**
 * Revokes a member's pending invitations that their new role (undefined: none) may not send. The unit must have locked
 * the organization.
 */
export const revokeInvitationsOf = (
  repositories: Repositories,
  caller: Caller,
  organization: OrganizationId,
  inviter: UserId,
  newRole: Role | undefined,
): ResultAsync<void, never> => {
  const lost = roles.filter((role) => newRole === undefined || !permits(newRole, permissionToManage(role)));
  return repositories.invitations
    .revokeAllOf(organization, inviter, lost)
    .andThen((revoked) => recordEach(repositories, caller, organization, revoked));
};

const recordEach = (
  repositories: Repositories,
  caller: Caller,
  organization: OrganizationId,
  revoked: readonly InvitationId[],
): ResultAsync<void, never> =>
  safeTry(async function* () {
    for (const invitation of revoked) {
      yield* record(repositories, caller, 'invitation.revoked', { organization, objects: { invitation } });
    }
    return ok();
  });
