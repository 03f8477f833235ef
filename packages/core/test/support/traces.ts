import type { AuditAction, Mail, QueuedMail, RecordedAuditEntry } from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import { everythingIn, type World } from './world.ts';

/** The queued mails, oldest first. */
export const queuedMails = (world: World): QueuedMail['mail'][] =>
  [...everythingIn(world).outbox.values()].flatMap(({ mail }) => (mail === undefined ? [] : [mail]));

/** `notice address` of each queued notice. */
export const noticesIn = (world: World): string[] =>
  queuedMails(world).flatMap((mail) => (mail.kind === 'notice' ? [`${mail.notice} ${mail.to}`] : []));

/** The most recently queued mail. */
export function lastMail(world: World): Exclude<Mail, { kind: 'notice' | 'domain-lapsing' | 'host-names-lost' }> {
  const mail = queuedMails(world).at(-1);
  if (mail === undefined || !('token' in mail)) throw new Error('No mail with a token was queued last.');
  return mail;
}

/** All entries of the audit log, oldest first. */
export const auditEntries = (world: World): RecordedAuditEntry[] => [...everythingIn(world).auditLog.values()];

export const auditActionsIn = (world: World): AuditAction[] => auditEntries(world).map(({ action }) => action);

/** The entries recorded during `work`. */
export async function entriesDuring(
  world: World,
  work: () => Promise<unknown> | ResultAsync<unknown, unknown>,
): Promise<RecordedAuditEntry[]> {
  const before = auditEntries(world).length;
  await work();
  return auditEntries(world).slice(before);
}
