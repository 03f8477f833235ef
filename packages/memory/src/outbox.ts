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
      for (const [id, row] of outbox) {
        if (row.mail === undefined || row.done || row.dueAt > now()) continue;
        const attempts = row.attempts + 1;
        outbox.set(id, { ...row, attempts, dueAt: later(now(), leaseSeconds) });
        return okAsync({ id, mail: row.mail, attempts });
      }
      return okAsync(undefined);
    },
    markSent: (id) => change(id, { done: true, mail: undefined }),
    retryLater: (id, delaySeconds) => change(id, { dueAt: later(now(), delaySeconds) }),
    giveUp: (id) => change(id, { done: true, mail: undefined }),
  };
};
