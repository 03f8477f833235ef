import { administration, Retention, type RetentionChange, retainedData } from '@zonewright/core';
import type { Argv } from 'yargs';
import { accepted, CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import { parseOrganizationId } from './organization-id.ts';

/** Declares the options of the command. */
export const retentionOptions = (command: Argv) =>
  command
    .positional('organization', { type: 'number', demandOption: true, describe: 'Its number' })
    .option('audit-log', { type: 'string', requiresArg: true, describe: 'Entries of the audit log' })
    .option('history', { type: 'string', requiresArg: true, describe: 'Revisions of zones and backends' })
    .option('history-detail', { type: 'string', requiresArg: true, describe: 'Revisions without a snapshot' });

/** Values to change; omitted ones stay as they are. */
interface RetentionArguments {
  readonly organization: number;
  readonly auditLog?: string | undefined;
  readonly history?: string | undefined;
  readonly historyDetail?: string | undefined;
}

/** Changes an organization's retention if requested, then shows it. */
export async function retentionOf(installation: Installation, args: RetentionArguments): Promise<Report> {
  const organization = parseOrganizationId(args.organization);
  const change = changeIn(args);
  const { ports, operator, config } = installation;
  const own = await accepted(administration(ports).changeRetention(operator, organization, change));
  const periods = retainedData.map((what) => ({
    what,
    days: own[what] ?? config.retention[what],
    isOwn: own[what] !== undefined,
  }));
  const rows = periods.map(({ what, days, isOwn }) => [what, days, isOwn ? 'of its own' : 'default']);
  return { json: { organization, kept: periods }, lines: table(['what', 'days', ''], rows) };
}

const changeIn = (args: RetentionArguments): RetentionChange =>
  Object.fromEntries(
    retainedData.flatMap((what) => {
      const text = args[what];
      return text === undefined ? [] : [[what, retentionIn(text)] as const];
    }),
  );

function retentionIn(text: string): Retention | undefined {
  if (text === 'default') return undefined;
  const read = Retention.safeParse(/^\d+$/.test(text) ? Number(text) : text);
  if (read.success) return read.data;
  throw new CommandFailure(
    [`${JSON.stringify(text)} is not 1 to 36500 days, "forever" or "default".`],
    exitCodes.misused,
  );
}
