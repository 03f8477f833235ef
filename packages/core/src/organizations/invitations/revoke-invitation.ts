import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { InvitationId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import type { Memberships } from '../access/ports.ts';
import type { AuditLog } from '../audit/ports.ts';
import { record } from '../audit/record.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Organizations } from '../organizations/ports.ts';
import type { InvitationNotFound } from './errors.ts';
import { invitationVersion } from './invitation.ts';
import type { Invitations } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly invitations: Invitations;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
}

/** Revokes an invitation; its token becomes invalid. */
export const revokeInvitation =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
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
