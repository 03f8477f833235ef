import {
  administration,
  type LimitChanges,
  type OrganizationLimitName,
  organizationLimitNames,
  usageLimits,
} from '@zonewright/core';
import type { Argv } from 'yargs';
import { accepted, CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import { organizationOf } from './organization-number.ts';

/** Arguments of the `limits` command. */
export interface LimitArguments {
  readonly organization: number;
  /** Limits to reset to their default, as spelled in options, or `all`. */
  readonly reset: readonly string[];
  /** The new value of each limit, by name. */
  readonly [limit: string]: unknown;
}

/** `--rewrite-rules` for the limit `rewriteRules`. */
const written = (name: OrganizationLimitName): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Declares one option per limit. */
export const limitOptions = (command: Argv) =>
  organizationLimitNames
    .reduce((made, name) => {
      const { per, ceiling } = usageLimits[name];
      const describe = `Maximum per ${inWords(per)}, at most ${ceiling}`;
      return made.option(written(name), { type: 'number', requiresArg: true, describe });
    }, command)
    .positional('organization', { type: 'number', demandOption: true, describe: 'Its number' })
    .option('reset', {
      type: 'string',
      array: true,
      default: [],
      choices: ['all', ...organizationLimitNames.map(written)],
      describe: 'Limits to reset to their default',
    });

const inWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Changes the given limits of an organization, then shows all of them. */
export async function limitsOfOrganization({ ports, operator }: Installation, args: LimitArguments): Promise<Report> {
  const id = organizationOf(args.organization);
  const changes = changesIn(args);
  const { changeOrganizationLimits, readOrganizationLimits } = administration(ports);
  const { own, inForce } = await accepted(
    Object.keys(changes).length === 0 ? readOrganizationLimits(id) : changeOrganizationLimits(operator, id, changes),
  );
  const shown = organizationLimitNames.map((name) => {
    const { per, ceiling } = usageLimits[name];
    return { name, limit: inForce[name], isOwn: own[name] !== undefined, ceiling, per };
  });
  return {
    json: { organization: id, limits: Object.fromEntries(shown.map(({ name, ...limit }) => [name, limit])) },
    lines: table(
      ['limit', 'number', 'set for', 'ceiling', 'per'],
      shown.map(({ name, limit, isOwn, ceiling, per }) => [
        written(name),
        limit,
        isOwn ? 'this organization' : 'all',
        ceiling,
        inWords(per),
      ]),
    ),
  };
}

function changesIn({ reset, ...args }: LimitArguments): LimitChanges {
  const named = organizationLimitNames.filter((name) => reset.includes('all') || reset.includes(written(name)));
  // yargs parses limit options as numbers.
  const numbers = organizationLimitNames.flatMap((name) =>
    args[name] === undefined ? [] : [[name, args[name] as number] as const],
  );
  const both = numbers.find(([name]) => named.includes(name));
  if (both !== undefined) {
    throw new CommandFailure([`--${written(both[0])} is both set and reset.`], exitCodes.misused);
  }
  return { ...Object.fromEntries(named.map((name) => [name, undefined])), ...Object.fromEntries(numbers) };
}
