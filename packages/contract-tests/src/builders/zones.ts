import {
  type AddedUser,
  BasicAuthComment,
  type BasicAuthPasswordHash,
  BasicAuthUsername,
  defaultZoneSettings,
  jsonDocument,
  ZoneDraft,
  ZoneName,
  type Zones,
} from '@zonewright/core';
import type { Added } from './added.ts';
import { aBasicAuthUserId, aZoneId, unique } from './ids.ts';

/** The given name, or a unique one. */
export const aZoneName = (name = `zone-${unique()}`): ZoneName => ZoneName.parse(name);

/** A unique ban token. */
export const aBanToken = (): string => `ban_${String(unique()).padStart(36, '0')}`;

/** The argument of `Zones.add`. */
export type NewZone = Added<Zones['add']>;

/** A production zone with the default settings. */
export const aZone = (given: Partial<NewZone> & Pick<NewZone, 'organizationId' | 'createdBy'>): NewZone => ({
  id: aZoneId(),
  name: aZoneName(),
  tag: 'prod',
  hostnames: [],
  claims: [],
  banToken: aBanToken(),
  settings: jsonDocument(defaultZoneSettings),
  ...given,
});

/** A zone as a client requests it. */
export const aZoneDraft = (given: { readonly name?: string; readonly organization?: number } = {}): ZoneDraft =>
  ZoneDraft.parse({ name: `zone-${unique()}`, ...given });

/** A user as added by a plan, with a unique name. */
export const aBasicAuthUser = (given: Partial<AddedUser> = {}): AddedUser => ({
  id: aBasicAuthUserId(),
  username: BasicAuthUsername.parse(`user-${unique()}`),
  comment: BasicAuthComment.parse('For a test'),
  hash: aBasicAuthHash(),
  ...given,
});

/** An arbitrary bcrypt hash. */
export const aBasicAuthHash = (): BasicAuthPasswordHash =>
  `$2y$10$${String(unique()).padStart(53, '0')}` as BasicAuthPasswordHash;
