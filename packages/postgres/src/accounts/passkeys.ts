import {
  type HeldPasskey,
  type Passkey,
  type PasskeyChallenges,
  type Passkeys,
  passkeyNotFound,
  passkeyRefused,
  passkeyTaken,
} from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { change, itemOf, many, maybe, pageOf, type RowOf, required, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';
import { standing } from './accounts.ts';

type HeldRow = Omit<HeldPasskey, 'standing'> & { readonly inGoodStanding: boolean };

export const postgresPasskeys = (on: Connection): Passkeys => ({
  add: (passkey) =>
    required<RowOf<Passkey>>(on, sql.passkeys.add, { ...passkey })
      .mapErr(passkeyTaken)
      .map(itemOf<Passkey>),
  lockCount: (user) =>
    many(on, sql.accounts.lock, { id: user }).andThen(() => value<number>(on, sql.passkeys.total, { user })),
  list: (user, page) => pageOf(on, sql.passkeys, { user }, page, itemOf<Passkey>),
  rename: (user, id, name) =>
    required<RowOf<Passkey>>(on, sql.passkeys.rename, { user, id, name })
      .mapErr(passkeyNotFound)
      .map(itemOf<Passkey>),
  remove: (user, id) => change(on, sql.passkeys.remove, { user, id }).mapErr(passkeyNotFound),
  held: (credential) => maybe<HeldRow>(on, sql.passkeys.held, { credential }).map((row) => row && heldOf(row)),
  noteUse: (id, use) => maybe(on, sql.passkeys.noteUse, { id, ...use }).map((row) => row !== undefined),
});

export const postgresPasskeyChallenges = (on: Connection): PasskeyChallenges => ({
  issue: (hash, lifetimeSeconds) => run(on, sql.passkeyChallenges.issue, { hash, lifetimeSeconds }),
  spend: (hash) => change(on, sql.passkeyChallenges.spend, { hash }).mapErr(passkeyRefused),
});

const heldOf = ({ inGoodStanding, ...row }: HeldRow): HeldPasskey => ({ ...row, standing: standing(inGoodStanding) });
