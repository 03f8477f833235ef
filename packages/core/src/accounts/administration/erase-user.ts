import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { AccountErasures, SolelyOwned } from './ports.ts';
import { type Operator, recordOperator } from './record-operator.ts';

interface Repositories {
  readonly accountErasures: AccountErasures;
  readonly auditLog: AuditLog;
}

/** Organizations with zones or other members would be left without an owner. */
export const organizationsNeedOwner = (organizations: readonly SolelyOwned[]) =>
  ({ type: 'OrganizationsNeedOwner', organizations }) as const;
export type OrganizationsNeedOwner = ReturnType<typeof organizationsNeedOwner>;

/**
 * Erases a person: the account with its name, address, sessions, credentials and tokens, and the organizations that have
 * neither zones nor other members. What the person has changed elsewhere stays, without an author; the audit log keeps the
 * account's id.
 */
export const eraseUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId): ResultAsync<void, AccountNotFound | OrganizationsNeedOwner> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { accountErasures } = repositories;
        const owned = yield* accountErasures.lockSolelyOwned(user);
        const needed = owned.filter(({ others, zones }) => others + zones > 0);
        if (needed.length > 0) return err(organizationsNeedOwner(needed));
        yield* recordOperator(repositories, operator, 'account.deleted', user);
        return accountErasures.erase(user);
      }),
    );
