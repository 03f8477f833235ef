import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { AccountNotFound, Unauthenticated } from '../../organizations/access/errors.ts';
import { record } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import type { InvalidVerificationCode, TwoFactorAlreadyEnabled, TwoFactorNotPending } from './errors.ts';
import type { OneTimeCodes, QrCodes } from './ports.ts';
import { issueRecoveryCodes, type RecoveryCodeIssue } from './replace-recovery-codes.ts';
import type { TwoFactorRepositories } from './repositories.ts';
import { spendTotp } from './spend-code.ts';
import {
  pendingLifetimeSeconds,
  requireNotEnabled,
  requirePending,
  type TotpSecret,
  type VerificationCode,
} from './two-factor.ts';

/** The data for an authenticator app, returned only once (interface, "Two-factor data"). */
export interface SetupData {
  readonly secret: TotpSecret;
  readonly otpauthUri: string;
  readonly qrDataUri: string;
}

/** Stores a new secret for confirmation, replacing an unconfirmed one. Two-factor authentication is not enabled yet. */
export const beginSetup =
  ({
    unitOfWork,
    oneTimeCodes,
    qrCodes,
  }: {
    readonly unitOfWork: UnitOfWork<TwoFactorRepositories>;
    readonly oneTimeCodes: OneTimeCodes;
    readonly qrCodes: QrCodes;
  }) =>
  (caller: SessionCaller): ResultAsync<SetupData, TwoFactorAlreadyEnabled | AccountNotFound> => {
    const user = caller.userId;
    const secret = oneTimeCodes.newSecret();
    return unitOfWork
      .run((repositories) =>
        safeTry(async function* () {
          const { accounts, twoFactors } = repositories;
          yield* requireNotEnabled(yield* twoFactors.lock(user));
          yield* twoFactors.begin({ user, secret, lifetimeSeconds: pendingLifetimeSeconds });
          yield* record(repositories, caller, 'twoFactor.setupBegun');
          const { email } = yield* accounts.profile(user);
          return ok(oneTimeCodes.provisioningUri(secret, email));
        }),
      )
      .andThen((otpauthUri) => qrCodes.dataUri(otpauthUri).map((qrDataUri) => ({ secret, otpauthUri, qrDataUri })));
  };

/**
 * Enables two-factor authentication once a code proves that the app has the secret; resolves to the recovery codes,
 * which are shown only once. The user's other sessions end, because a password alone opened them.
 */
export const confirmSetup =
  (dependencies: RecoveryCodeIssue & { readonly unitOfWork: UnitOfWork<TwoFactorRepositories> }) =>
  (
    caller: SessionCaller,
    code: VerificationCode,
  ): ResultAsync<readonly string[], TwoFactorNotPending | InvalidVerificationCode | Unauthenticated> =>
    dependencies.unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { credentials, sessions, twoFactors } = repositories;
        const user = caller.userId;
        yield* credentials.lockBy(user, caller.credential.id);
        const { secret } = yield* requirePending(yield* twoFactors.lock(user));
        yield* spendTotp(repositories, dependencies, { user, secret, code });
        yield* twoFactors.enable(user, { confirmed: caller.credential.confirmed });
        // An unconfirmed session may be a stolen one: it must not take the way back from its owner.
        yield* credentials.renew(user, caller.credential.confirmed ? undefined : 'keep resets');
        yield* sessions.endAllOf(user, caller.credential.id);
        yield* record(repositories, caller, 'twoFactor.enabled');
        yield* notify(repositories, user, 'two-factor-enabled', caller.client);
        return issueRecoveryCodes(repositories, dependencies, user);
      }),
    );
