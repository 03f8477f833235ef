import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { isSameJson, type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import { parse } from '../../kernel/shared/parse.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../access/caller.ts';
import { type AccessDenied, lockedMayIn } from '../access/permissions.ts';
import type { Memberships, People } from '../access/ports.ts';
import { hasSecondFactor } from '../access/second-factor.ts';
import type { AuditLog } from '../audit/ports.ts';
import { record } from '../audit/record.ts';
import {
  type OwnProviderMissing,
  type OwnSecondFactorMissing,
  ownProviderMissing,
  ownSecondFactorMissing,
} from './errors.ts';
import { type Organization, OrganizationSettings, organizationVersion } from './organization.ts';
import { lockOrganizationFor, type OrganizationAccessError } from './organization-access.ts';
import type { Organizations } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
  readonly people: People;
}

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
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
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
        if (isSameJson(settingsOf(settings), settingsOf(current))) return ok(current);
        yield* mayChange(repositories, caller, current, settings);
        yield* record(repositories, caller, 'organization.changed', { organization: id });
        return repositories.organizations.save(id, settings);
      }),
    );

const settingsOf = ({ name, enforceTwoFactor, requiredProvider }: OrganizationSettings): JsonObject => ({
  name,
  enforceTwoFactor,
  ...(requiredProvider && { requiredProvider }),
});

/** Checks changes to what the organization requires. A new name needs no check beyond the permission to make changes. */
const mayChange = (
  repositories: Repositories,
  caller: Caller,
  { id, ...current }: Organization,
  { enforceTwoFactor, requiredProvider }: OrganizationSettings,
): ResultAsync<void, AccessDenied | OwnSecondFactorMissing | OwnProviderMissing> =>
  safeTry(async function* () {
    if (enforceTwoFactor !== current.enforceTwoFactor) {
      yield* lockedMayIn(repositories, caller, id, `organization.${enforceTwoFactor ? 'enforce' : 'lift'}TwoFactor`);
      const own = yield* repositories.people.lockFactors(caller.userId).mapErr(ownSecondFactorMissing);
      if (enforceTwoFactor && !hasSecondFactor(own)) return err(ownSecondFactorMissing());
    }
    if (requiredProvider === current.requiredProvider) return ok();
    if (current.requiredProvider !== undefined) {
      yield* lockedMayIn(repositories, caller, id, 'organization.liftProvider');
    }
    if (requiredProvider === undefined) return ok();
    yield* lockedMayIn(repositories, caller, id, 'organization.requireProvider');
    const providers = yield* repositories.people.providersOf(caller.userId);
    // The owner must be able to enter afterwards.
    return providers.includes(requiredProvider) ? ok() : err(ownProviderMissing());
  });
