import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import type { AccountNotFound } from '../accounts/errors.ts';
import { record } from '../audit/record.ts';
import type { Dependencies } from '../repositories.ts';
import type { TwoFactorAlreadyEnabled } from './errors.ts';
import { pendingLifetimeSeconds, requireNotEnabled, type TotpSecret } from './two-factor.ts';

/** The data for an authenticator app, returned only once (interface, "Two-factor data"). */
export interface SetupData {
  readonly secret: TotpSecret;
  readonly otpauthUri: string;
  readonly qrDataUri: string;
}

/** Stores a new secret for confirmation, replacing an unconfirmed one. Two-factor authentication is not enabled yet. */
export const beginSetup =
  ({ unitOfWork, oneTimeCodes, qrCodes }: Pick<Dependencies, 'unitOfWork' | 'oneTimeCodes' | 'qrCodes'>) =>
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
