import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import type { Memberships } from '../access/ports.ts';
import type { AuditLog } from '../audit/ports.ts';
import { record } from '../audit/record.ts';
import { type OrganizationNotEmpty, organizationNotEmpty } from './errors.ts';
import { organizationVersion } from './organization.ts';
import { lockOrganizationFor, type OrganizationAccessError } from './organization-access.ts';
import type { Organizations, ZoneCounts } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
  readonly zones: ZoneCounts;
}

/** Deletes an organization that has no zones, with its memberships and invitations. Not allowed for API tokens. */
export const deleteOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    id: OrganizationId,
    expected: ExpectedVersions,
  ): ResultAsync<void, OrganizationAccessError | VersionMismatch | OrganizationNotEmpty> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { organizations, zones } = repositories;
        const current = yield* lockOrganizationFor(repositories, caller, id, 'organization.delete');
        yield* requireVersion(expected, organizationVersion(current));
        const zoneCount = yield* zones.count(id);
        if (zoneCount > 0) return err(organizationNotEmpty(zoneCount));
        const objects = { organization: String(id), name: current.name };
        yield* record(repositories, caller, 'organization.deleted', { objects });
        return organizations.remove(id);
      }),
    );
