import { type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { OrganizationNotFound } from '../../organizations/organizations/errors.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import type { Retentions } from './ports.ts';
import { type Operator, recordOperatorIn } from './record-operator.ts';
import { type RetainedData, type Retention, type RetentionOverrides, retainedData } from './retention.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly organizations: Organizations;
  readonly retentions: Retentions;
}

/** New retention periods; undefined restores the installation's default. What is not named stays unchanged. */
export type RetentionChange = Readonly<Partial<Record<RetainedData, Retention | undefined>>>;

/** Sets how long an organization's audit log and history are kept; the change appears in its audit log. */
export const changeRetention =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    operator: Operator,
    organization: OrganizationId,
    change: RetentionChange,
  ): ResultAsync<RetentionOverrides, OrganizationNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { organizations, retentions } = repositories;
        yield* organizations.lock(organization);
        const named = retainedData.filter((what) => Object.hasOwn(change, what));
        for (const what of named) yield* retentions.set(organization, what, change[what]);
        if (named.length > 0) {
          const objects = Object.fromEntries(named.map((what) => [what, String(change[what] ?? 'default')]));
          yield* recordOperatorIn(repositories, operator, 'organization.retentionChanged', organization, objects);
        }
        return retentions.of(organization);
      }),
    );
