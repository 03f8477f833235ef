import type { ResultAsync } from 'neverthrow';
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
