import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { defect } from '../../kernel/shared/failures.ts';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import { type InvalidInput, invalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { mayIn, reachesZone } from '../../organizations/access/permissions.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import {
  lockOrganizationFor,
  type OrganizationAccessError,
} from '../../organizations/organizations/organization-access.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import { contentsPlan } from '../drafts/zone-contents.ts';
import type { BackendHistory, ZoneHistory } from '../history/ports.ts';
import { documentOf } from '../history/zone-document.ts';
import { MissingMode, type MissingPart, withBackendNames } from '../revisions/missing-references.ts';
import { type Restoration, restorable } from '../revisions/restorable-state.ts';
import { defaultZoneSettings } from '../settings/settings.ts';
import { changeNewZone, type NewZone } from '../zone-changes/change-zone.ts';
import { requireRoom } from '../zone-changes/create-zone.ts';
import { mapDecision } from '../zone-changes/decision.ts';
import { type HostNameTaking, takeHostNames } from '../zone-changes/take-host-names.ts';
import type { PureCommand, ZoneCommand } from '../zone-changes/zone-command.ts';
import { newBanToken } from '../zones/ban-token.ts';
import type { Zones } from '../zones/ports.ts';
import { EnvironmentTag, ZoneName, zoneNameDuplicate } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { deletedZoneVersion } from './deleted-zone.ts';
import { type DeletedZoneNotFound, deletedZoneNotFound } from './errors.ts';
import type { DeletedZones } from './ports.ts';

interface Repositories extends HostNameTaking {
  readonly backendHistory: BackendHistory;
  readonly deletedZones: DeletedZones;
  readonly history: ZoneHistory;
  readonly memberships: Memberships;
  readonly storageQuotas: StorageQuotas;
  readonly zones: Zones;
}

/** Options for restoring a deleted zone; it keeps its name and tag unless new ones are given. */
export const ZoneRestoration = z.strictObject({
  name: ZoneName.optional(),
  tag: EnvironmentTag.optional(),
  missing: MissingMode.default('refuse'),
});
export type ZoneRestoration = z.output<typeof ZoneRestoration>;

export type RestoreDeletedZoneError =
  | OrganizationAccessError
  | ZoneAccessError
  | DeletedZoneNotFound
  | VersionMismatch
  | InvalidInput;

/**
 * Restores a deleted zone with its contents and history and a new ban token, as a new revision. References to things
 * that no longer exist are violations at their place in the zone's document, or are skipped; resolves to what was
 * skipped. Everything is validated before the organization is locked.
 */
export const restoreDeletedZone =
  ({ unitOfWork, randomness }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness'>) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: ZoneId,
    how: ZoneRestoration,
    expected: ExpectedVersions,
  ): ResultAsync<readonly MissingPart[], RestoreDeletedZoneError> => {
    const zone = revivable(caller, organization, id, expected);
    const command = restoration(how, newBanToken(randomness));
    return changeNewZone(unitOfWork, caller, zone, command).andThen(({ before, change }) =>
      unitOfWork.view((repositories) =>
        withBackendNames(repositories, before.zone, { whenMade: before.zone.revision }, change.missing),
      ),
    );
  };

/** The deleted zone as a new one: read without locks, and revived if it is still the same. */
const revivable = (
  caller: Caller,
  organization: OrganizationId,
  id: ZoneId,
  expected: ExpectedVersions,
): NewZone<RestoreDeletedZoneError, Repositories> => ({
  read: (repositories) =>
    safeTry(async function* () {
      const { limits } = yield* repositories.organizations.byId(organization);
      yield* mayIn(caller, organization, 'zones.delete');
      if (!reachesZone(caller, id)) return err(deletedZoneNotFound());
      const deleted = yield* repositories.deletedZones.byId(organization, id);
      yield* requireVersion(expected, deletedZoneVersion(deleted));
      const state = yield* repositories.deletedZones.state(organization, id);
      const { replayBytes } = yield* repositories.history
        .byNumber(id, state.zone.revision)
        .orElse(() => defect('A deleted zone has no history.'));
      return ok({ state, limits, replayBytes });
    }),
  arrange: (repositories, { zone }) =>
    safeTry(async function* () {
      const locked = yield* lockOrganizationFor(repositories, caller, organization, 'zones.delete');
      const deleted = yield* repositories.deletedZones.byId(organization, id);
      if (deleted.revision !== zone.revision) return ok('superseded' as const);
      yield* requireRoom(repositories, locked, '');
      yield* repositories.deletedZones.revive(organization, id);
      return ok(locked);
    }),
});

/** The command that names a restored zone, gives it a ban token and drops references that no longer resolve. */
const restoration = (
  { name, tag, missing: mode }: ZoneRestoration,
  banToken: string,
): ZoneCommand<InvalidInput, Restoration, HostNameTaking> & PureCommand<InvalidInput, Restoration> => ({
  permission: 'zones.delete',
  takeHostNames,
  nameTaken: invalidInput([zoneNameDuplicate]),
  decide: (basis) => {
    const { state } = basis;
    const { zone, users } = state;
    const names = { name: name ?? zone.name, tag: tag ?? zone.tag };
    const document = documentOf(state, users);
    // Its host names became free when it was deleted.
    const old = { document, replacement: defaultZoneSettings, name: names.name, held: [] };
    return restorable(basis, old, mode).map(
      mapDecision(({ contents, missing }) => ({
        plan: {
          names,
          banToken,
          ...contentsPlan(state, contents),
          hostnames: { names: contents.hostnames, claims: contents.claims },
        },
        action: 'zone.undeleted',
        objects: {},
        missing,
      })),
    );
  },
});
