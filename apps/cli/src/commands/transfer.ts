import { readFile } from 'node:fs/promises';
import {
  actFor,
  type ImportResult,
  importZones,
  exportOrganization as organizationDocument,
  parseTransferDocument,
  ZoneId,
  exportZone as zoneDocument,
} from '@zonewright/core';
import { accepted, CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { writePrivateFile } from '../private-file.ts';
import { counted, type Report, table } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { parseOrganizationId } from './organization-id.ts';
import { findUser } from './users.ts';

/** The destination of an export: a file or standard output. */
interface Target {
  readonly output: string | undefined;
}

/** Exports a zone and the backends it uses as one JSON document. */
export async function exportZone(
  { ports }: Installation,
  { zone, output }: Target & { readonly zone: string },
  terminal: Terminal,
): Promise<Report> {
  const id = ZoneId.safeParse(zone).data;
  if (id === undefined)
    throw new CommandFailure([`${JSON.stringify(zone)} is not the id of a zone.`], exitCodes.misused);
  return written(await accepted(zoneDocument(ports)(id)), output, terminal);
}

/** Exports an organization with its zones and backends as one JSON document. */
export async function exportOrganization(
  { ports }: Installation,
  { organization, output }: Target & { readonly organization: number },
  terminal: Terminal,
): Promise<Report> {
  return written(await accepted(organizationDocument(ports)(parseOrganizationId(organization))), output, terminal);
}

async function written(document: object, output: string | undefined, terminal: Terminal): Promise<Report> {
  const text = JSON.stringify(document, null, 2);
  if (output === undefined) {
    await terminal.print(text);
    return { lines: [] };
  }
  await writePrivateFile(output, (file) => file.writeFile(`${text}\n`));
  return {
    json: { output, bytes: Buffer.byteLength(text) + 1 },
    lines: [`Wrote ${output}. It contains no passwords or ban tokens.`],
  };
}

/** The file to import, the target organization, the acting user, and what to do with what is there. */
interface ImportArguments {
  readonly file: string;
  readonly organization: number;
  readonly as: string;
  readonly reuseBackends: boolean;
  readonly update: boolean;
  readonly dryRun: boolean;
}

/** Imports the zones of a document into an organization, all or nothing, with the rights of one of its users. */
export async function importDocument(
  installation: Installation,
  { file, organization, as, reuseBackends, update, dryRun: isRehearsal }: ImportArguments,
): Promise<Report> {
  const { ports, unitOfWork, operator } = installation;
  const target = parseOrganizationId(organization);
  const document = await accepted(parseTransferDocument(await jsonIn(file)));
  await accepted(unitOfWork.view(({ organizations }) => organizations.byId(target)));
  const { id } = await findUser(installation, as);
  const caller = await accepted(actFor(ports)(operator, id, target));
  const options = { reuseBackends, update, isRehearsal };
  const imported = await accepted(importZones({ ...ports, unitOfWork })(caller, target, document, options));
  return { json: { ...imported, dryRun: isRehearsal }, lines: linesOf(imported, isRehearsal) };
}

function linesOf({ originServers, loadBalancers, zones }: ImportResult, isRehearsal: boolean): readonly string[] {
  const rows = [
    ...originServers.map(({ name, outcome }) => ['origin server', name, '', outcome]),
    ...loadBalancers.map(({ name, outcome }) => ['load balancer', name, '', outcome]),
    ...zones.map(({ name, tag, outcome }) => ['zone', name, tag, outcome]),
  ];
  const passwords = zones.flatMap(({ name, tag, usersWithoutPassword }) =>
    usersWithoutPassword.map((user) => `${name} (${tag}): the basic-auth user ${user} needs a password`),
  );
  const names = zones.flatMap(({ name, tag, hostnamesLeftOut }) =>
    hostnamesLeftOut.map((host) => `${name} (${tag}): the host name ${host} was left out`),
  );
  const summary = isRehearsal
    ? 'Nothing was changed. The import would do this:'
    : `Imported ${counted(zones.length, 'zone')}, ${counted(originServers.length, 'origin server')} and ${counted(loadBalancers.length, 'load balancer')}.`;
  return [summary, ...table(['what', 'name', 'tag', 'outcome'], rows), ...passwords, ...names];
}

async function jsonIn(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailure([`${file} cannot be read: ${error.message}`]);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure([`${file} is not JSON.`]);
  }
}
