import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Memberships, People } from '../access/ports.ts';
import type { AuditLog } from '../audit/ports.ts';
import type { Members, Organizations } from '../organizations/ports.ts';
import type { DomainChecks, Domains } from './ports.ts';

export interface DomainRepositories {
  readonly auditLog: AuditLog;
  readonly domainChecks: DomainChecks;
  readonly domains: Domains;
  readonly members: Members;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
  readonly people: People;
}
