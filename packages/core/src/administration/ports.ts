import type { ResultAsync } from 'neverthrow';
import type { UserId } from '../shared/ids.ts';

/**
 * Accounts that the operator switched off. Nothing happens where there is no such account. A block holds everywhere as soon
 * as the unit is committed: for sessions, API tokens and whatever was issued to the account before.
 */
export interface AccountBlocks {
  /** Blocks the account; its pending invitations are revoked, and stay so when it is unblocked. */
  block(id: UserId): ResultAsync<void, never>;
  unblock(id: UserId): ResultAsync<void, never>;
}
