import type { ResultAsync } from 'neverthrow';
import type { AuditAction } from '../audit/audit-entry.ts';
import { recordFor } from '../audit/record.ts';
import type { Repositories } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { UserId } from '../shared/ids.ts';

/** What the operator works with, by a name that the audit log keeps. Operators have no account, so nothing is asked of them. */
export type Operator = Client & { readonly userAgent: string };

/** Records what the operator did to an account: nobody's deed, with the account as its object. */
export const recordOperator = (
  repositories: Repositories,
  operator: Operator,
  action: AuditAction,
  user: UserId,
): ResultAsync<void, never> => recordFor(repositories, undefined, operator, action, { user });
