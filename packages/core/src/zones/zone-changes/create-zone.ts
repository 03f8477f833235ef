import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { type BasicAuthUserId, type OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import { jsonDocument } from '../../kernel/shared/json.ts';
import {
  type InvalidInput,
  invalidAt,
  invalidInput,
  requireNone,
  violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type PermissionDenied, permissionDenied } from '../../organizations/access/errors.ts';
import {
  type AccessDenied,
  lockedMayIn,
  mayIn,
  readsZone,
  requireCredentialAllows,
  requireOpen,
  zonesOf,
} from '../../organizations/access/permissions.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import { permits } from '../../organizations/access/role.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import type { Backends } from '../../organizations/backends/ports.ts';
import {
  decidedHostNames,
  type HostNameClaim,
  type HostNameHolder,
  hostNameViolations,
  takenName,
} from '../../organizations/domains/host-name-rules.ts';
import { type OrganizationNotFound } from '../../organizations/organizations/errors.ts';
import type { Organization } from '../../organizations/organizations/organization.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import { bytesOfRevision, requireStorage } from '../../organizations/organizations/storage-quota.ts';
import type { NewRevision, ZoneHistory } from '../history/ports.ts';
import { documentOf } from '../history/zone-document.ts';
import { inconsistencies } from '../settings/consistency.ts';
import { backendsIn, brokenReferences } from '../settings/references.ts';
import { newBanToken } from '../zones/ban-token.ts';
import { type HostNamesTaken, hostNamesTaken, type ZoneNameTaken } from '../zones/errors.ts';
import type { Zones } from '../zones/ports.ts';
import { type Zone, type ZoneDraft, zoneNameDuplicate } from '../zones/zone.ts';
import { zoneAsSeenBy } from '../zones/zone-as-seen.ts';
import { type HostNameTaking, takeHostNames } from './take-host-names.ts';

interface Repositories extends HostNameTaking {
  readonly auditLog: AuditLog;
  readonly backends: Backends;
  readonly history: ZoneHistory;
  readonly memberships: Memberships;
  readonly storageQuotas: StorageQuotas;
  readonly zones: Zones;
}

export type CreateZoneError = AccessDenied | OrganizationNotFound | InvalidInput;

/** Creates a zone with a new ban token and complete settings (interface, "Zone"). */
export const createZone =
  ({ unitOfWork, randomness }: Pick<Dependencies<Repositories>, 'unitOfWork' | 'randomness'>) =>
  (caller: Caller, draft: ZoneDraft): ResultAsync<Zone, CreateZoneError> =>
    safeTry(async function* () {
      yield* mayCreateZones(caller);
      const organizationId = yield* owningOrganization(caller, draft);
      const added = {
        id: ZoneId.parse(randomness.uuid()),
        organizationId,
        name: draft.name,
        tag: draft.tag,
        hostnames: draft.hostnames,
        banToken: newBanToken(randomness),
        createdBy: caller.userId,
        settings: jsonDocument(draft.zone_settings),
      };
      yield* mayIn(caller, organizationId, 'zones.create');
      // Outside of the unit, which a refusal undoes: domains of others that lapse are to be checked all the same.
      if (added.hostnames.length > 0) yield* unitOfWork.view(lookingUp(added));
      return unitOfWork.run((repositories) => addition(repositories, caller, added));
    });

/** The zone as it is added, and who has its host names. */
type AddedZone = Omit<Parameters<Zones['add']>[0], 'claims'>;

const lookingUp =
  (added: AddedZone) =>
  ({ zoneChanges }: Repositories) =>
    zoneChanges.resolveReferences(added, { backends: [], hostNames: added.hostnames });

const addition = (repositories: Repositories, caller: Caller, added: AddedZone): ResultAsync<Zone, CreateZoneError> =>
  safeTry(async function* () {
    const { organizationId } = added;
    const { limits } = yield* lockWithRoom(repositories, caller, organizationId);
    const claims = yield* validHostNames(repositories, added, { limits, caller });
    if ((yield* takeHostNames(repositories, claims)) === 'superseded') {
      return err(takenBy(added)(hostNamesTaken(claims.flatMap(({ name, from }) => (from ? [name] : [])))));
    }
    const zone = yield* repositories.zones.add({ ...added, claims }).mapErr(takenBy(added));
    const revision = firstRevision(caller, zone);
    yield* requireStorage(repositories, organizationId, bytesOfRevision(revision));
    yield* repositories.history.add(revision);
    const subject = { organization: organizationId, objects: { zone: zone.id } };
    yield* record(repositories, caller, 'zone.created', subject);
    return ok(zoneAsSeenBy(caller, zone));
  });

/** A new zone would not be among those that a token is limited to. */
const mayCreateZones = (caller: Caller): Result<void, AccessDenied> =>
  requireCredentialAllows(caller.credential, 'zones.create').andThen(() =>
    zonesOf(caller) === undefined ? ok() : err(permissionDenied('zones.create')),
  );

/** Locks the organization if the caller may create zones in it and the limit allows another one. */
const lockWithRoom = (
  repositories: Repositories,
  caller: Caller,
  organization: OrganizationId,
): ResultAsync<Organization, CreateZoneError> =>
  safeTry(async function* () {
    const locked = yield* repositories.organizations.lock(organization);
    yield* lockedMayIn(repositories, caller, organization, 'zones.create');
    return requireRoom(repositories, locked, 'organization').map(() => locked);
  });

/** Refuses another zone in a locked organization that has reached its limit; the violation is at `place`. */
export const requireRoom = (
  { zones }: Pick<Repositories, 'zones'>,
  { id, limits }: Organization,
  place: string,
): ResultAsync<void, InvalidInput> =>
  zones.count(id).andThen((count) => (count < limits.zones ? ok() : err(invalidInput([tooManyZones(limits, place)]))));

/** The claims of its host names. Reports all violations at once: of the names and of the settings. */
const validHostNames = (
  repositories: Repositories,
  zone: Pick<Zone, 'id' | 'organizationId' | 'name' | 'tag' | 'hostnames' | 'settings'>,
  { limits, caller }: { readonly limits: UsageLimits; readonly caller: Caller },
): ResultAsync<readonly HostNameClaim[], InvalidInput> =>
  safeTry(async function* () {
    const { hostnames, organizationId: organization } = zone;
    const asked = { backends: [], names: zone, hostNames: hostnames };
    const { isNameTaken, hostNames } = yield* repositories.zoneChanges.resolveReferences(zone, asked);
    const { value: settings } = zone.settings;
    const backends = yield* repositories.backends.lockPresent(organization, backendsIn([settings]));
    const referents = { backends, users: new Set<BasicAuthUserId>() };
    const broken = [...inconsistencies(settings), ...brokenReferences(zone, referents, settings)];
    const facts = { ...hostNames, mayRead: (holder: HostNameHolder) => readsZone(caller, holder) };
    const { wanted, violations } = decidedHostNames(hostnames, { held: [], limits, facts });
    return requireNone([
      ...(isNameTaken ? [zoneNameDuplicate] : []),
      ...violations,
      ...violationsUnder('zone_settings', broken),
    ]).map(() => wanted.claims);
  });

const noRules = { configurationRule: [], rewriteRule: [], accessRule: [], securityScenario: [] } as const;

const firstRevision = ({ userId: author }: Caller, zone: Zone): NewRevision => ({
  zoneId: zone.id,
  number: zone.revision,
  action: 'zone.created',
  objects: {},
  author,
  snapshot: jsonDocument(documentOf({ zone, rules: noRules }, [])),
  patch: undefined,
  restored: undefined,
  replayBytes: 0,
});

/** The violations of a zone of which a name was taken after they were looked up. */
const takenBy =
  ({ hostnames }: Pick<Zone, 'hostnames'>) =>
  (taken: ZoneNameTaken | HostNamesTaken): InvalidInput => {
    if (taken.type === 'ZoneNameTaken') return invalidInput([zoneNameDuplicate]);
    const names = new Set(taken.names);
    return invalidInput(hostNameViolations(hostnames, (name) => (names.has(name) ? takenName(undefined) : undefined)));
  };

/**
 * The organization for a new zone: the given one, or else the only one in which the caller may create zones.
 * Organizations whose requirements the caller does not meet count only if there is no other.
 */
function owningOrganization(
  caller: Caller,
  { organization }: Pick<ZoneDraft, 'organization'>,
): Result<OrganizationId, PermissionDenied | InvalidInput> {
  if (organization !== undefined) return ok(organization);
  const writable = [...caller.memberships].filter(([, { role }]) => permits(role, 'zones.create'));
  const open = writable.filter(([id, membership]) => requireOpen(caller, id, membership).isOk());
  const [only, another] = open.length > 0 ? open : writable;
  if (only === undefined) return err(permissionDenied('zones.create'));
  if (another === undefined) return ok(only[0]);
  const reason = 'This member is required: you may create zones in several organizations.';
  return err(invalidAt('organization', 'member.required', reason));
}

const tooManyZones = ({ zones }: UsageLimits, place: string) =>
  violation(place, 'organization.zones.limit', fullMessage('An organization', zones, 'zones'));
