import type { ResultAsync } from 'neverthrow';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { DomainId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import type { People } from '../access/ports.ts';
import type { AuditLog } from '../audit/ports.ts';
import type { Members, Organizations } from '../organizations/ports.ts';
import type { Dns } from './dns.ts';
import { type Domain, domainVersion } from './domain.ts';
import { checkDomain, type DomainCheck } from './domain-check.ts';
import type { DomainChecks, Domains } from './ports.ts';
import { type DomainAccessError, permittedDomain } from './read-domains.ts';
import { recordCheck } from './record-check.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly domainChecks: DomainChecks;
  readonly domains: Domains;
  readonly members: Members;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
  readonly people: People;
}

/** Looks for the record of a domain in DNS, which can take seconds and happens outside transactions. */
export const checkRecord =
  ({ unitOfWork, dns }: { readonly unitOfWork: UnitOfWork<Repositories>; readonly dns: Dns }) =>
  (caller: Caller, organization: OrganizationId, id: DomainId): ResultAsync<DomainCheck, DomainAccessError> =>
    permittedDomain({ unitOfWork }, caller, { organization, id }, 'domains.write').andThen((domain) =>
      checkDomain(dns, domain),
    );

/** Records what a caller's check of a domain has found. */
export const verifyDomain =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: DomainId,
    check: DomainCheck,
    expected: ExpectedVersions,
  ): ResultAsync<Domain, DomainAccessError | VersionMismatch> => {
    const checker = { actor: caller.userId, credential: caller.credential.id, client: caller.client };
    return permittedDomain({ unitOfWork }, caller, { organization, id }, 'domains.write').andThen(() =>
      unitOfWork.run((repositories) =>
        repositories.domainChecks
          .lock(id)
          .andThrough(({ domain }) => requireVersion(expected, domainVersion(domain)))
          .andThen((watched) => recordCheck(repositories, watched, check, checker)),
      ),
    );
  };
