import { ok, type ResultAsync, safeTry } from 'neverthrow';
import { record } from '../audit/record.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Caller } from '../sessions/caller.ts';
import type { InvitationId, OrganizationId } from '../shared/ids.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { InvitationNotFound } from './errors.ts';

export type RevokeInvitation = (
  caller: Caller,
  organization: OrganizationId,
  id: InvitationId,
) => ResultAsync<void, OrganizationAccessError | InvitationNotFound>;

/** Takes an invitation back; its token is worth nothing from then on. */
export const revokeInvitation =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RevokeInvitation =>
  (caller, organization, id) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* lockOrganizationFor(repositories, caller, organization, 'members.manage');
        const { status } = yield* repositories.invitations.byId(organization, id);
        if (status !== 'pending') return ok();
        yield* record(repositories, caller, 'invitation.revoked', { organization, objects: { invitation: id } });
        return repositories.invitations.revoke(id);
      }),
    );
