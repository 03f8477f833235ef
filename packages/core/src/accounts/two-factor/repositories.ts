import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { Accounts, Credentials } from '../accounts/ports.ts';
import type { Sessions } from '../sessions/ports.ts';
import type { TwoFactors } from './ports.ts';

export interface TwoFactorRepositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly credentials: Credentials;
  readonly memberships: Memberships;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly twoFactors: TwoFactors;
}
