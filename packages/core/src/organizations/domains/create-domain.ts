import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { DomainId, type OrganizationId } from '../../kernel/shared/ids.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import { type Domain, type DomainDraft, domainDuplicate, tooManyDomains } from './domain.ts';
import { firstCheckSeconds } from './domain-check.ts';
import type { HostNameRules } from './host-name-rules.ts';
import { isOwn } from './host-name-rules.ts';
import type { DomainRepositories } from './repositories.ts';

/** Adds a domain, which has to be proven by a record in DNS. Several organizations may add the same one. */
export const createDomain =
  ({
    unitOfWork,
    randomness,
    hostNameRules,
  }: Pick<Dependencies<DomainRepositories>, 'unitOfWork' | 'randomness'> & { readonly hostNameRules: HostNameRules }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    { name }: DomainDraft,
  ): ResultAsync<Domain, OrganizationAccessError | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { limits } = yield* lockOrganizationFor(repositories, caller, organization, 'domains.write');
        if (isOwn(hostNameRules, name)) return err(invalidInput([ownDomain]));
        if ((yield* repositories.domains.count(organization)) >= limits.domains) return err(tooManyDomains(limits));
        const domain = yield* repositories.domains
          .add({
            id: DomainId.parse(randomness.uuid()),
            organizationId: organization,
            name,
            proof: randomness.token(),
            firstCheckSeconds,
          })
          .mapErr(() => invalidInput([domainDuplicate]));
        yield* record(repositories, caller, 'domain.added', { organization, objects: { domain: domain.id, name } });
        return ok(domain);
      }),
    );

const ownDomain = violation('name', 'hostname.own', 'This is the name of the service itself.');
