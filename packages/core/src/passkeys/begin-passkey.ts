import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import { requireConfirmed, type Unconfirmed } from '../access/confirmation.ts';
import type { AccountNotFound } from '../accounts/errors.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { maxPasskeys } from './passkey.ts';
import { type PasskeyRequestPorts, passkeysOf } from './request-options.ts';
import { issueChallenge } from './spend-challenge.ts';

/** Options for making a passkey. Only a confirmed session may: a passkey signs in by itself. */
export const beginPasskey =
  (dependencies: PasskeyRequestPorts) =>
  (caller: SessionCaller): ResultAsync<JsonObject, Unconfirmed | InvalidInput | AccountNotFound> =>
    safeTry(async function* () {
      yield* requireConfirmed(caller);
      const id = caller.userId;
      const { email } = yield* dependencies.unitOfWork.view(({ accounts }) => accounts.profile(id));
      const others = yield* passkeysOf(dependencies, id);
      if (others.length >= maxPasskeys) return err(tooManyPasskeys());
      const challenge = yield* issueChallenge(dependencies, { kind: 'registration', of: id });
      return dependencies.passkeyCeremonies.creationOptions({ challenge, user: { id, email }, others });
    });

/** The user has as many passkeys as possible. */
export const tooManyPasskeys = (): InvalidInput =>
  invalidInput([violation('', 'passkey.limit', `A user can have at most ${maxPasskeys} passkeys.`)]);
