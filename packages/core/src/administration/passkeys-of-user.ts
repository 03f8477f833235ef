import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { AccountNotFound } from '../accounts/errors.ts';
import { notify } from '../mail/notify.ts';
import type { PasskeyNotFound } from '../passkeys/errors.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import { passkeysOf } from '../passkeys/request-options.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { PasskeyId, UserId } from '../shared/ids.ts';
import { type Operator, recordOperator } from './record-operator.ts';

/** All passkeys of a user, oldest first. */
export const listPasskeysOf =
  (ports: { unitOfWork: UnitOfWork }) =>
  (user: UserId): ResultAsync<readonly Passkey[], never> =>
    passkeysOf(ports, user);

/**
 * Removes a passkey of a user who lost it, even the last one: who has no password either can request a mail to choose
 * one. Sessions stay alive; the owner is notified by mail.
 */
export const removePasskeyOf =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (operator: Operator, user: UserId, id: PasskeyId): ResultAsync<void, AccountNotFound | PasskeyNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { accounts, credentials, passkeys } = repositories;
        yield* accounts.lock(user);
        yield* passkeys.remove(user, id);
        yield* credentials.renew(user);
        yield* recordOperator(repositories, operator, 'passkey.removed', user, { passkey: id });
        yield* notify(repositories, user, 'passkey-removed', operator);
        return ok();
      }),
    );
