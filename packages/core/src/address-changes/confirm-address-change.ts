import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { MailedTokenInvalid } from '../accounts/errors.ts';
import { recordFor } from '../audit/record.ts';
import { emailKey } from '../mail/email.ts';
import type { MailedToken } from '../mail/mailed-token.ts';
import type { Dependencies, Repositories } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { TokenHash } from '../shared/token-hash.ts';
import { undoAddressSeconds } from './address-change.ts';

/**
 * Gives the account its new address, and ends all its sessions but the one that asked for that. Another account that
 * never verified the address is replaced: anybody can have registered it, and the token was mailed to its owner.
 */
export const confirmAddressChange =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'tokenHashes'>) =>
  (token: MailedToken, client: Client): ResultAsync<void, MailedTokenInvalid> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { addressChanges, credentials, sessions } = repositories;
        const hash = tokenHashes.of(token);
        yield* vacate(repositories, hash);
        const { user, session } = yield* addressChanges.confirm(hash, undoAddressSeconds);
        yield* credentials.renew(user);
        yield* sessions.endAllOf(user, session);
        yield* recordFor(repositories, user, client, 'account.emailChanged');
        return ok();
      }),
    );

/** If the confirmation fails, its unit is rolled back, and this with it. */
const vacate = (
  { accounts, addressChanges, unverifiedAccounts }: Repositories,
  confirmation: TokenHash,
): ResultAsync<void, never> =>
  addressChanges
    .requested(confirmation)
    .andThen((to) => (to === undefined ? okAsync(undefined) : accounts.factsByEmail(emailKey(to))))
    .andThen((other) =>
      other === undefined || other.emailVerified ? okAsync() : unverifiedAccounts.remove(other.userId),
    );
