import type { ResultAsync } from 'neverthrow';
import type { DomainId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import type { Dns } from './dns.ts';
import { type Domain, domainVersion } from './domain.ts';
import { checkDomain, type DomainCheck } from './domain-check.ts';
import { type DomainAccessError, permittedDomain } from './read-domains.ts';
import { recordCheck } from './record-check.ts';
import type { DomainRepositories } from './repositories.ts';

/** Looks for the record of a domain in DNS, which can take seconds and happens outside transactions. */
export const checkRecord =
  ({ unitOfWork, dns }: { readonly unitOfWork: UnitOfWork<DomainRepositories>; readonly dns: Dns }) =>
  (caller: Caller, organization: OrganizationId, id: DomainId): ResultAsync<DomainCheck, DomainAccessError> =>
    permittedDomain({ unitOfWork }, caller, { organization, id }, 'domains.write').andThen((domain) =>
      checkDomain(dns, domain),
    );

/** Records what a caller's check of a domain has found. */
export const verifyDomain =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork<DomainRepositories> }) =>
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
