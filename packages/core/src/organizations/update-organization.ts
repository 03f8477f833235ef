import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { type AccessDenied, lockedMayIn } from '../access/permissions.ts';
import { hasSecondFactor } from '../access/second-factor.ts';
import { record } from '../audit/record.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { type OwnSecondFactorMissing, ownSecondFactorMissing } from './errors.ts';
import { type Organization, OrganizationSettings, organizationVersion } from './organization.ts';
import { lockOrganizationFor, type OrganizationAccessError } from './organization-access.ts';

export type UpdateOrganizationError = OrganizationAccessError | VersionMismatch | InvalidInput | OwnSecondFactorMissing;

/**
 * Changes the name or the two-factor requirement by a merge patch. Only signed-in owners may change the requirement,
 * and only those who use two-factor authentication themselves may enable it.
 */
export const updateOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    id: OrganizationId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<Organization, UpdateOrganizationError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const current = yield* lockOrganizationFor(repositories, caller, id, 'organization.rename');
        yield* requireVersion(expected, organizationVersion(current));
        const { name, enforceTwoFactor } = current;
        const settings = yield* parse(OrganizationSettings, mergePatch({ name, enforceTwoFactor }, patch));
        const changesRule = settings.enforceTwoFactor !== enforceTwoFactor;
        if (!changesRule && settings.name === name) return ok(current);
        if (changesRule) yield* mayChangeRule(repositories, caller, id, settings);
        yield* record(repositories, caller, 'organization.changed', { organization: id });
        return repositories.organizations.save(id, settings);
      }),
    );

const mayChangeRule = (
  repositories: Repositories,
  caller: Caller,
  id: OrganizationId,
  { enforceTwoFactor }: OrganizationSettings,
): ResultAsync<void, AccessDenied | OwnSecondFactorMissing> =>
  safeTry(async function* () {
    const permission = enforceTwoFactor ? 'organization.enforceTwoFactor' : 'organization.liftTwoFactor';
    yield* lockedMayIn(repositories, caller, id, permission);
    const own = yield* repositories.accounts.lock(caller.userId).mapErr(ownSecondFactorMissing);
    return enforceTwoFactor && !hasSecondFactor(own) ? err(ownSecondFactorMissing()) : ok();
  });
