import type { ResultAsync } from 'neverthrow';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import type { RecordedAuditEntry } from './audit-entry.ts';
import type { AccountAuditFilter, AuditLog } from './ports.ts';

/** What happened to the caller's account, newest first: signing in, factors, addresses, tokens. */
export const readAccountLog =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<{ readonly auditLog: AuditLog }> }) =>
  (
    { userId }: Pick<Caller, 'userId'>,
    filter: Omit<AccountAuditFilter, 'user'>,
    page: PageRequest,
  ): ResultAsync<Page<RecordedAuditEntry>, never> =>
    unitOfWork.view(({ auditLog }) => auditLog.listOfAccount({ ...filter, user: userId }, page));
