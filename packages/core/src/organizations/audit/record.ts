import type { ResultAsync } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import type { AuditAction } from './audit-entry.ts';
import type { AuditLog } from './ports.ts';

interface Subject {
  readonly organization?: OrganizationId;
  readonly objects?: Readonly<Record<string, string>>;
}

/** Records an authenticated caller's action, in the unit that performs it. */
export const record = (
  { auditLog }: { readonly auditLog: AuditLog },
  { userId: actor, credential, client }: Caller,
  action: AuditAction,
  { organization, objects = {} }: Subject = {},
): ResultAsync<void, never> =>
  auditLog.record({ action, actor, credential: credential.id, organization, objects, client });

/** Records an event of an account that happened without a session. */
export const recordFor = (
  { auditLog }: { readonly auditLog: AuditLog },
  actor: UserId | undefined,
  client: Client,
  action: AuditAction,
  objects: Readonly<Record<string, string>> = {},
): ResultAsync<void, never> =>
  auditLog.record({ action, actor, credential: undefined, organization: undefined, objects, client });

/** Records a refusal in its own unit, so that it survives the rollback of the refused action. */
export type RecordRefusal = (
  /** The refused caller; without one, the account that the attempt targeted, if any. */
  who: Caller | UserId | undefined,
  client: Client,
  action: AuditAction,
  objects: Readonly<Record<string, string>>,
  /** The organization that the attempt of a caller concerned: its owners see it. */
  organization?: OrganizationId,
) => ResultAsync<void, never>;

export const recordRefusal =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<{ readonly auditLog: AuditLog }> }): RecordRefusal =>
  (who, client, action, objects, organization) =>
    unitOfWork.single((repositories) =>
      typeof who === 'object'
        ? record(repositories, who, action, { objects, ...(organization === undefined ? {} : { organization }) })
        : recordFor(repositories, who, client, action, objects),
    );
