import { okAsync, type ResultAsync } from 'neverthrow';
import type { OrganizationDependencies } from '../dependencies.ts';
import { lookAt } from './look.ts';
import { recordLook } from './record-look.ts';

/** Another process may look if this one has not recorded its look by then. */
const leaseSeconds = 60;

const service = { actor: undefined, credential: undefined, client: { network: undefined, userAgent: undefined } };

/** Looks at the domain that has been due for longest. A look that cannot be recorded is repeated after a minute. */
export const lookAtNextDomain =
  ({ unitOfWork, dns }: Pick<OrganizationDependencies, 'unitOfWork' | 'dns'>) =>
  (): ResultAsync<'done' | 'nothing due', never> =>
    unitOfWork
      .single(({ domainLooks }) => domainLooks.claim(leaseSeconds))
      .andThen((domain) =>
        domain === undefined
          ? okAsync('nothing due' as const)
          : lookAt(dns, domain)
              .andThen((look) =>
                unitOfWork.run((repositories) =>
                  repositories.domainLooks
                    .lock(domain.id)
                    .andThen((watched) => recordLook(repositories, watched, look, service)),
                ),
              )
              .map(() => 'done' as const)
              // It has been removed meanwhile.
              .orElse(() => okAsync('done' as const)),
      );
