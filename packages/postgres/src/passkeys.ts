import {
  type HeldPasskey,
  type Passkey,
  type PasskeyChallenges,
  type Passkeys,
  passkeyNotFound,
  passkeyRefused,
  passkeyTaken,
} from '@zonewright/core';
import { standing } from './accounts.ts';
import type { Connection } from './database.ts';
import { many, maybe, one, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

type PasskeyRow = Omit<Passkey, 'lastUsedAt'> & { readonly lastUsedAt: Date | null };
type HeldRow = Omit<HeldPasskey, 'standing'> & { readonly inGoodStanding: boolean };

export const postgresPasskeys = (on: Connection): Passkeys => ({
  add: (passkey) =>
    required<PasskeyRow, ReturnType<typeof passkeyTaken>>(on, sql.passkeys.add, { ...passkey }, passkeyTaken).map(
      passkeyOf,
    ),
  lockCount: (user) =>
    many(on, sql.accounts.lock, { id: user })
      .andThen(() => one<{ total: number }>(on, sql.passkeys.total, { user }))
      .map(({ total }) => total),
  list: (user, page) => pageOf(on, sql.passkeys, { user }, page, passkeyOf),
  rename: (user, id, name) =>
    required<PasskeyRow, ReturnType<typeof passkeyNotFound>>(
      on,
      sql.passkeys.rename,
      { user, id, name },
      passkeyNotFound,
    ).map(passkeyOf),
  remove: (user, id) => required(on, sql.passkeys.remove, { user, id }, passkeyNotFound).map(() => undefined),
  held: (credential) => maybe<HeldRow>(on, sql.passkeys.held, { credential }).map((row) => row && heldOf(row)),
  noteUse: (id, use) => maybe(on, sql.passkeys.noteUse, { id, ...use }).map((row) => row !== undefined),
});

export const postgresPasskeyChallenges = (on: Connection): PasskeyChallenges => ({
  issue: (hash, lifetimeSeconds) => run(on, sql.passkeyChallenges.issue, { hash, lifetimeSeconds }),
  spend: (hash) => required(on, sql.passkeyChallenges.spend, { hash }, passkeyRefused).map(() => undefined),
});

const passkeyOf = ({ lastUsedAt, ...row }: PasskeyRow): Passkey => ({ ...row, lastUsedAt: lastUsedAt ?? undefined });

const heldOf = ({ inGoodStanding, ...row }: HeldRow): HeldPasskey => ({ ...row, standing: standing(inGoodStanding) });
