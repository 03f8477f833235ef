import { type ResultAsync, safeTry } from 'neverthrow';
import type { DomainId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import { lockOrganizationFor } from '../organizations/organization-access.ts';
import { domainVersion } from './domain.ts';
import type { DomainInUse } from './errors.ts';
import type { DomainAccessError } from './read-domains.ts';
import type { DomainRepositories } from './repositories.ts';

/** Removes a domain that covers no host name of a zone. */
export const deleteDomain =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<DomainRepositories> }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: DomainId,
    expected: ExpectedVersions,
  ): ResultAsync<void, DomainAccessError | DomainInUse | VersionMismatch> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* lockOrganizationFor(repositories, caller, organization, 'domains.write');
        const domain = yield* repositories.domains.byId(organization, id);
        yield* requireVersion(expected, domainVersion(domain));
        yield* record(repositories, caller, 'domain.removed', {
          organization,
          objects: { domain: id, name: domain.name },
        });
        return repositories.domains.remove(organization, id);
      }),
    );
