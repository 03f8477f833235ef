import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import { isFull, type Usage } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../access/caller.ts';
import type { PermissionMissing } from '../access/errors.ts';
import { requireTokenPermission } from '../access/permissions.ts';
import type { AuditLog } from '../audit/ports.ts';
import { record } from '../audit/record.ts';
import { type CreationDenied, creationDenied } from './errors.ts';
import type { Organization, OrganizationDraft } from './organization.ts';
import type { Organizations } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly organizations: Organizations;
}

/** Creates an organization; the caller becomes its owner. */
export const createOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    draft: OrganizationDraft,
  ): ResultAsync<Organization, CreationDenied | PermissionMissing | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* mayCreateOrganizations(caller);
        const { organizations } = repositories;
        const owned = yield* organizations.lockOwned(caller.userId);
        if (isFull(owned)) return err(tooManyOrganizations(owned));
        const organization = yield* organizations.create({ ...draft, owner: caller.userId });
        yield* record(repositories, caller, 'organization.created', { organization: organization.id });
        return ok(organization);
      }),
    );

/** Checks that the credential may create organizations at all. */
export const mayCreateOrganizations = ({ credential }: Caller): Result<void, CreationDenied | PermissionMissing> =>
  credential.kind === 'apiToken' && credential.scoped
    ? err(creationDenied())
    : requireTokenPermission(credential, ['admin']);

const tooManyOrganizations = ({ limit }: Usage): InvalidInput =>
  invalidAt('', 'user.organizations.limit', `A user can own at most ${limit} organizations.`);
