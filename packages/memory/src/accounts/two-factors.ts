import { invalidVerificationCode, type TwoFactors, twoFactorNotPending, type UserId } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { secondsAfter } from '../seconds-after.ts';
import type { TwoFactorRow } from '../tables/account-rows.ts';
import { type Unit } from '../tables/tables.ts';

export const memoryTwoFactors = ({ tables: { twoFactors, recoveryCodes }, now }: Unit): TwoFactors => {
  const current = (user: UserId): TwoFactorRow | undefined => {
    const row = twoFactors.get(user);
    return row?.pendingUntil !== undefined && row.pendingUntil <= now() ? undefined : row;
  };
  return {
    lock: (user) => {
      const row = current(user);
      if (row === undefined) return okAsync({ state: 'disabled' });
      return okAsync({ state: row.pendingUntil === undefined ? 'enabled' : 'pending', secret: row.secret });
    },
    begin: ({ user, secret, lifetimeSeconds }) => {
      const before = twoFactors.get(user);
      if (before !== undefined && before.pendingUntil === undefined)
        throw new Error('An enabled second factor cannot be replaced.');
      const pendingUntil = secondsAfter(now(), lifetimeSeconds);
      const row = { secret, pendingUntil, lastStep: undefined, createdAt: now(), enrolledByConfirmed: false };
      twoFactors.set(user, row);
      return okAsync();
    },
    enable: (user, { confirmed }) => {
      const row = current(user);
      if (row?.pendingUntil === undefined) return errAsync(twoFactorNotPending());
      twoFactors.set(user, { ...row, pendingUntil: undefined, enrolledByConfirmed: confirmed });
      return okAsync();
    },
    disable: (user, only) => {
      const row = twoFactors.get(user);
      if (row === undefined || (only !== undefined && !isUnconfirmed(row, only.unconfirmedForSeconds, now())))
        return okAsync(false);
      twoFactors.delete(user);
      recoveryCodes.delete(user);
      return okAsync(true);
    },
    spendStep: (user, step) => {
      const row = twoFactors.get(user);
      const isNew = row !== undefined && (row.lastStep === undefined || row.lastStep < step);
      if (!isNew) return errAsync(invalidVerificationCode());
      twoFactors.set(user, { ...row, lastStep: step });
      return okAsync();
    },
    replaceRecoveryCodes: (user, codes) => {
      recoveryCodes.set(
        user,
        codes.map((hash) => ({ hash, createdAt: now(), used: false })),
      );
      return okAsync();
    },
    spendRecoveryCode: (user, candidates) => {
      const codes = recoveryCodes.get(user) ?? [];
      const spent = codes.find(({ hash, used }) => !used && candidates.includes(hash));
      if (spent === undefined) return errAsync(invalidVerificationCode());
      recoveryCodes.set(
        user,
        codes.map((code) => (code === spent ? { ...code, used: true } : code)),
      );
      return okAsync();
    },
  };
};

/** Whether an unconfirmed session enabled it within so many seconds. */
const isUnconfirmed = ({ pendingUntil, enrolledByConfirmed, createdAt }: TwoFactorRow, seconds: number, at: Date) =>
  pendingUntil === undefined && !enrolledByConfirmed && secondsAfter(createdAt, seconds) > at;
