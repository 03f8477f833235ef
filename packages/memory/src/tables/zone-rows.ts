import type {
  BackendRevisionSummary,
  BasicAuthPasswordHash,
  BasicAuthUser,
  DeletedZone,
  JsonObject,
  NewRevision,
  Rule,
  RuleList,
  RuleRank,
  Zone,
} from '@zonewright/core';

/** A zone; settings are stored as text, as in a database. */
export interface ZoneRow extends Omit<Zone, 'settings'> {
  readonly settings: string;
}

/** A rule of any kind. */
export interface RuleRow extends Omit<Rule, 'order' | 'content'> {
  readonly rank: RuleRank;
  readonly content: string;
}

/** A basic-auth user with the hash that proxies verify. */
export interface BasicAuthUserRow extends BasicAuthUser {
  readonly hash: BasicAuthPasswordHash;
}

/** A revision of a zone, with the whole document if it has a snapshot. */
export interface RevisionRow extends NewRevision {
  readonly createdAt: Date;
  /** The commit that created it. */
  readonly commit: number;
}

/** A revision of a backend, with its client-supplied part. */
export interface BackendRevisionRow extends BackendRevisionSummary {
  readonly state: JsonObject;
  /** The commit that created it. */
  readonly commit: number;
}

/** A deleted zone, with its id for a ban token. What is in it stays in its tables. */
export interface DeletedZoneRow extends Pick<DeletedZone, 'deletedAt' | 'deletedBy' | 'expiresAt'> {
  readonly zone: ZoneRow;
}

/** The key of a list. */
export const listKey = ({ zone, kind }: RuleList): string => `${zone} ${kind}`;
