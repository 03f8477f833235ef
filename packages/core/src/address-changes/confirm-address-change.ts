import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { MailedTokenInvalid } from '../accounts/errors.ts';
import { recordFor } from '../audit/record.ts';
import type { MailedToken } from '../mail/mailed-token.ts';
import type { Dependencies } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import { undoAddressSeconds } from './address-change.ts';

/** Gives the account its new address, and ends all its sessions but the one that asked for that. */
export const confirmAddressChange =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'tokenHashes'>) =>
  (token: MailedToken, client: Client): ResultAsync<void, MailedTokenInvalid> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { addressChanges, credentials, sessions } = repositories;
        const { user, session } = yield* addressChanges.confirm(tokenHashes.of(token), undoAddressSeconds);
        yield* credentials.renew(user);
        yield* sessions.endAllOf(user, session);
        yield* recordFor(repositories, user, client, 'account.emailChanged');
        return ok();
      }),
    );
