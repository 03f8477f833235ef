import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { type CredentialDenied, requireCredentialAllows } from '../access/permissions.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { Organization } from './organization.ts';

/** The caller's organizations by name, including those whose two-factor requirement they do not meet. */
export const listOrganizations =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, page: PageRequest): ResultAsync<Page<Organization>, CredentialDenied> =>
    requireCredentialAllows(caller.credential, 'organization.read').asyncAndThen(() =>
      unitOfWork.view(({ organizations }) => organizations.list([...caller.memberships.keys()], page)),
    );
