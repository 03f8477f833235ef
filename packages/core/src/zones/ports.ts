import type { ResultAsync } from 'neverthrow';
import type { PlausibleCredential, Recognized } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { Role } from '../access/role.ts';
import type { NextRevision } from '../history/revision.ts';
import type { RulesOfZone } from '../rule-kinds/rule.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { OrganizationId, UserId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { Page, PageRequest, PageTooLarge } from '../shared/page.ts';
import type { ZoneNameTaken, ZoneNotFound } from './errors.ts';
import type { EnvironmentTag, Zone, ZoneName } from './zone.ts';

/** What lists of zones can be sorted by. */
export const zoneSortKeys = ['name', 'tag', 'createdAt', 'updatedAt'] as const;
export type ZoneSortKey = (typeof zoneSortKeys)[number];

/** One key of an order; earlier ones of a list count more. */
export interface ZoneSort {
  readonly key: ZoneSortKey;
  readonly direction: 'asc' | 'desc';
}

/** Which zones to list; every criterion must hold. */
export interface ZoneFilter {
  readonly organizations: readonly OrganizationId[];
  /** Empty: every tag. */
  readonly tags: readonly EnvironmentTag[];
  /** Part of the name, ignoring case, or of the id; taken literally. */
  readonly search: string | undefined;
}

/** Of a zone what decides who may see it, and whether what is known of its contents still holds. */
export type ZoneHead = Pick<Zone, 'organizationId' | 'revision'>;

/** The same for the holder of a credential. */
export interface OwnZoneFilter extends Omit<ZoneFilter, 'organizations'> {
  /** Only zones of organizations in which the caller has one of these roles. */
  readonly roles: readonly Role[];
  /** One organization only. */
  readonly organization: OrganizationId | undefined;
}

/** Names one state of a zone. States never change. */
export interface ZoneState {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  /** Of the zones with this id, only one state has it. */
  readonly state: string;
}

/** One part of a list of zones, of which nothing is read yet. */
export interface ZoneStates {
  readonly states: readonly ZoneState[];
  readonly totalItems: number;
}

/** Zones of the holder of a live credential. */
export interface OwnZones {
  /**
   * As `Zones.list`, but names the zones only: those of the organizations of the caller, except of those that demand a
   * second factor which the caller lacks. Memberships are those of the organizations of the page, and of the one that is
   * named.
   */
  states(
    credential: PlausibleCredential,
    filter: OwnZoneFilter,
    sort: readonly ZoneSort[],
    page: PageRequest,
  ): ResultAsync<Recognized<ZoneStates>, Unauthenticated>;
  /**
   * The zones in the same order, each in the state that is named or as it is by now; of those that are gone some may be
   * left out. Measured as a page is.
   */
  read(states: readonly ZoneState[]): ResultAsync<readonly Zone[], PageTooLarge>;
  /** One zone, whether or not the caller may see it. Memberships are that of its organization, if there is one. */
  state(credential: PlausibleCredential, id: ZoneId): ResultAsync<Recognized<ZoneState | undefined>, Unauthenticated>;
  /** As `Zones.withContents`, in the state that is named or as it is by now. */
  contents(state: ZoneState): ResultAsync<ZoneWithContents, ZoneNotFound>;
}

/** A zone with everything inside it. */
export interface ZoneWithContents {
  readonly zone: Zone;
  readonly rules: RulesOfZone;
  readonly basicAuthUserCount: number;
}

/** Zones. Names are compared ignoring case; (name, tag) is unique in an organization. */
export interface Zones {
  add(zone: {
    readonly id: ZoneId;
    readonly organizationId: OrganizationId;
    readonly name: ZoneName;
    readonly tag: EnvironmentTag;
    readonly banToken: string;
    readonly createdBy: UserId;
    readonly settings: JsonDocument<ZoneSettings>;
  }): ResultAsync<Zone, ZoneNameTaken>;
  /**
   * Zones in the asked order; equals, and all when no order is asked, by id. A page is measured by the text of its
   * settings, without reading them.
   */
  list(filter: ZoneFilter, sort: readonly ZoneSort[], page: PageRequest): ResultAsync<Page<Zone>, PageTooLarge>;
  /** Number of zones of the organization. */
  count(organization: OrganizationId): ResultAsync<number, never>;
  /** The organization that owns the zone. */
  organizationOf(id: ZoneId): ResultAsync<OrganizationId, ZoneNotFound>;
  /** Who owns the zone, and its revision. */
  head(id: ZoneId): ResultAsync<ZoneHead, ZoneNotFound>;
  /** The zone, its rules and the number of its basic-auth users as they were at one moment. */
  withContents(id: ZoneId): ResultAsync<ZoneWithContents, ZoneNotFound>;
  /** Locks the zone and everything inside it for the rest of the unit. */
  lock(id: ZoneId): ResultAsync<Zone, ZoneNotFound>;
  /** Whether another zone of the organization has this name and tag. */
  nameIsTaken(zone: Pick<Zone, 'id' | 'organizationId' | 'name' | 'tag'>): ResultAsync<boolean, never>;
  /** Gives a locked zone another name or tag. */
  rename(id: ZoneId, names: Pick<Zone, 'name' | 'tag'>): ResultAsync<void, ZoneNameTaken>;
  /** Replaces the settings of a locked zone. */
  saveSettings(id: ZoneId, settings: JsonDocument<ZoneSettings>): ResultAsync<void, never>;
  setBanToken(id: ZoneId, banToken: string): ResultAsync<void, never>;
  /** Counts a change of a locked zone or of something inside it, and resolves to the zone's new revision. */
  raiseVersion(id: ZoneId): ResultAsync<NextRevision, never>;
  /** Removes a locked zone and everything inside it. */
  remove(id: ZoneId): ResultAsync<void, never>;
}
