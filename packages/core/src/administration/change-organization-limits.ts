import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationNotFound } from '../organizations/errors.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type InvalidInput, requireNone, violation } from '../shared/violation.ts';
import {
  type OrganizationLimitName,
  type OrganizationLimits,
  organizationLimitNames,
  type UsageLimits,
  usageLimits,
} from '../usage-limits/usage-limits.ts';
import type { Operator } from './record-operator.ts';

/** New limits for an organization; undefined restores the operator's default. Limits not named stay unchanged. */
export type LimitChanges = Readonly<Partial<Record<OrganizationLimitName, number | undefined>>>;

/** The limits of an organization. */
export interface LimitsOfOrganization {
  readonly own: OrganizationLimits;
  readonly inForce: UsageLimits;
}

export type ChangeOrganizationLimits = (
  operator: Operator,
  organization: OrganizationId,
  changes: LimitChanges,
) => ResultAsync<LimitsOfOrganization, OrganizationNotFound | InvalidInput>;

/**
 * Sets or clears an organization's own limits. Concurrent writes decided under the old limits are decided again. A change
 * of nothing leaves no trace.
 */
export const changeOrganizationLimits =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ChangeOrganizationLimits =>
  (operator, id, changes) =>
    unitOfWork.run(({ organizations, ownLimits, auditLog }) =>
      safeTry(async function* () {
        yield* requireNone(violationsIn(changes));
        yield* organizations.lock(id);
        const before = yield* ownLimits.of(id);
        const own = withoutUndefined({ ...before, ...changes });
        const changed = organizationLimitNames.filter((name) => own[name] !== before[name]);
        if (changed.length > 0) {
          yield* ownLimits.set(id, own);
          const objects = Object.fromEntries(changed.map((name) => [name, String(own[name] ?? 'default')]));
          const action = 'organization.limitsChanged';
          const nobody = { actor: undefined, credential: undefined };
          yield* auditLog.record({ action, ...nobody, organization: id, objects, client: operator });
        }
        const { limits: inForce } = yield* organizations.byId(id);
        return ok({ own, inForce });
      }),
    );

export type ReadOrganizationLimits = (
  organization: OrganizationId,
) => ResultAsync<LimitsOfOrganization, OrganizationNotFound>;

/** Reads the limits of an organization. */
export const readOrganizationLimits =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadOrganizationLimits =>
  (id) =>
    unitOfWork.view(({ organizations, ownLimits }) =>
      organizations.byId(id).andThen(({ limits: inForce }) => ownLimits.of(id).map((own) => ({ own, inForce }))),
    );

const violationsIn = (changes: LimitChanges) =>
  organizationLimitNames.flatMap((name) => {
    const { ceiling } = usageLimits[name];
    const { [name]: wanted } = changes;
    const isValid = wanted === undefined || (Number.isInteger(wanted) && wanted >= 0 && wanted <= ceiling);
    return isValid
      ? []
      : [violation(name, 'number.range', `This value should be a whole number from 0 to ${ceiling}.`)];
  });

const withoutUndefined = (limits: LimitChanges): OrganizationLimits =>
  Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
