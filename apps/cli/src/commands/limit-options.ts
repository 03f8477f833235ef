import { type UsageLimitName, usageLimits } from '@zonewright/core';
import type { Argv } from 'yargs';
import { CommandFailure, exitCodes } from '../failure.ts';
import { table } from '../report.ts';

/** Arguments of a command that shows and changes limits. */
export interface LimitArguments {
  /** Limits to reset to their default, as spelled in options, or `all`. */
  readonly reset: readonly string[];
  /** The new value of each limit, by name. */
  readonly [limit: string]: unknown;
}

/** `--rewrite-rules` for the limit `rewriteRules`. */
const written = (name: UsageLimitName): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const inWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Declares one option per limit. */
export const withLimitOptions = <T>(command: Argv<T>, names: readonly UsageLimitName[]) =>
  names
    .reduce((made, name) => {
      const { per, ceiling } = usageLimits[name];
      const describe = `Maximum per ${inWords(per)}, at most ${ceiling}`;
      return made.option(written(name), { type: 'number', requiresArg: true, describe });
    }, command)
    .option('reset', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [],
      choices: ['all', ...names.map(written)],
      describe: 'Limits to reset to their default',
    });

/** The changes requested by the arguments: a number, or undefined to reset. */
export function limitChangesIn<Name extends UsageLimitName>(
  names: readonly Name[],
  { reset, ...args }: LimitArguments,
): Readonly<Partial<Record<Name, number | undefined>>> {
  const named = names.filter((name) => reset.includes('all') || reset.includes(written(name)));
  const numbers = names.filter((name) => args[name] !== undefined);
  const both = numbers.find((name) => named.includes(name));
  if (both !== undefined) throw new CommandFailure([`--${written(both)} is both set and reset.`], exitCodes.misused);
  const changes = [...named.map((name) => [name, undefined]), ...numbers.map((name) => [name, args[name]])];
  // yargs parses limit options as numbers; `Object.fromEntries` loses the type of the keys.
  return Object.fromEntries(changes) as Readonly<Partial<Record<Name, number | undefined>>>;
}

/** Formats the limits in force as JSON and as a table; `whose` names the owner of custom limits. */
export function shownLimits<Name extends UsageLimitName>(
  names: readonly Name[],
  { own, inForce }: { readonly own: Partial<Record<Name, number>>; readonly inForce: Readonly<Record<Name, number>> },
  whose: string,
) {
  const shown = names.map((name) => {
    const { per, ceiling } = usageLimits[name];
    return { name, limit: inForce[name], isOwn: own[name] !== undefined, ceiling, per };
  });
  return {
    limits: Object.fromEntries(shown.map(({ name, ...limit }) => [name, limit])),
    lines: table(
      ['limit', 'number', 'set for', 'ceiling', 'per'],
      shown.map(({ name, limit, isOwn, ceiling, per }) => [
        written(name),
        limit,
        isOwn ? whose : 'all',
        ceiling,
        inWords(per),
      ]),
    ),
  };
}
