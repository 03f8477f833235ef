import { ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type InvalidInput, requireNone, violation } from '../../kernel/shared/violation.ts';
import {
  type OrganizationLimitName,
  type OrganizationLimits,
  organizationLimitNames,
  type UsageLimitName,
  type UsageLimits,
  type UserLimitName,
  usageLimits,
  userLimitNames,
} from '../../kernel/usage-limits/usage-limits.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { OrganizationNotFound } from '../../organizations/organizations/errors.ts';
import type { LimitOverrides, Organizations } from '../../organizations/organizations/ports.ts';
import type { Accounts } from '../accounts/ports.ts';
import type { AccountLimits, LimitsOfUser } from './ports.ts';
import { type Operator, recordOperator, recordOperatorIn } from './record-operator.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly limitOverrides: LimitOverrides;
  readonly organizations: Organizations;
  readonly userLimits: AccountLimits;
}

/** New values of limits; undefined restores the operator's default. Limits not named stay unchanged. */
type Changes<Name extends UsageLimitName> = Readonly<Partial<Record<Name, number | undefined>>>;

/** Refuses values that are not whole numbers up to the ceiling. */
const requireLimits = <Name extends UsageLimitName>(
  names: readonly Name[],
  changes: Changes<Name>,
): Result<void, InvalidInput> =>
  requireNone(
    names.flatMap((name) => {
      const { ceiling } = usageLimits[name];
      const { [name]: wanted } = changes;
      const isValid = wanted === undefined || (Number.isInteger(wanted) && wanted >= 0 && wanted <= ceiling);
      return isValid
        ? []
        : [violation(name, 'number.range', `This value should be a whole number from 0 to ${ceiling}.`)];
    }),
  );

/** The limits after the changes, and what changed, as the audit log has it. */
function limitsAfter<Name extends UsageLimitName>(
  names: readonly Name[],
  before: Readonly<Partial<Record<Name, number>>>,
  changes: Changes<Name>,
): { readonly own: Readonly<Partial<Record<Name, number>>>; readonly changed: Readonly<Record<string, string>> } {
  const all: Changes<Name> = { ...before, ...changes };
  const changed = names.filter((name) => all[name] !== before[name]);
  return {
    // `Object.fromEntries` loses the type of the keys.
    own: Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]))) as Readonly<
      Partial<Record<Name, number>>
    >,
    changed: Object.fromEntries(changed.map((name) => [name, String(all[name] ?? 'default')])),
  };
}

/** New limits for an organization. */
export type LimitChanges = Changes<OrganizationLimitName>;

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
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    operator: Operator,
    id: OrganizationId,
    changes: LimitChanges,
  ): ResultAsync<LimitsOfOrganization, OrganizationNotFound | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { organizations, limitOverrides } = repositories;
        yield* requireLimits(organizationLimitNames, changes);
        yield* organizations.lock(id);
        const before = yield* limitOverrides.of(id);
        const { own, changed } = limitsAfter(organizationLimitNames, before, changes);
        if (Object.keys(changed).length > 0) {
          yield* limitOverrides.set(id, own);
          yield* recordOperatorIn(repositories, operator, 'organization.limitsChanged', id, changed);
        }
        const { limits: inForce } = yield* organizations.byId(id);
        return ok({ own, inForce });
      }),
    );

/** Reads the limits of an organization. */
export const readOrganizationLimits =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (id: OrganizationId): ResultAsync<LimitsOfOrganization, OrganizationNotFound> =>
    unitOfWork.view(({ organizations, limitOverrides }) =>
      organizations.byId(id).andThen(({ limits: inForce }) => limitOverrides.of(id).map((own) => ({ own, inForce }))),
    );

/** Sets or clears a user's own limits, and resolves to what they are then. A change of nothing leaves no trace. */
export const changeUserLimits =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    operator: Operator,
    id: UserId,
    changes: Changes<UserLimitName>,
  ): ResultAsync<LimitsOfUser, AccountNotFound | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { accounts, userLimits } = repositories;
        yield* requireLimits(userLimitNames, changes);
        yield* accounts.lock(id);
        const before = yield* userLimits.of(id);
        const { own, changed } = limitsAfter(userLimitNames, before.own, changes);
        if (Object.keys(changed).length > 0) {
          yield* userLimits.set(id, own);
          yield* recordOperator(repositories, operator, 'account.limitsChanged', id, changed);
        }
        return userLimits.of(id);
      }),
    );
