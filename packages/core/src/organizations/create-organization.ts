import type { ResultAsync } from 'neverthrow';
import { record } from '../audit/record.ts';
import type { Caller } from '../sessions/caller.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { Organization, OrganizationDraft } from './organization.ts';

export type CreateOrganization = (caller: Caller, draft: OrganizationDraft) => ResultAsync<Organization, never>;

/** Founds an organization; the caller becomes its owner. */
export const createOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): CreateOrganization =>
  (caller, draft) =>
    unitOfWork.run((repositories) =>
      repositories.organizations
        .found({ ...draft, owner: caller.userId })
        .andThen((organization) =>
          record(repositories, caller, 'organization.created', { organization: organization.id }).map(
            () => organization,
          ),
        ),
    );
