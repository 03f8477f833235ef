import type { ResultAsync } from 'neverthrow';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import { zonesOf } from '../access/permissions.ts';
import type { RecordedAuditEntry } from '../audit/audit-entry.ts';
import type { AuditFilter, AuditLog } from '../audit/ports.ts';
import { type OrganizationAccessError, permittedOrganization } from './organization-access.ts';
import type { Organizations } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly organizations: Organizations;
}

/** The audit log of an organization, newest first. */
export const readAuditLog =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    filter: Omit<AuditFilter, 'zones'>,
    page: PageRequest,
  ): ResultAsync<Page<RecordedAuditEntry>, OrganizationAccessError> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, filter.organization, 'organization.readAuditLog').andThen(() =>
        repositories.auditLog.list({ ...filter, zones: zonesOf(caller) }, page),
      ),
    );
