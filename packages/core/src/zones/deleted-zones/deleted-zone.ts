import type { OrganizationId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Version } from '../../kernel/shared/version.ts';
import type { Zone } from '../zones/zone.ts';

/** How long a deleted zone can be restored: 30 days. */
export const deletedZoneLifetimeSeconds = 30 * 24 * 60 * 60;

/** How much longer its data is kept, so that a restoration that has begun can end. */
export const deletedZoneGraceSeconds = 60 * 60;

/** A deleted zone that can still be restored. */
export interface DeletedZone extends Pick<Zone, 'name' | 'tag'> {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  /** Its last revision. */
  readonly revision: number;
  readonly deletedAt: Date;
  /** Absent if the account has been deleted. */
  readonly deletedBy: UserId | undefined;
  /** When it is removed permanently. */
  readonly expiresAt: Date;
}

/** For entity tags: a deleted zone never changes, except that the account that deleted it may be deleted. */
export const deletedZoneVersion = ({ revision, deletedAt, deletedBy }: DeletedZone): Version =>
  [revision, deletedAt.getTime(), deletedBy ?? ''].join('.');
