import type { ResultAsync } from 'neverthrow';
import type { Email } from '../../kernel/mail/email.ts';
import type { SessionId, UserId } from '../../kernel/shared/ids.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { MailedTokenInvalid } from '../accounts/errors.ts';
import type { EndedAccess } from './address-change.ts';

/** Changes of the addresses of accounts, with the hashes of their mailed tokens. */
export interface AddressChanges {
  /** Makes other units that request a change for the account wait; resolves to the number of the last `seconds`. */
  lockRequestCount(user: UserId, seconds: number): ResultAsync<number, never>;
  /**
   * Stores a change to be confirmed, under the account's current address and credentials. The links that confirm earlier
   * changes of the account stop working, those that undo them do not. Resolves to the current address.
   */
  request(change: {
    readonly user: UserId;
    readonly session: SessionId;
    readonly to: Email;
    readonly confirmation: TokenHash;
    readonly confirmSeconds: number;
    readonly undoing: TokenHash;
    readonly undoSeconds: number;
  }): ResultAsync<Email, AccountNotFound>;
  /** The new address of a change that this token confirms, or once did; undefined if there is none. */
  requested(confirmation: TokenHash): ResultAsync<Email | undefined, never>;
  /**
   * Gives the account its new address, which counts as verified, and reserves the old one for `undoSeconds`. Of
   * concurrent calls, exactly one succeeds. Fails if the token is unknown, used, superseded or expired, if the address or
   * the credentials have changed since, if the account is blocked, or if the new address is another account's by now, or
   * reserved. Resolves to the session that requested the change.
   */
  confirm(
    confirmation: TokenHash,
    undoSeconds: number,
  ): ResultAsync<{ readonly user: UserId; readonly session: SessionId }, MailedTokenInvalid>;
  /**
   * Gives the account its old address back, or makes sure that it keeps it, and voids this change and all later ones, so
   * that whoever holds the new address cannot undo the undoing. Of concurrent calls, exactly one succeeds.
   *
   * Ends what was added to the account later than `beforeSeconds` before the request: passkeys, identities, API tokens,
   * an authenticator app, recovery codes; and a password that was set since the change was confirmed. Resolves to that.
   */
  undo(
    undoing: TokenHash,
    beforeSeconds: number,
  ): ResultAsync<{ readonly user: UserId; readonly ended: readonly EndedAccess[] }, MailedTokenInvalid>;
}
