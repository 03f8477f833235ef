import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { MemberNotFound } from '../organizations/errors.ts';
import { type Member, memberSeenBy } from '../organizations/member.ts';
import { type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Members, Organizations } from '../organizations/ports.ts';

interface Repositories {
  readonly members: Members;
  readonly organizations: Organizations;
}

/** The members of an organization; who uses two-factor authentication is shown only to those who manage members. */
export const listMembers =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: Caller, id: OrganizationId, page: PageRequest): ResultAsync<Page<Member>, OrganizationAccessError> =>
    unitOfWork.view(({ organizations, members }) =>
      organizations
        .byId(id)
        .andThen(() => mayIn(caller, id, 'organization.read'))
        .andThen((role) =>
          members
            .list(id, page)
            .map(({ items, totalItems }) => ({ items: items.map((member) => memberSeenBy(role, member)), totalItems })),
        ),
    );

/** One member of an organization. */
export const readMember =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: Caller, id: OrganizationId, user: UserId): ResultAsync<Member, OrganizationAccessError | MemberNotFound> =>
    unitOfWork.view(({ organizations, members }) =>
      organizations
        .byId(id)
        .andThen(() => mayIn(caller, id, 'organization.read'))
        .andThen((role) => members.byUser(id, user).map((member) => memberSeenBy(role, member))),
    );
