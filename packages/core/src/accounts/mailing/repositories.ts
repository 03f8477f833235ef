import type { Outbox } from '../../kernel/mail/ports.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { Accounts, MailedTokens } from '../accounts/ports.ts';

export interface MailingRepositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly mailedTokens: MailedTokens;
  readonly outbox: Outbox;
}
