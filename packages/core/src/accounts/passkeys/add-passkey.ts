import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { PasskeyId } from '../../kernel/shared/ids.ts';
import type { JsonObject } from '../../kernel/shared/json.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { AccountNotFound, Unauthenticated } from '../../organizations/access/errors.ts';
import { requireConfirmed, type Unconfirmed } from '../../organizations/access/permissions.ts';
import { record } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import type { PasskeyRefused } from './errors.ts';
import { maxPasskeys, type Passkey, type PasskeyDraft } from './passkey.ts';
import type { PasskeyVerification } from './prove-passkey.ts';
import type { PasskeyRepositories } from './repositories.ts';
import { type PasskeyRequestPorts, passkeysOf } from './request-options.ts';
import { issueChallenge, spendChallenge } from './spend-challenge.ts';

/** Options for making a passkey. Only a confirmed session may: a passkey signs in by itself. */
export const beginPasskey =
  (dependencies: PasskeyRequestPorts & { readonly unitOfWork: UnitOfWork<PasskeyRepositories> }) =>
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
const tooManyPasskeys = (): InvalidInput =>
  invalidAt('', 'passkey.limit', `A user can have at most ${maxPasskeys} passkeys.`);

export type AddPasskeyError = Unconfirmed | Unauthenticated | PasskeyRefused | InvalidInput;

/**
 * Adds a passkey to the caller's account. From now on a password alone opens no session, so challenges and mailed tokens
 * that were issued before are void, as when a second factor is enabled.
 */
export const addPasskey =
  (dependencies: PasskeyVerification & Pick<Dependencies<PasskeyRepositories>, 'unitOfWork' | 'randomness'>) =>
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
  invalidAt('response', 'passkey.duplicate', 'This passkey has been added already.');
