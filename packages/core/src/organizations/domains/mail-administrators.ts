import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { DomainMail } from '../../kernel/mail/mail.ts';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { People } from '../access/ports.ts';
import { permits } from '../access/role.ts';
import type { Members, Organizations } from '../organizations/ports.ts';

/** Where the administrators of an organization are found, and mails to them queued. */
export interface AdministratorMails {
  readonly members: Members;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
  readonly people: People;
}

/** What a mail says, apart from whom it goes to and the name of the organization. */
type Subject<M = DomainMail> = M extends DomainMail ? Omit<M, 'to' | 'organization'> : never;

const membersPerPage = 100;

/** Queues a mail to everyone who can do something about the domains of an organization. */
export const mailAdministrators = (
  { members, organizations, people, outbox }: AdministratorMails,
  organizationId: OrganizationId,
  subject: Subject,
): ResultAsync<void, never> =>
  safeTry(async function* () {
    const organization = yield* organizations.byId(organizationId).orElse(() => okAsync(undefined));
    if (organization === undefined) return ok();
    for (let page = 1; ; page += 1) {
      const { items } = yield* members.list(organizationId, { page, itemsPerPage: membersPerPage });
      for (const { user } of items.filter(({ role }) => permits(role, 'domains.write'))) {
        const person = yield* people.byId(user).orElse(() => okAsync(undefined));
        if (person === undefined) continue;
        yield* outbox.add({ ...subject, to: person.email, organization: organization.name });
      }
      if (items.length < membersPerPage) return ok();
    }
  });
