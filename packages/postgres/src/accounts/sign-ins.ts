import { invalidCredentials, type SignIns, sessionActions } from '@zonewright/core';
import { err, ok } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { many, maybe, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface OpenedRow {
  /** Whether the credentials were unchanged when the statement began. */
  readonly valid: boolean;
  readonly opened: boolean;
}

export const postgresSignIns = (on: Connection): SignIns => ({
  noteNetwork: (userId, network, { rememberedSeconds, kept }) =>
    many(on, sql.accounts.lock, { id: userId })
      .andThen(() =>
        value<'first' | 'known' | 'new'>(on, sql.signIns.noteNetwork, { userId, network, rememberedSeconds }),
      )
      .andThen((standing) => run(on, sql.signIns.forgetNetworks, { userId, kept }).map(() => standing)),
  openSilently: ({ session: { maxLive, ...session }, refreshToken, client: { network }, rememberedSeconds }) =>
    maybe<OpenedRow>(on, sql.signIns.openSilently, {
      ...session,
      others: maxLive - 1,
      refreshToken: refreshToken.hash,
      refreshTokenSeconds: refreshToken.lifetimeSeconds,
      network,
      rememberedSeconds,
      openedAction: sessionActions.opened,
      endedAction: sessionActions.ended,
    }).andThen((row) => (row?.valid === true ? ok(row.opened) : err(invalidCredentials()))),
});
