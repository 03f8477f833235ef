import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { MailedTokenInvalid } from '../accounts/errors.ts';
import { recordFor } from '../audit/record.ts';
import type { MailedToken } from '../mail/mailed-token.ts';
import type { Dependencies } from '../repositories.ts';
import type { Client } from '../shared/client.ts';

/** Brings the old address back, ends every session, and voids every open challenge and link but those of earlier changes. */
export const undoAddressChange =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'tokenHashes'>) =>
  (token: MailedToken, client: Client): ResultAsync<void, MailedTokenInvalid> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { addressChanges, credentials, sessions } = repositories;
        const user = yield* addressChanges.undo(tokenHashes.of(token));
        yield* credentials.renew(user);
        yield* sessions.endAllOf(user);
        yield* recordFor(repositories, user, client, 'account.emailChangeUndone');
        return ok();
      }),
    );
