import type { RecordedAuditEntry } from '@zonewright/core';
import { batches } from '../batches.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Prints the audit log of the installation, one entry per line, oldest first; optionally only entries after a given
 * one.
 */
export async function exportAuditLog(
  { unitOfWork }: Installation,
  after: string | undefined,
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
    await terminal.print(entries.map((entry) => JSON.stringify(entry)).join('\n'));
    count += entries.length;
  }
  terminal.explain(`${count} entries`);
  return { lines: [] };
}
