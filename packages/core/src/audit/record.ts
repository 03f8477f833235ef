import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { credentialId } from '../access/caller.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { AuditAction } from './audit-entry.ts';

interface Subject {
  readonly organization?: OrganizationId;
  readonly objects?: Readonly<Record<string, string>>;
}

/** Records what a recognized caller did, in the unit in which it is done. */
export const record = (
  { auditLog }: Repositories,
  caller: Caller,
  action: AuditAction,
  { organization, objects = {} }: Subject = {},
): ResultAsync<void, never> =>
  auditLog.record({
    action,
    actor: caller.userId,
    credential: credentialId(caller),
    organization,
    objects,
    client: caller.client,
  });

/** Records what happened to an account before or without a session. */
export const recordFor = (
  { auditLog }: Repositories,
  actor: UserId | undefined,
  client: Client,
  action: AuditAction,
  objects: Readonly<Record<string, string>> = {},
): ResultAsync<void, never> =>
  auditLog.record({ action, actor, credential: undefined, organization: undefined, objects, client });

/** Records a refusal in a unit of its own: what was refused is undone, the record of it stays. */
export type RecordRefusal = (
  /** Who was refused; without a caller the account that the attempt was aimed at, where there is one. */
  who: Caller | UserId | undefined,
  client: Client,
  action: AuditAction,
  objects: Readonly<Record<string, string>>,
) => ResultAsync<void, never>;

export const recordRefusal =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RecordRefusal =>
  (who, client, action, objects) =>
    unitOfWork.single((repositories) =>
      typeof who === 'object'
        ? record(repositories, who, action, { objects })
        : recordFor(repositories, who, client, action, objects),
    );
