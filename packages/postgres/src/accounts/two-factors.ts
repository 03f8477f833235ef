import {
  invalidVerificationCode,
  type SecretBox,
  type TotpSecret,
  type TwoFactor,
  type TwoFactors,
  twoFactorNotPending,
  type UserId,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { change, many, maybe, one, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface StateRow {
  readonly state: 'pending' | 'enabled';
  readonly secret: string;
}

/** `box` encrypts the shared secrets. */
export const postgresTwoFactors = (on: Connection, box: SecretBox): TwoFactors => ({
  // Every change of the state locks the account.
  lock: (user) =>
    many(on, sql.accounts.lock, { id: user })
      .andThen(() => maybe<StateRow>(on, sql.twoFactor.state, { user }))
      .andThen((row): ResultAsync<TwoFactor, never> => {
        if (row === undefined) return okAsync({ state: 'disabled' });
        // The box authenticates its content, so it is a secret encrypted here.
        const secret = box.open(row.secret, contextOfSecret(user)) as TotpSecret;
        return reseal(on, box, user, row.secret, secret).map(() => ({ state: row.state, secret }));
      }),
  begin: ({ user, secret, lifetimeSeconds }) =>
    one(on, sql.twoFactor.begin, { user, secret: box.seal(secret, contextOfSecret(user)), lifetimeSeconds }).map(
      () => undefined,
    ),
  enable: (user, { confirmed }) => change(on, sql.twoFactor.enable, { user, confirmed }).mapErr(twoFactorNotPending),
  disable: (user, only) =>
    value<boolean>(on, sql.twoFactor.disable, {
      user,
      unconfirmedForSeconds: only?.unconfirmedForSeconds ?? null,
    }),
  spendStep: (user, step) => change(on, sql.twoFactor.spendStep, { user, step }).mapErr(invalidVerificationCode),
  replaceRecoveryCodes: (user, codes) =>
    many(on, sql.accounts.lock, { id: user })
      .andThen(() => run(on, sql.twoFactor.removeRecoveryCodes, { user }))
      .andThen(() => run(on, sql.twoFactor.addRecoveryCodes, { user, codes })),
  spendRecoveryCode: (user, candidates) =>
    change(on, sql.twoFactor.spendRecoveryCode, { user, candidates }).mapErr(invalidVerificationCode),
});

/** After a key rotation, secrets are re-encrypted when used, so that the old key can be removed. */
const reseal = (
  on: Connection,
  box: SecretBox,
  user: UserId,
  sealed: string,
  secret: TotpSecret,
): ResultAsync<void, never> =>
  box.isCurrent(sealed)
    ? okAsync()
    : run(on, sql.twoFactor.reseal, { user, secret: box.seal(secret, contextOfSecret(user)) });

/** Binds an encrypted secret to its row. */
export const contextOfSecret = (user: UserId): string => `two_factor.secret.${user}`;
