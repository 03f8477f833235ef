import type { RecordedAuditEntry } from '@zonewright/core';
import { batches } from '../batches.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { counted, type Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/** Which entries to print, and how. */
interface AuditLogArguments {
  /** Only entries after this one. */
  readonly after: string | undefined;
  /** As one JSON array instead of a JSON document per line. */
  readonly isOneDocument: boolean;
}

/** Prints the audit log of the installation, oldest first, in constant memory. */
export async function exportAuditLog(
  { unitOfWork }: Installation,
  { after, isOneDocument }: AuditLogArguments,
  terminal: Terminal,
): Promise<Report> {
  if (after !== undefined && !/^\d{1,18}$/.test(after)) {
    throw new CommandFailure([`${JSON.stringify(after)} is not the id of an entry.`], exitCodes.misused);
  }
  let count = 0;
  for await (const entries of batches<RecordedAuditEntry>(
    (batch) => unitOfWork.view(({ directory }) => directory.auditEntries(batch)),
    after,
  )) {
    const [opening, between] = isOneDocument ? [count === 0 ? '[' : ',', ',\n'] : ['', '\n'];
    await terminal.print(opening + entries.map((entry) => JSON.stringify(entry)).join(between));
    count += entries.length;
  }
  if (isOneDocument) await terminal.print(count === 0 ? '[]' : ']');
  terminal.explain(counted(count, 'entry', 'entries'));
  return { lines: [] };
}
