import type { Mail } from '@zonewright/core';
import { aMail } from '../../builders/index.ts';
import { runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** Queues a mail and resolves to it. */
export async function queued(storage: Storage): Promise<Mail> {
  const mail = aMail();
  await runUnit(storage, ({ outbox }) => outbox.add(mail));
  return mail;
}

/** Claims the next mail in its own unit, if any is due. */
export const claim = (storage: Storage, leaseSeconds = 60) =>
  runUnit(storage, ({ outbox }) => outbox.claim(leaseSeconds));

/** Claims the next mail, which must be due. */
export async function claimed(storage: Storage) {
  const mail = await claim(storage);
  if (mail === undefined) throw new Error('There was no mail to claim.');
  return mail;
}
