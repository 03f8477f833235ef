import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { AuditAction, AuditEntry, RecordedAuditEntry } from './audit-entry.ts';

/** Which entries to list; no actions mean all of them, times include `since` and exclude `until`. */
export interface AuditFilter {
  readonly organization: OrganizationId;
  readonly actions: readonly AuditAction[];
  readonly actor: UserId | undefined;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** What happened. Entries can be added, never changed or taken away. */
export interface AuditLog {
  record(entry: AuditEntry): ResultAsync<void, never>;
  /** Newest first. */
  list(filter: AuditFilter, page: PageRequest): ResultAsync<Page<RecordedAuditEntry>, never>;
}
