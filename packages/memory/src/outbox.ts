import type { Outbox } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { later, type OutboxRow, type Unit } from './tables.ts';

export const memoryOutbox = ({ tables: { outbox }, now }: Unit): Outbox => {
  const change = (id: string, changes: Partial<OutboxRow>) => {
    const row = outbox.get(id);
    if (row !== undefined) outbox.set(id, { ...row, ...changes });
    return okAsync();
  };
  return {
    add: (mail) => {
      outbox.set(String(outbox.size + 1), { mail, attempts: 0, dueAt: now(), done: false });
      return okAsync();
    },
    claim: (leaseSeconds) => {
      const due = [...outbox].filter(([, row]) => !row.done && row.dueAt <= now());
      const [next] = due.sort(([, a], [, b]) => a.dueAt.getTime() - b.dueAt.getTime());
      const [id, row] = next ?? [];
      if (id === undefined || row?.mail === undefined) return okAsync(undefined);
      const attempts = row.attempts + 1;
      outbox.set(id, { ...row, attempts, dueAt: later(now(), leaseSeconds) });
      return okAsync({ id, mail: row.mail, attempts });
    },
    markSent: (id) => change(id, { done: true, mail: undefined }),
    retryLater: (id, delaySeconds) => change(id, { dueAt: later(now(), delaySeconds) }),
    giveUp: (id) => change(id, { done: true, mail: undefined }),
  };
};
