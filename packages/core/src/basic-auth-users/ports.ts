import type { ResultAsync } from 'neverthrow';
import type { HashingBusy } from '../accounts/errors.ts';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { BasicAuthPassword, BasicAuthPasswordHash, BasicAuthUser } from '../zones/basic-auth-user.ts';
import type { BasicAuthUserNotFound } from './errors.ts';

/**
 * People who may pass HTTP Basic Authentication in front of a zone, to be read; what changes them is in `ZoneChanges`. User
 * names are unique in a zone. Hashes are written and never read here: proxies get them from the storage.
 */
export interface BasicAuthUsers {
  /**
   * Users by name, in order of code points; with a part of a name given, those whose name contains it in any case. They
   * and the total are of one moment.
   */
  list(zone: ZoneId, username: string | undefined, page: PageRequest): ResultAsync<Page<BasicAuthUser>, never>;
  byId(zone: ZoneId, id: BasicAuthUserId): ResultAsync<BasicAuthUser, BasicAuthUserNotFound>;
}

/**
 * Hashes passwords in a form that proxies verify themselves: bcrypt, `$2y$`, cost 10. Fails with `HashingBusy` instead
 * of queueing without bound.
 */
export interface BasicAuthPasswordHashes {
  hash(password: BasicAuthPassword): ResultAsync<BasicAuthPasswordHash, HashingBusy>;
}
