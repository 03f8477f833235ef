import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { Accounts, Credentials } from '../accounts/ports.ts';
import type { PasskeyChallenges, Passkeys } from './ports.ts';

export interface PasskeyRepositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly credentials: Credentials;
  readonly memberships: Memberships;
  readonly outbox: Outbox;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly passkeys: Passkeys;
}
