import {
  type AddressChanges,
  accountNotFound,
  type Email,
  type EmailKey,
  type EndedAccess,
  emailKey,
  mailedTokenInvalid,
  type SessionId,
  type UserId,
} from '@zonewright/core';
import { err, ok, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { many, mapConstraints, maybe, required, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

type Invalid = ReturnType<typeof mailedTokenInvalid>;

interface Address {
  readonly user: UserId;
  readonly email: Email;
  readonly emailKey: EmailKey;
}
interface ConfirmedRow extends Address {
  readonly session: SessionId;
}
interface UndoneRow extends Address {
  readonly confirmedAt: Date | null;
  readonly since: Date;
}

export const postgresAddressChanges = (on: Connection): AddressChanges => ({
  lockRequestCount: (user, seconds) =>
    many(on, sql.accounts.lock, { id: user }).andThen(() =>
      value<number>(on, sql.addressChanges.requestCount, { user, seconds }),
    ),
  request: (change) =>
    many(on, sql.accounts.lock, { id: change.user })
      .andThen(() => run(on, sql.addressChanges.supersede, { user: change.user }))
      .andThen(() =>
        required<{ email: Email }>(on, sql.addressChanges.request, { ...change, toKey: emailKey(change.to) }).mapErr(
          accountNotFound,
        ),
      )
      .map(({ email }) => email),
  requested: (confirmation) =>
    maybe<{ email: Email }>(on, sql.addressChanges.requested, { confirmation }).map((row) => row?.email),
  confirm: (confirmation, undoSeconds) =>
    many(on, sql.addressChanges.lockConfirmingAccount, { confirmation })
      .andThen(() =>
        required<ConfirmedRow>(on, sql.addressChanges.confirm, { confirmation, undoSeconds }).mapErr(
          mailedTokenInvalid,
        ),
      )
      .andThen(({ user, session, ...address }) => setAddress(on, { user, ...address }).map(() => ({ user, session }))),
  undo: (undoing, beforeSeconds) => undo(on, undoing, beforeSeconds),
});

const undo = (
  on: Connection,
  ...[undoing, beforeSeconds]: Parameters<AddressChanges['undo']>
): ReturnType<AddressChanges['undo']> =>
  many(on, sql.addressChanges.lockUndoingAccount, { undoing })
    .andThen(() => required<UndoneRow>(on, sql.addressChanges.undo, { undoing }).mapErr(mailedTokenInvalid))
    .andThrough(({ user, since }) => run(on, sql.addressChanges.voidLater, { user, since }))
    .andThrough(({ confirmedAt, since: _, ...address }) => (confirmedAt === null ? ok() : setAddress(on, address)))
    .andThen(({ user, since, confirmedAt }) =>
      many<EndedAccess>(on, sql.addressChanges.endAdded, { user, since, confirmedAt, beforeSeconds }).map((ended) => ({
        user,
        ended,
      })),
    );

/** Whether an address is reserved for an account other than this one, which has just taken it. */
export const isReserved = (on: Connection, { user, emailKey: key }: Omit<Address, 'email'>) =>
  value<number>(on, sql.addressChanges.reserved, { user, emailKey: key }).map((count) => count > 0);

const setAddress = (on: Connection, address: Address): ResultAsync<void, Invalid> =>
  mapConstraints(run(on, sql.addressChanges.setAddress, { ...address }), { users_email_key_unique: mailedTokenInvalid })
    .andThen(() => isReserved(on, address))
    .andThen((reserved) => (reserved ? err(mailedTokenInvalid()) : ok()));
