import { randomUUID } from 'node:crypto';
import type { Outbox, QueuedMail, SecretBox } from '@zonewright/core';
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
      return { id, attempts, mail: opened(box, payload, id) };
    }),
  markSent: (id) => run(on, sql.outbox.finish, { id }),
  retryLater: (id, delaySeconds) => run(on, sql.outbox.retryLater, { id, delaySeconds }),
  giveUp: (id) => run(on, sql.outbox.finish, { id }),
});

/** One mail that cannot be opened must not keep the others from being claimed. */
function opened(box: SecretBox, payload: string, id: string): QueuedMail['mail'] {
  try {
    return JSON.parse(box.open(payload, contextOf(id))) as QueuedMail['mail'];
  } catch {
    return { kind: 'unreadable' };
  }
}

/** Binds a sealed payload to its place. */
const contextOf = (id: string): string => `outbox_mails.payload.${id}`;
