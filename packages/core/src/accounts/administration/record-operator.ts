import type { ResultAsync } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { recordFor } from '../../organizations/audit/record.ts';

/** The operator's tool, by the name the audit log records. Operators have no account, so no permissions are checked. */
export type Operator = Client & { readonly userAgent: string };

/** Records an operator's action on an account: without an actor, with the account as the object. */
export const recordOperator = (
  repositories: { readonly auditLog: AuditLog },
  operator: Operator,
  action: AuditAction,
  user: UserId,
  objects: Readonly<Record<string, string>> = {},
): ResultAsync<void, never> => recordFor(repositories, undefined, operator, action, { user, ...objects });

/** Records an operator's action on an organization, in whose audit log it appears. */
export const recordOperatorIn = (
  { auditLog }: { readonly auditLog: AuditLog },
  client: Operator,
  action: AuditAction,
  organization: OrganizationId,
  objects: Readonly<Record<string, string>>,
): ResultAsync<void, never> =>
  auditLog.record({ action, actor: undefined, credential: undefined, organization, objects, client });
