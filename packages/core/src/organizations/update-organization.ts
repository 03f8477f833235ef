import { err, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
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
import {
  type OwnProviderMissing,
  type OwnSecondFactorMissing,
  ownProviderMissing,
  ownSecondFactorMissing,
} from './errors.ts';
import { type Organization, OrganizationSettings, organizationVersion } from './organization.ts';
import { lockOrganizationFor, type OrganizationAccessError } from './organization-access.ts';

export type UpdateOrganizationError =
  | OrganizationAccessError
  | VersionMismatch
  | InvalidInput
  | OwnSecondFactorMissing
  | OwnProviderMissing;

/**
 * Changes the name, the two-factor requirement or the required provider by a merge patch. Only signed-in owners may
 * change requirements, and only those who meet them themselves may make them.
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
        const settings = yield* parse(OrganizationSettings, mergePatch(settingsOf(current), patch));
        const changes = changesBetween(current, settings);
        if (changes.length === 0) return ok(current);
        for (const change of changes) yield* change(repositories, caller, id, settings);
        yield* record(repositories, caller, 'organization.changed', { organization: id });
        return repositories.organizations.save(id, settings);
      }),
    );

const settingsOf = ({ name, enforceTwoFactor, requiredProvider }: OrganizationSettings): JsonObject => ({
  name,
  enforceTwoFactor,
  ...(requiredProvider && { requiredProvider }),
});

/** Checks whether the caller may make a change of one setting. */
type Change = (
  repositories: Repositories,
  caller: Caller,
  id: OrganizationId,
  settings: OrganizationSettings,
) => ResultAsync<void, AccessDenied | OwnSecondFactorMissing | OwnProviderMissing>;

function changesBetween(current: OrganizationSettings, settings: OrganizationSettings): readonly Change[] {
  const mayLift = current.requiredProvider === undefined ? [] : [mayLiftProvider];
  const mayRequire = settings.requiredProvider === undefined ? [] : [mayRequireProvider];
  return [
    // Whoever may change the organization may rename it.
    ...(settings.name === current.name ? [] : [() => okAsync()]),
    ...(settings.enforceTwoFactor === current.enforceTwoFactor ? [] : [mayChangeTwoFactor]),
    ...(settings.requiredProvider === current.requiredProvider ? [] : [...mayLift, ...mayRequire]),
  ];
}

const mayChangeTwoFactor: Change = (repositories, caller, id, { enforceTwoFactor }) =>
  safeTry(async function* () {
    const permission = enforceTwoFactor ? 'organization.enforceTwoFactor' : 'organization.liftTwoFactor';
    yield* lockedMayIn(repositories, caller, id, permission);
    const own = yield* repositories.accounts.lock(caller.userId).mapErr(ownSecondFactorMissing);
    return enforceTwoFactor && !hasSecondFactor(own) ? err(ownSecondFactorMissing()) : ok();
  });

const mayLiftProvider: Change = (repositories, caller, id) =>
  lockedMayIn(repositories, caller, id, 'organization.liftProvider').map(() => undefined);

/** The owner must be able to enter afterwards. */
const mayRequireProvider: Change = (repositories, caller, id, { requiredProvider }) =>
  lockedMayIn(repositories, caller, id, 'organization.requireProvider')
    .andThen(() => repositories.identities.list(caller.userId))
    .andThen((own) => (own.some(({ provider }) => provider === requiredProvider) ? ok() : err(ownProviderMissing())));
