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
import { type Look, lookAt } from './look.ts';
import type { DomainLooks, Domains } from './ports.ts';
import { type DomainAccessError, permittedDomain } from './read-domains.ts';
import { recordLook } from './record-look.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly domainLooks: DomainLooks;
  readonly domains: Domains;
  readonly members: Members;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
  readonly people: People;
}

/** Looks for the record of a domain in DNS, which can take seconds and happens outside transactions. */
export const lookForRecord =
  ({ unitOfWork, dns }: { readonly unitOfWork: UnitOfWork<Repositories>; readonly dns: Dns }) =>
  (caller: Caller, organization: OrganizationId, id: DomainId): ResultAsync<Look, DomainAccessError> =>
    permittedDomain({ unitOfWork }, caller, { organization, id }, 'domains.write').andThen((domain) =>
      lookAt(dns, domain),
    );

/** Records what a caller's look at a domain has found. */
export const verifyDomain =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: DomainId,
    look: Look,
    expected: ExpectedVersions,
  ): ResultAsync<Domain, DomainAccessError | VersionMismatch> => {
    const looker = { actor: caller.userId, credential: caller.credential.id, client: caller.client };
    return permittedDomain({ unitOfWork }, caller, { organization, id }, 'domains.write').andThen(() =>
      unitOfWork.run((repositories) =>
        repositories.domainLooks
          .lock(id)
          .andThrough(({ domain }) => requireVersion(expected, domainVersion(domain)))
          .andThen((watched) => recordLook(repositories, watched, look, looker)),
      ),
    );
  };
