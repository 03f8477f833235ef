import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { AuditAction, AuditEntry } from '../audit/audit-entry.ts';
import { type Domain, type DomainState, verificationRecord } from './domain.ts';
import { afterCheck, type DomainCheck, type WatchedDomain } from './domain-check.ts';
import { mailAdministrators } from './mail-administrators.ts';
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
    if (domain.state === 'lapsing') {
      const subject = { kind: 'domain-lapsing', domain: domain.name, record: verificationRecord(domain) } as const;
      yield* mailAdministrators(repositories, domain.organizationId, subject);
    }
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
