import { randomUUID } from 'node:crypto';
import type { Mail, Outbox, SecretBox } from '@zonewright/core';
import type { Connection } from './database.ts';
import { maybe, run } from './query.ts';
import { sql } from './sql.ts';

interface ClaimedRow {
  readonly id: string;
  readonly payload: string;
  readonly attempts: number;
}

export const postgresOutbox = (on: Connection, box: SecretBox): Outbox => ({
  add: (mail) => {
    const id = randomUUID();
    return run(on, sql.outbox.add, { id, payload: box.seal(JSON.stringify(mail), contextOf(id)) });
  },
  claim: (leaseSeconds) =>
    maybe<ClaimedRow>(on, sql.outbox.claim, { leaseSeconds }).map((row) => {
      if (row === undefined) return undefined;
      const { id, payload, attempts } = row;
      return { id, attempts, mail: JSON.parse(box.open(payload, contextOf(id))) as Mail };
    }),
  markSent: (id) => run(on, sql.outbox.finish, { id }),
  retryLater: (id, delaySeconds) => run(on, sql.outbox.retryLater, { id, delaySeconds }),
  giveUp: (id) => run(on, sql.outbox.finish, { id }),
});

/** Binds a sealed payload to its place. */
const contextOf = (id: string): string => `outbox_mails.payload.${id}`;
