import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { record } from '../audit/record.ts';
import { type OrganizationNotFound, type PermissionDenied, permissionDenied } from '../organizations/errors.ts';
import { organizationLimits } from '../organizations/organization.ts';
import { type AccessDenied, lockedMayIn, mayIn } from '../organizations/organization-access.ts';
import { permits } from '../organizations/role.ts';
import type { Caller } from '../sessions/caller.ts';
import { type OrganizationId, ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { newZoneSettingsViolations } from './settings-references.ts';
import { newBanToken, type Zone, type ZoneDraft } from './zone.ts';

export type CreateZoneError = AccessDenied | OrganizationNotFound | InvalidInput;
export type CreateZone = (caller: Caller, draft: ZoneDraft) => ResultAsync<Zone, CreateZoneError>;

/** Creates a zone with a fresh ban token and all settings filled (interface, "Zone"). */
export const createZone =
  ({ unitOfWork, randomness }: { unitOfWork: UnitOfWork; randomness: Randomness }): CreateZone =>
  (caller, draft) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { organizations, zones } = repositories;
        const organizationId = yield* owningOrganization(caller, draft);
        yield* mayIn(caller, organizationId, 'zones.create');
        yield* organizations.lock(organizationId);
        yield* lockedMayIn(repositories, caller, organizationId, 'zones.create');
        const zoneCount = yield* organizations.zoneCount(organizationId);
        if (zoneCount >= organizationLimits.zones) return err(tooManyZones());
        const { name, zone_settings: settings } = draft;
        const violations = yield* newZoneSettingsViolations(repositories, { organizationId, name }, settings);
        if (violations.length > 0) return err(invalidInput(violations));
        const added = zones.add({
          id: ZoneId.parse(randomness.uuid()),
          organizationId,
          name: draft.name,
          tag: draft.tag,
          banToken: newBanToken(randomness),
          createdBy: caller.userId,
          settings: jsonDocument(draft.zone_settings),
        });
        const zone = yield* added.mapErr(nameTaken);
        yield* record(repositories, caller, 'zone.created', {
          organization: organizationId,
          objects: { zone: zone.id },
        });
        return ok(zone);
      }),
    );

/**
 * The organization a zone is created in: the one named, or else the only one in which the caller may create zones.
 * Those that demand a second factor the caller lacks count only where there is no other.
 */
export function owningOrganization(
  caller: Caller,
  { organization }: Pick<ZoneDraft, 'organization'>,
): Result<OrganizationId, PermissionDenied | InvalidInput> {
  if (organization !== undefined) return ok(organization);
  const writable = [...caller.memberships].filter(([, { role }]) => permits(role, 'zones.create'));
  const open = writable.filter(([, { needsTwoFactor }]) => !needsTwoFactor);
  const [only, another] = open.length > 0 ? open : writable;
  if (only === undefined) return err(permissionDenied('zones.create'));
  if (another === undefined) return ok(only[0]);
  const reason = 'This member is required: you may create zones in several organizations.';
  return err(invalidInput([violation('organization', 'member.required', reason)]));
}

const nameTaken = () =>
  invalidInput([violation('name', 'zone.name.duplicate', 'A zone with this name and tag exists in the organization.')]);

const tooManyZones = () =>
  invalidInput([
    violation(
      'organization',
      'organization.zones.limit',
      `An organization holds at most ${organizationLimits.zones} zones.`,
    ),
  ]);
