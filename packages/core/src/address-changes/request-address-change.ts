import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import { requireConfirmed, type Unconfirmed } from '../access/confirmation.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { AccountNotFound } from '../accounts/errors.ts';
import { record } from '../audit/record.ts';
import { MailedToken } from '../mail/mailed-token.ts';
import type { Dependencies } from '../repositories.ts';
import {
  type AddressChange,
  addressChangesPerHour,
  confirmAddressSeconds,
  undoAddressSeconds,
} from './address-change.ts';

const hour = 60 * 60;

/**
 * Mails a link to the new address, which confirms the change, and one to the old address, which undoes it. Nothing tells
 * the caller whether the new address has an account: then the link does not work.
 */
export const requestAddressChange =
  ({ unitOfWork, randomness, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (
    caller: SessionCaller,
    { email: to }: AddressChange,
  ): ResultAsync<void, Unconfirmed | Unauthenticated | AccountNotFound> => {
    const [confirming, undoing] = [MailedToken.parse(randomness.token()), MailedToken.parse(randomness.token())];
    return requireConfirmed(caller).asyncAndThen(() =>
      unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { addressChanges, credentials, outbox } = repositories;
          const { userId: user, credential } = caller;
          yield* credentials.lockBy(user, credential.id);
          if ((yield* addressChanges.lockRequestCount(user, hour)) >= addressChangesPerHour) return ok();
          const from = yield* addressChanges.request({
            user,
            session: credential.id,
            to,
            confirmation: tokenHashes.of(confirming),
            confirmSeconds: confirmAddressSeconds,
            undoing: tokenHashes.of(undoing),
            undoSeconds: undoAddressSeconds,
          });
          yield* outbox.add({ kind: 'confirm-email', to, token: confirming });
          yield* outbox.add({ kind: 'undo-email', to: from, token: undoing });
          return record(repositories, caller, 'account.emailChangeRequested');
        }),
      ),
    );
  };
