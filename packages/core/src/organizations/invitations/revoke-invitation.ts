import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { InvitationId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { InvitationNotFound } from './errors.ts';
import { invitationVersion } from './invitation.ts';
import type { InvitationRepositories } from './repositories.ts';

/** Revokes an invitation; its token becomes invalid. */
export const revokeInvitation =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<InvitationRepositories> }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: InvitationId,
    expected: ExpectedVersions,
  ): ResultAsync<void, OrganizationAccessError | InvitationNotFound | VersionMismatch> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* lockOrganizationFor(repositories, caller, organization, 'members.manage');
        const current = yield* repositories.invitations.byId(organization, id);
        yield* requireVersion(expected, invitationVersion(current));
        if (current.status !== 'pending') return ok();
        yield* record(repositories, caller, 'invitation.revoked', { organization, objects: { invitation: id } });
        return repositories.invitations.revoke(id);
      }),
    );
