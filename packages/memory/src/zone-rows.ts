import type {
  BackendRevisionSummary,
  BasicAuthPasswordHash,
  BasicAuthUser,
  DeletedZone,
  EnvironmentTag,
  JsonObject,
  NewRevision,
  OrganizationId,
  Rule,
  RuleKind,
  RuleRank,
  UserId,
  ZoneId,
  ZoneName,
} from '@zonewright/core';

/** A zone; settings are text, as in a database. */
export interface ZoneRow {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  readonly name: ZoneName;
  readonly tag: EnvironmentTag;
  readonly banToken: string;
  readonly createdBy: UserId | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
  readonly settings: string;
}

/** A rule of any kind. */
export interface RuleRow extends Omit<Rule, 'order' | 'content'> {
  readonly rank: RuleRank;
  readonly content: string;
}

/** A basic-auth user with the hash that proxies verify by. */
export interface BasicAuthUserRow extends BasicAuthUser {
  readonly hash: BasicAuthPasswordHash;
}

/** A change of a zone, with the whole document where it has a snapshot. */
export interface RevisionRow extends NewRevision {
  readonly createdAt: Date;
  /** The number of the commit that made it. */
  readonly commit: number;
}

/** A change of a backend, with what clients write of it. */
export interface BackendRevisionRow extends BackendRevisionSummary {
  readonly state: JsonObject;
  /** The number of the commit that made it. */
  readonly commit: number;
}

/** A zone that was deleted, with everything that was inside it. */
export interface DeletedZoneRow extends Pick<DeletedZone, 'deletedAt' | 'deletedBy' | 'expiresAt'> {
  readonly zone: ZoneRow;
  readonly rules: readonly RuleRow[];
  /** The revisions of its lists that were ever written. */
  readonly lists: readonly (readonly [kind: RuleKind, revision: number])[];
  readonly users: readonly BasicAuthUserRow[];
}
