import { randomUUID } from 'node:crypto';
import { mailPriority, type Outbox, type QueuedMail, type SecretBox } from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { many, maybe, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface ClaimedRow {
  readonly id: string;
  readonly payload: string;
  readonly attempts: number;
  readonly queuedAt: Date;
}

export const postgresOutbox = (on: Connection, box: SecretBox): Outbox => ({
  add: (mail) => {
    const id = randomUUID();
    const { user, notice } = mail.kind === 'notice' ? mail : {};
    const payload = box.seal(JSON.stringify(mail), contextOf(id));
    return run(on, sql.outbox.add, { id, payload, priority: mailPriority(mail), user, notice });
  },
  lockNoticeCount: (user, notice, seconds) =>
    many(on, sql.accounts.lock, { id: user }).andThen(() =>
      value<number>(on, sql.outbox.noticeCount, { user, notice, seconds }),
    ),
  claim: (leaseSeconds) =>
    maybe<ClaimedRow>(on, sql.outbox.claim, { leaseSeconds }).map((row) => {
      if (row === undefined) return undefined;
      const { payload, ...queued } = row;
      return { ...queued, mail: opened(box, payload, row.id) };
    }),
  markSent: (id) => run(on, sql.outbox.finish, { id }),
  retryLater: (id, delaySeconds) => run(on, sql.outbox.retryLater, { id, delaySeconds }),
  giveUp: (id) => run(on, sql.outbox.finish, { id }),
});

/** A mail that cannot be decrypted must not prevent others from being claimed. */
function opened(box: SecretBox, payload: string, id: string): QueuedMail['mail'] {
  try {
    // The box authenticates its content, so it is a mail encrypted here.
    return JSON.parse(box.open(payload, contextOf(id))) as QueuedMail['mail'];
  } catch {
    return { kind: 'unreadable' };
  }
}

/** Binds an encrypted payload to its row. */
const contextOf = (id: string): string => `outbox_mails.payload.${id}`;
