import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { type CreationDenied, creationDenied } from './errors.ts';
import { type Organization, type OrganizationDraft, organizationsPerOwner } from './organization.ts';

export type CreateOrganization = (
  caller: Caller,
  draft: OrganizationDraft,
) => ResultAsync<Organization, CreationDenied | InvalidInput>;

/** Creates an organization; the caller becomes its owner. */
export const createOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): CreateOrganization =>
  (caller, draft) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* mayCreateOrganizations(caller);
        const { organizations } = repositories;
        if ((yield* organizations.lockOwnedCount(caller.userId)) >= organizationsPerOwner)
          return err(tooManyOrganizations());
        const organization = yield* organizations.create({ ...draft, owner: caller.userId });
        yield* record(repositories, caller, 'organization.created', { organization: organization.id });
        return ok(organization);
      }),
    );

/** Whether the credential lets the caller create organizations at all. */
export const mayCreateOrganizations = ({ credential }: Caller): Result<void, CreationDenied> =>
  credential.kind === 'apiToken' && credential.scoped ? err(creationDenied()) : ok();

const tooManyOrganizations = (): InvalidInput =>
  invalidInput([
    violation('', 'user.organizations.limit', `A user can own at most ${organizationsPerOwner} organizations.`),
  ]);
