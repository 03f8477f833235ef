import { err, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import { coded } from '../../kernel/shared/parse.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { ConfirmationMethod, SessionCaller } from '../../organizations/access/caller.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import { record } from '../../organizations/audit/record.ts';
import type { HashingBusy } from '../accounts/errors.ts';
import { PasswordAttempt } from '../accounts/password.ts';
import type { PasswordHashes } from '../accounts/ports.ts';
import { notify } from '../mailing/notify.ts';
import { type PasskeyRefused, passkeyRefused } from '../passkeys/errors.ts';
import { namedPasskey, type PasskeyVerification, provePasskey } from '../passkeys/prove-passkey.ts';
import { AssertionResponse } from '../passkeys/response.ts';
import { type InvalidCredentials, invalidCredentials, type SessionNotFound } from '../sessions/errors.ts';
import { sessionActions } from '../sessions/session.ts';
import { type InvalidVerificationCode, invalidVerificationCode } from '../two-factor/errors.ts';
import { type CodeVerification, spendCode } from '../two-factor/spend-code.ts';
import { VerificationCode } from '../two-factor/two-factor.ts';
import type { SignInRepositories } from './repositories.ts';

/** What proves that the user is still there: exactly one member. */
export const SessionProof = z
  .strictObject({
    password: PasswordAttempt.optional(),
    code: VerificationCode.optional(),
    response: AssertionResponse.optional(),
  })
  .refine(
    (proof) => Object.values(proof).filter((member) => member !== undefined).length === 1,
    coded('proof.single', 'Send exactly one proof.'),
  );
export type SessionProof = z.infer<typeof SessionProof>;

export type ConfirmSessionError =
  | InvalidCredentials
  | InvalidVerificationCode
  | PasskeyRefused
  | HashingBusy
  | SessionNotFound
  | AccountNotFound;

type ConfirmationPorts = {
  readonly unitOfWork: UnitOfWork<SignInRepositories>;
  readonly passwords: PasswordHashes;
} & CodeVerification &
  PasskeyVerification;

/**
 * Confirms the caller's session, so that it may do what `requireConfirmed` guards. A factor that an unconfirmed session
 * enrolled after it began counts as wrong: whoever stole the session may have enrolled it.
 */
export const confirmSession =
  (dependencies: ConfirmationPorts) =>
  (caller: SessionCaller, proof: SessionProof): ResultAsync<void, ConfirmSessionError> =>
    confirmBy(dependencies, caller, proof).orElse((refused) =>
      dependencies.unitOfWork
        .run((repositories) => record(repositories, caller, 'session.confirmationFailed'))
        .andThen(() => err(refused)),
    );

const confirmBy = (
  dependencies: ConfirmationPorts,
  caller: SessionCaller,
  { password, code, response }: SessionProof,
): ResultAsync<void, ConfirmSessionError> => {
  if (password !== undefined) return confirmByPassword(dependencies, caller, password);
  if (response !== undefined) return confirmByPasskey(dependencies, caller, response);
  return confirmByCode(dependencies, caller, code);
};

const confirmByPassword = (
  { unitOfWork, passwords }: ConfirmationPorts,
  caller: SessionCaller,
  password: PasswordAttempt,
): ResultAsync<void, ConfirmSessionError> =>
  safeTry(async function* () {
    const { passwordHash } = yield* unitOfWork.view(({ accounts }) => accounts.facts(caller.userId));
    const isRight = confirms(caller, 'password') && (yield* passwords.verify(passwordHash, password));
    if (!isRight) return err(invalidCredentials());
    return unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const locked = yield* repositories.accounts.lock(caller.userId);
        if (locked.passwordHash !== passwordHash) return err(invalidCredentials());
        return confirm(repositories, caller);
      }),
    );
  });

const confirmByCode = (
  { unitOfWork, ...verification }: ConfirmationPorts,
  caller: SessionCaller,
  code: VerificationCode | undefined,
): ResultAsync<void, ConfirmSessionError> =>
  unitOfWork.run((repositories) =>
    safeTry(async function* () {
      const user = caller.userId;
      const twoFactor = yield* repositories.twoFactors.lock(user);
      const isRefused = code === undefined || twoFactor.state !== 'enabled' || !confirms(caller, 'code');
      if (isRefused) return err(invalidVerificationCode());
      const used = yield* spendCode(repositories, verification, { user, secret: twoFactor.secret, code });
      if (used === 'recovery') {
        yield* record(repositories, caller, 'twoFactor.recoveryCodeUsed');
        yield* notify(repositories, user, 'recovery-code-used', caller.client);
      }
      return confirm(repositories, caller);
    }),
  );

const confirmByPasskey = (
  dependencies: ConfirmationPorts,
  caller: SessionCaller,
  response: AssertionResponse,
): ResultAsync<void, ConfirmSessionError> =>
  safeTry(async function* () {
    if (!confirms(caller, 'passkey')) return err(passkeyRefused());
    const named = yield* namedPasskey(dependencies, response);
    const purpose = { kind: 'confirmation', of: caller.credential.id } as const;
    yield* provePasskey(dependencies, response, { purpose, user: caller.userId, named }, caller.client);
    return dependencies.unitOfWork.run((repositories) => confirm(repositories, caller));
  });

const confirms = ({ credential }: SessionCaller, method: ConfirmationMethod): boolean =>
  credential.confirmableBy.includes(method);

const confirm = (repositories: SignInRepositories, caller: SessionCaller): ResultAsync<void, SessionNotFound> => {
  const claims = { userId: caller.userId, sessionId: caller.credential.id };
  return repositories.sessions
    .confirm(claims)
    .andThen(() => record(repositories, caller, sessionActions.confirmed, { objects: { session: claims.sessionId } }));
};
