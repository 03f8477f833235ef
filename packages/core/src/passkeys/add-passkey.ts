import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import { requireConfirmed, type Unconfirmed } from '../access/confirmation.ts';
import type { Unauthenticated } from '../access/errors.ts';
import { record } from '../audit/record.ts';
import { notify } from '../mail/notify.ts';
import type { Dependencies } from '../repositories.ts';
import { PasskeyId } from '../shared/ids.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { tooManyPasskeys } from './begin-passkey.ts';
import type { PasskeyRefused } from './errors.ts';
import { maxPasskeys, type Passkey, type PasskeyDraft } from './passkey.ts';
import type { PasskeyVerification } from './prove-passkey.ts';
import { spendChallenge } from './spend-challenge.ts';

export type AddPasskeyError = Unconfirmed | Unauthenticated | PasskeyRefused | InvalidInput;

/**
 * Adds a passkey to the caller's account. From now on a password alone opens no session, so challenges and mailed tokens
 * that were issued before are void, as when a second factor is enabled.
 */
export const addPasskey =
  (dependencies: PasskeyVerification & Pick<Dependencies, 'randomness'>) =>
  (caller: SessionCaller, { name, response }: PasskeyDraft): ResultAsync<Passkey, AddPasskeyError> =>
    safeTry(async function* () {
      yield* requireConfirmed(caller);
      const { passkeyCeremonies, randomness, unitOfWork } = dependencies;
      const userId = caller.userId;
      const said = passkeyCeremonies.challengeIn(response);
      const challenge = yield* spendChallenge(dependencies, { kind: 'registration', of: userId }, said);
      const credential = yield* passkeyCeremonies.verifyCreation(response, challenge);
      const id = PasskeyId.parse(randomness.uuid());
      return unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { credentials, passkeys } = repositories;
          yield* credentials.lockBy(userId, caller.credential.id);
          if ((yield* passkeys.lockCount(userId)) >= maxPasskeys) return err(tooManyPasskeys());
          const passkey = yield* passkeys.add({ ...credential, id, userId, name }).mapErr(alreadyAdded);
          yield* credentials.renew(userId);
          yield* record(repositories, caller, 'passkey.added', { objects: { passkey: id } });
          yield* notify(repositories, userId, 'passkey-added', caller.client);
          return ok(passkey);
        }),
      );
    });

const alreadyAdded = (): InvalidInput =>
  invalidInput([violation('response', 'passkey.duplicate', 'This passkey has been added already.')]);
