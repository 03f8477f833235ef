import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { OrganizationNotFound } from '../../organizations/organizations/errors.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import { type Operator, recordOperatorIn } from './record-operator.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly organizations: Organizations;
}

/** Opens an organization that requires a provider which is gone; the change appears in its audit log. */
export const liftRequiredProvider =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, id: OrganizationId): ResultAsync<void, OrganizationNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { organizations } = repositories;
        const { name, enforceTwoFactor, requiredProvider } = yield* organizations.lock(id);
        if (requiredProvider === undefined) return ok();
        yield* organizations.save(id, { name, enforceTwoFactor });
        const objects = { liftedProvider: requiredProvider };
        return recordOperatorIn(repositories, operator, 'organization.changed', id, objects);
      }),
    );
