import { okAsync, type ResultAsync } from 'neverthrow';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Dns } from './dns.ts';
import { checkDomain } from './domain-check.ts';
import { recordCheck } from './record-check.ts';
import type { DomainRepositories } from './repositories.ts';

/** Another process may check it if this one has not recorded its check by then. */
const leaseSeconds = 60;

const service = { actor: undefined, credential: undefined, client: { network: undefined, userAgent: undefined } };

/** Checks the domain that has been due for longest. A check that cannot be recorded is repeated after a minute. */
export const checkNextDomain =
  ({ unitOfWork, dns }: { readonly unitOfWork: UnitOfWork<DomainRepositories>; readonly dns: Dns }) =>
  (): ResultAsync<'done' | 'nothing due', never> =>
    unitOfWork
      .single(({ domainChecks }) => domainChecks.claim(leaseSeconds))
      .andThen((domain) =>
        domain === undefined
          ? okAsync('nothing due' as const)
          : checkDomain(dns, domain)
              .andThen((check) =>
                unitOfWork.run((repositories) =>
                  repositories.domainChecks
                    .lock(domain.id)
                    .andThen((watched) => recordCheck(repositories, watched, check, service)),
                ),
              )
              .map(() => 'done' as const)
              // It has been removed meanwhile.
              .orElse(() => okAsync('done' as const)),
      );
