import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationNotFound } from '../organizations/errors.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { InvalidInput } from '../shared/violation.ts';
import {
  type OrganizationLimitName,
  type OrganizationLimits,
  organizationLimitNames,
  type UsageLimits,
} from '../usage-limits/usage-limits.ts';
import { limitsAfter, requireLimits } from './limit-changes.ts';
import type { Operator } from './record-operator.ts';

/** New limits for an organization; undefined restores the operator's default. Limits not named stay unchanged. */
export type LimitChanges = Readonly<Partial<Record<OrganizationLimitName, number | undefined>>>;

/** The limits of an organization. */
export interface LimitsOfOrganization {
  readonly own: OrganizationLimits;
  readonly inForce: UsageLimits;
}

/**
 * Sets or clears an organization's own limits. Concurrent writes decided under the old limits are decided again. A change
 * of nothing leaves no trace.
 */
export const changeOrganizationLimits =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    operator: Operator,
    id: OrganizationId,
    changes: LimitChanges,
  ): ResultAsync<LimitsOfOrganization, OrganizationNotFound | InvalidInput> =>
    unitOfWork.run(({ organizations, limitOverrides, auditLog }) =>
      safeTry(async function* () {
        yield* requireLimits(organizationLimitNames, changes);
        yield* organizations.lock(id);
        const before = yield* limitOverrides.of(id);
        const { own, changed: objects } = limitsAfter(organizationLimitNames, before, changes);
        if (Object.keys(objects).length > 0) {
          yield* limitOverrides.set(id, own);
          const action = 'organization.limitsChanged';
          const nobody = { actor: undefined, credential: undefined };
          yield* auditLog.record({ action, ...nobody, organization: id, objects, client: operator });
        }
        const { limits: inForce } = yield* organizations.byId(id);
        return ok({ own, inForce });
      }),
    );

/** Reads the limits of an organization. */
export const readOrganizationLimits =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (id: OrganizationId): ResultAsync<LimitsOfOrganization, OrganizationNotFound> =>
    unitOfWork.view(({ organizations, limitOverrides }) =>
      organizations.byId(id).andThen(({ limits: inForce }) => limitOverrides.of(id).map((own) => ({ own, inForce }))),
    );
