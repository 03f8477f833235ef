import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { permits } from '../access/role.ts';
import type { AuditAction, AuditEntry } from '../audit/audit-entry.ts';
import { type Domain, type DomainState, verificationRecord } from './domain.ts';
import { afterCheck, type DomainCheck, type WatchedDomain } from './domain-check.ts';
import type { DomainRepositories } from './repositories.ts';

/** Who checked, for the audit log; the service itself has no actor. */
export type Checker = Pick<AuditEntry, 'actor' | 'credential' | 'client'>;

/** Records the check of a locked domain. If it lapses from now on, those who administer its organization get a mail. */
export const recordCheck = (
  repositories: DomainRepositories,
  watched: WatchedDomain,
  check: DomainCheck,
  checker: Checker,
): ResultAsync<Domain, never> =>
  safeTry(async function* () {
    const domain = yield* repositories.domainChecks.record(watched.domain.id, afterCheck(watched, check));
    if (domain.state === watched.domain.state) return ok(domain);
    yield* recordState(repositories, domain, checker);
    if (domain.state === 'lapsing') yield* warnAdministrators(repositories, domain);
    return ok(domain);
  });

const actions: Readonly<Partial<Record<DomainState, AuditAction>>> = {
  verified: 'domain.verified',
  lapsing: 'domain.lapsing',
  lapsed: 'domain.lapsed',
};

function recordState(
  { auditLog }: Pick<DomainRepositories, 'auditLog'>,
  { id, name, state, organizationId }: Domain,
  checker: Checker,
): ResultAsync<void, never> {
  const { [state]: action } = actions;
  if (action === undefined) return okAsync();
  return auditLog.record({ ...checker, action, organization: organizationId, objects: { domain: id, name } });
}

const membersPerPage = 100;

/** Queues a mail to everyone who can do something about it. */
const warnAdministrators = (
  {
    members,
    organizations,
    people,
    outbox,
  }: Pick<DomainRepositories, 'members' | 'organizations' | 'people' | 'outbox'>,
  domain: Domain,
): ResultAsync<void, never> =>
  safeTry(async function* () {
    const { organizationId, name } = domain;
    const organization = yield* organizations.byId(organizationId).orElse(() => okAsync(undefined));
    if (organization === undefined) return ok();
    for (let page = 1; ; page += 1) {
      const { items } = yield* members.list(organizationId, { page, itemsPerPage: membersPerPage });
      for (const { user } of items.filter(({ role }) => permits(role, 'domains.write'))) {
        const person = yield* people.byId(user).orElse(() => okAsync(undefined));
        if (person === undefined) continue;
        const record = verificationRecord(domain);
        const about = { organization: organization.name, domain: name, record };
        yield* outbox.add({ kind: 'domain-lapsing', to: person.email, ...about });
      }
      if (items.length < membersPerPage) return ok();
    }
  });
