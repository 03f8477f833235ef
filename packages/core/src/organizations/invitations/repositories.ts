import type { Outbox } from '../../kernel/mail/ports.ts';
import type { Memberships, People } from '../access/ports.ts';
import type { AuditLog } from '../audit/ports.ts';
import type { Members, Organizations } from '../organizations/ports.ts';
import type { Invitations, InvitationTokens } from './ports.ts';

export interface InvitationRepositories {
  readonly auditLog: AuditLog;
  readonly invitationTokens: InvitationTokens;
  readonly invitations: Invitations;
  readonly members: Members;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
  readonly people: People;
}
