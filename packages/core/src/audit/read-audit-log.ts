import type { ResultAsync } from 'neverthrow';
import { mayIn, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Caller } from '../sessions/caller.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { RecordedAuditEntry } from './audit-entry.ts';
import type { AuditFilter } from './ports.ts';

export type ReadAuditLog = (
  caller: Caller,
  filter: AuditFilter,
  page: PageRequest,
) => ResultAsync<Page<RecordedAuditEntry>, OrganizationAccessError>;

/** What happened in an organization, newest first, for those who may know. */
export const readAuditLog =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadAuditLog =>
  (caller, filter, page) =>
    unitOfWork.view(({ organizations, auditLog }) =>
      organizations
        .byId(filter.organization)
        .andThen(() => mayIn(caller, filter.organization, 'organization.readAuditLog'))
        .andThen(() => auditLog.list(filter, page)),
    );
