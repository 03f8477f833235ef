import type { ResultAsync } from 'neverthrow';
import type { HashingBusy } from '../accounts/errors.ts';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { BasicAuthPassword, BasicAuthPasswordHash, BasicAuthUser } from './basic-auth-user.ts';
import type { BasicAuthUserNotFound } from './errors.ts';

/** Another user of the zone has exactly this name. */
export interface UsernameTaken {
  readonly type: 'UsernameTaken';
}

/** A user as it is written; undefined keeps the hash that is there. */
export type WrittenBasicAuthUser = Pick<BasicAuthUser, 'id' | 'zoneId' | 'username' | 'comment'>;

/**
 * People who may pass HTTP Basic Authentication in front of a zone. User names are unique in a zone. Hashes are written
 * and never read here: proxies get them from the storage.
 */
export interface BasicAuthUsers {
  /**
   * Users by name, in order of code points; with a part of a name given, those whose name contains it in any case. They
   * and the total are of one moment.
   */
  list(zone: ZoneId, username: string | undefined, page: PageRequest): ResultAsync<Page<BasicAuthUser>, never>;
  /** Every user of the zone, by id. */
  all(zone: ZoneId): ResultAsync<readonly BasicAuthUser[], never>;
  /** The ids of all users of the zone. */
  idsIn(zone: ZoneId): ResultAsync<ReadonlySet<BasicAuthUserId>, never>;
  byId(zone: ZoneId, id: BasicAuthUserId): ResultAsync<BasicAuthUser, BasicAuthUserNotFound>;
  /** Adds a user of a locked zone. */
  add(user: WrittenBasicAuthUser, hash: BasicAuthPasswordHash): ResultAsync<BasicAuthUser, UsernameTaken>;
  /** Changes a user of a locked zone; without a hash the password stays. */
  save(user: WrittenBasicAuthUser, hash: BasicAuthPasswordHash | undefined): ResultAsync<BasicAuthUser, never>;
  remove(zone: ZoneId, id: BasicAuthUserId): ResultAsync<void, never>;
}

/**
 * Hashes passwords in a form that proxies verify themselves: bcrypt, `$2y$`, cost 10. Fails with `HashingBusy` instead
 * of queueing without bound.
 */
export interface BasicAuthPasswordHashes {
  hash(password: BasicAuthPassword): ResultAsync<BasicAuthPasswordHash, HashingBusy>;
}
