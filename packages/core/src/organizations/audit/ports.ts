import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { AuditAction, AuditEntry, RecordedAuditEntry } from './audit-entry.ts';

/** Which entries to list. An empty list of actions matches all; `since` is inclusive, `until` exclusive. */
export interface AuditFilter {
  readonly organization: OrganizationId;
  /** Only entries about these zones, or about none; undefined: all. */
  readonly zones?: readonly ZoneId[] | undefined;
  readonly actions: readonly AuditAction[];
  readonly actor: UserId | undefined;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** Which entries of an account to list; like `AuditFilter`. */
export interface AccountAuditFilter extends Pick<AuditFilter, 'actions' | 'since' | 'until'> {
  readonly user: UserId;
}

/** The append-only audit log. */
export interface AuditLog {
  record(entry: AuditEntry): ResultAsync<void, never>;
  /** What a user did, or what was tried with their account, outside of organizations; newest first. */
  listOfAccount(filter: AccountAuditFilter, page: PageRequest): ResultAsync<Page<RecordedAuditEntry>, never>;
  /** The log of an organization, newest first. */
  list(filter: AuditFilter, page: PageRequest): ResultAsync<Page<RecordedAuditEntry>, never>;
}
