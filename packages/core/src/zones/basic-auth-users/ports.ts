import type { ResultAsync } from 'neverthrow';
import type { HashingBusy } from '../../accounts/accounts/errors.ts';
import type { BasicAuthUserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { BasicAuthPassword, BasicAuthPasswordHash, BasicAuthUser } from '../basic-auth/basic-auth-user.ts';
import type { BasicAuthUserNotFound } from './errors.ts';

/**
 * Read access to the people who may pass HTTP Basic authentication in front of a zone; `ZoneChanges` changes them. User
 * names are unique in a zone. Hashes are never read here: proxies get them from storage.
 */
export interface BasicAuthUsers {
  /**
   * Users ordered by name in code point order; with `username`, those whose name contains it, ignoring case. The page
   * and the total come from one snapshot.
   */
  list(zone: ZoneId, username: string | undefined, page: PageRequest): ResultAsync<Page<BasicAuthUser>, never>;
  byId(zone: ZoneId, id: BasicAuthUserId): ResultAsync<BasicAuthUser, BasicAuthUserNotFound>;
}

/**
 * Hashes passwords in a format that proxies verify: bcrypt, `$2y$`, cost 10. Fails with `HashingBusy` instead of
 * queueing without bound.
 */
export interface BasicAuthPasswordHashes {
  hash(password: BasicAuthPassword): ResultAsync<BasicAuthPasswordHash, HashingBusy>;
}
