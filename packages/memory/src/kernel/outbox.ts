import { mailPriority, type Outbox } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { secondsAfter } from '../seconds-after.ts';
import { type OutboxRow, type Unit } from '../tables/tables.ts';

export const memoryOutbox = ({ tables: { outbox }, now }: Unit): Outbox => {
  const change = (id: string, changes: Partial<OutboxRow>) => {
    const row = outbox.get(id);
    if (row !== undefined) outbox.set(id, { ...row, ...changes });
    return okAsync();
  };
  return {
    add: (mail) => {
      const { user, notice } = mail.kind === 'notice' ? mail : {};
      const row = { mail, priority: mailPriority(mail), user, notice, attempts: 0, createdAt: now(), dueAt: now() };
      // Finished mails are deleted some time later.
      const id = Math.max(0, ...[...outbox.keys()].map(Number)) + 1;
      outbox.set(String(id), { ...row, doneAt: undefined });
      return okAsync();
    },
    lockNoticeCount: (user, notice, seconds) => {
      const notices = [...outbox.values()].filter((row) => row.user === user && row.notice === notice);
      return okAsync(notices.filter(({ createdAt }) => secondsAfter(createdAt, seconds) > now()).length);
    },
    claim: (leaseSeconds) => {
      const due = [...outbox].filter(([, row]) => row.doneAt === undefined && row.dueAt <= now());
      const [next] = due.sort(([, a], [, b]) => a.priority - b.priority || a.dueAt.getTime() - b.dueAt.getTime());
      const [id, row] = next ?? [];
      if (id === undefined || row?.mail === undefined) return okAsync(undefined);
      const attempts = row.attempts + 1;
      outbox.set(id, { ...row, attempts, dueAt: secondsAfter(now(), leaseSeconds) });
      return okAsync({ id, mail: row.mail, attempts, queuedAt: row.createdAt });
    },
    markSent: (id) => change(id, { doneAt: now(), mail: undefined }),
    retryLater: (id, delaySeconds) => change(id, { dueAt: secondsAfter(now(), delaySeconds) }),
    giveUp: (id) => change(id, { doneAt: now(), mail: undefined }),
  };
};
