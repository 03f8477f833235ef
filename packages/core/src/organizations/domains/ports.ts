import type { ResultAsync } from 'neverthrow';
import type { DomainId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { DomainName } from './dns-names.ts';
import type { Domain } from './domain.ts';
import type { DomainAfterCheck, WatchedDomain } from './domain-check.ts';
import type { DomainInUse, DomainNameTaken, DomainNotFound } from './errors.ts';

/** The domains of organizations. */
export interface Domains {
  /** Adds a pending domain, which is to be checked after `firstCheckSeconds`. */
  add(
    domain: Pick<Domain, 'id' | 'organizationId' | 'name' | 'proof'> & { readonly firstCheckSeconds: number },
  ): ResultAsync<Domain, DomainNameTaken>;
  /** Ordered by name. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<Domain>, never>;
  byId(organization: OrganizationId, id: DomainId): ResultAsync<Domain, DomainNotFound>;
  count(organization: OrganizationId): ResultAsync<number, never>;
  /** Those of the names that are domains of the organization, in any state. */
  named(organization: OrganizationId, names: readonly DomainName[]): ResultAsync<readonly Domain[], never>;
  /**
   * Removes a domain of a locked organization unless it covers a host name of a zone. A change that claims such a host
   * name meanwhile is superseded.
   */
  remove(organization: OrganizationId, id: DomainId): ResultAsync<void, DomainNotFound | DomainInUse>;
}

/** When to check domains, and what came of it. */
export interface DomainChecks {
  /**
   * The domain that has been due for longest. It is not due again for `leaseSeconds`: of any number of concurrent calls,
   * one gets it.
   */
  claim(leaseSeconds: number): ResultAsync<Domain | undefined, never>;
  /** Locks a domain until the unit ends. */
  lock(id: DomainId): ResultAsync<WatchedDomain, DomainNotFound>;
  /** Records the check of a locked domain. Each check raises the revision. */
  record(id: DomainId, after: DomainAfterCheck): ResultAsync<Domain, never>;
}
