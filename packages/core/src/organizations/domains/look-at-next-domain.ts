import { okAsync, type ResultAsync } from 'neverthrow';
import type { Outbox } from '../../kernel/mail/ports.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { People } from '../access/ports.ts';
import type { AuditLog } from '../audit/ports.ts';
import type { Members, Organizations } from '../organizations/ports.ts';
import type { Dns } from './dns.ts';
import { lookAt } from './look.ts';
import type { DomainLooks } from './ports.ts';
import { recordLook } from './record-look.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly domainLooks: DomainLooks;
  readonly members: Members;
  readonly organizations: Organizations;
  readonly outbox: Outbox;
  readonly people: People;
}

/** Another process may look if this one has not recorded its look by then. */
const leaseSeconds = 60;

const service = { actor: undefined, credential: undefined, client: { network: undefined, userAgent: undefined } };

/** Looks at the domain that has been due for longest. A look that cannot be recorded is repeated after a minute. */
export const lookAtNextDomain =
  ({ unitOfWork, dns }: { readonly unitOfWork: UnitOfWork<Repositories>; readonly dns: Dns }) =>
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
