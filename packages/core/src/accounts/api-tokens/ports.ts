import type { ResultAsync } from 'neverthrow';
import type { ApiTokenId, OrganizationId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { Usage } from '../../kernel/usage-limits/usage-limits.ts';
import type { ApiToken, ApiTokenName, TokenLimits } from './api-token.ts';
import type { ApiTokenNameTaken, ApiTokenNotFound, ExpiryInThePast } from './errors.ts';

/** API tokens of users, stored as hashes. A user's token names are unique, ignoring case, among those not revoked. */
export interface ApiTokens {
  add(
    token: Pick<ApiToken, 'id' | 'name' | 'prefix' | 'readOnly' | 'organizations' | keyof TokenLimits> & {
      readonly userId: UserId;
      readonly hash: TokenHash;
      /** RFC 3339. */
      readonly expiresAt: string | undefined;
    },
  ): ResultAsync<ApiToken, ApiTokenNameTaken | ExpiryInThePast>;
  /** Makes other units that add tokens for the user wait; resolves to the number of active tokens and the limit. */
  lockActive(user: UserId): ResultAsync<Usage, never>;
  /** The organizations of those zones that exist. */
  organizationsOf(zones: readonly ZoneId[]): ResultAsync<ReadonlyMap<ZoneId, OrganizationId>, never>;
  /** The user's tokens, newest first. */
  list(user: UserId, page: PageRequest): ResultAsync<Page<ApiToken>, never>;
  /** The names of the user's active tokens, newest first. */
  activeNames(user: UserId): ResultAsync<readonly ApiTokenName[], never>;
  /** Revokes the user's active tokens; resolves to their ids. */
  revokeAllOf(user: UserId): ResultAsync<readonly ApiTokenId[], never>;
  revoke(user: UserId, id: ApiTokenId): ResultAsync<void, ApiTokenNotFound>;
}
