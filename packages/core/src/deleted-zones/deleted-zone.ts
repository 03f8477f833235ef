import type { OrganizationId, UserId, ZoneId } from '../shared/ids.ts';
import type { Version } from '../shared/version.ts';
import type { Zone } from '../zones/zone.ts';

/** A zone that was deleted and can be brought back. */
export interface DeletedZone extends Pick<Zone, 'name' | 'tag'> {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  /** The last one that it had. */
  readonly revision: number;
  readonly deletedAt: Date;
  /** Absent once the account is gone. */
  readonly deletedBy: UserId | undefined;
  /** When it is gone for good. */
  readonly expiresAt: Date;
}

/** For entity tags: the zone was deleted in one state, and nothing but the account of who did can go. */
export const deletedZoneVersion = ({ revision, deletedAt, deletedBy }: DeletedZone): Version =>
  [revision, deletedAt.getTime(), deletedBy ?? ''].join('.');
