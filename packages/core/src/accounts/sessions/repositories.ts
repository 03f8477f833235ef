import type { Outbox } from '../../kernel/mail/ports.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { Accounts } from '../accounts/ports.ts';
import type { RefreshTokens, Sessions, SignIns } from './ports.ts';

export interface SessionRepositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly outbox: Outbox;
  readonly refreshTokens: RefreshTokens;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
}
