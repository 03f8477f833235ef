import { keyPurposes, version } from '@zonewright/configuration';
import yargs, { type Argv } from 'yargs';
import { exportAuditLog } from './commands/audit.ts';
import { backUp, restore } from './commands/backup.ts';
import { check } from './commands/check.ts';
import { cleanUpAll } from './commands/clean-up.ts';
import { addKeyRing, createKeysFile, listKeys, removeKey, reseal, rotateKey, useKey } from './commands/keys.ts';
import { migrate } from './commands/migrate.ts';
import { seed } from './commands/seed.ts';
import { removeSeeds } from './commands/seed-removal.ts';
import { exportOrganization, exportZone, importDocument } from './commands/transfer.ts';
import { edges } from './edge-commands.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { readConfig, readKeys } from './installation.ts';
import { organizations } from './organization-commands.ts';
import { type Context, type Runner, runnerOf, type Work } from './runner.ts';
import { type Streams, terminalOn } from './terminal.ts';
import { users } from './user-commands.ts';

/** Runs the command in `args`; resolves to the exit code. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv, streams: Streams): Promise<number> {
  let work: Work | undefined;
  const choose = (chosen: Work) => {
    work = chosen;
  };
  const isJson = args.includes('--json');
  let output = '';
  let mistake: string | undefined;
  const program = commands(yargs([...args]), runnerOf(choose))
    .exitProcess(false)
    .fail((message, error) => {
      // Later ones follow from the first.
      mistake ??= message || error.message;
    });
  const parsed = await program.parse([...args], {}, (_error, _given, text) => {
    output = text;
  });
  if (mistake !== undefined) {
    return fail([mistake, 'Run with --help for usage.'], exitCodes.misused, isJson, streams);
  }
  if (work === undefined) {
    streams.stdout.write(`${output}\n`);
    return exitCodes.done;
  }
  const context = { env, isJson, terminal: terminalOn(streams, parsed['yes'] === true) };
  return finish(work, context, streams);
}

async function finish(work: Work, context: Context, streams: Streams): Promise<number> {
  try {
    const { json, lines, isFailure = false } = await work(context);
    const output = context.isJson && json !== undefined ? JSON.stringify(json, null, 2) : lines.join('\n');
    if (output !== '') await context.terminal.print(output);
    return isFailure ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    return error instanceof CommandFailure
      ? fail(error.lines, error.exitCode, context.isJson, streams)
      : fail([`It failed: ${reasonOf(error)}`], exitCodes.failed, context.isJson, streams);
  }
}

/** Explains a failure to a person or, as the command's JSON document, to a program. Returns the exit code. */
function fail(lines: readonly string[], exitCode: number, isJson: boolean, { stdout, stderr }: Streams): number {
  if (isJson) stdout.write(`${JSON.stringify({ error: lines.join('\n').trim(), exitCode }, null, 2)}\n`);
  else stderr.write(`${lines.join('\n')}\n`);
  return exitCode;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Declares every command and its arguments. */
const commands = (program: Argv, runner: Runner): Argv =>
  [users, organizations, edges, transfers, keys, installationCommands].reduce(
    (made, add) => add(made, runner),
    common(program),
  );

const common = (program: Argv): Argv =>
  program
    .scriptName('zonewright')
    .usage('$0 <command>\n\nAdministers an installation, configured by the environment as the service is.')
    .option('json', { type: 'boolean', describe: 'Print one JSON document', global: true })
    .option('yes', { alias: 'y', type: 'boolean', describe: 'Answer yes to every question', global: true })
    .completion('completion', 'Print a script that completes commands in bash or zsh')
    .locale('en')
    .version(version)
    .recommendCommands()
    .strict()
    .check(requireOnce)
    .demandCommand(1, 'A command is missing.')
    .wrap(100);

/** Options that can be repeated. */
const repeatable = ['_', 'reset'];

/** A repeated option is ambiguous. */
function requireOnce(args: Readonly<Record<string, unknown>>): true {
  const twice = Object.keys(args).find((name) => Array.isArray(args[name]) && !repeatable.includes(name));
  if (twice !== undefined) throw new Error(`--${twice} is given more than once.`);
  return true;
}

const output = (command: Argv) =>
  command.option('output', {
    alias: 'o',
    type: 'string',
    requiresArg: true,
    describe: 'New output file; standard output by default',
  });

const oneZone = <T>(command: Argv<T>) =>
  command.positional('zone', { type: 'string', demandOption: true, describe: 'The id of a zone' });

const importOptions = (command: Argv) =>
  command
    .positional('file', { type: 'string', demandOption: true })
    .option('organization', { type: 'number', demandOption: true, describe: 'The number of the organization' })
    .option('as', { type: 'string', demandOption: true, describe: 'The user to import as, with their permissions' })
    .option('reuse-backends', {
      type: 'boolean',
      default: false,
      describe: 'Use backends of the same name, which must be equal',
    })
    .option('update', { type: 'boolean', default: false, describe: 'Change zones of the same name and tag' })
    .option('dry-run', { type: 'boolean', default: false, describe: 'Show what the import would do, and do nothing' });

const seedOptions = (command: Argv) =>
  command
    .option('zones', { type: 'number', default: 10, requiresArg: true, describe: 'How many zones' })
    .option('remove', { type: 'boolean', default: false, describe: 'Delete what earlier calls have created' });

const transfers = (program: Argv, { installed }: Runner): Argv =>
  program
    .command('export', 'Export zones as one JSON document, without secrets', (group) =>
      group
        .command(
          'zone <zone>',
          'Export a zone and the backends it uses',
          (command) => oneZone(output(command)),
          (args) => installed('export zone', (installation, { terminal }) => exportZone(installation, args, terminal)),
        )
        .command(
          'organization <organization>',
          'Export an organization with all its zones and backends',
          (command) =>
            output(command).positional('organization', { type: 'number', demandOption: true, describe: 'Its number' }),
          (args) =>
            installed('export organization', (installation, { terminal }) =>
              exportOrganization(installation, args, terminal),
            ),
        )
        .demandCommand(1, 'A command is missing: export <command>.'),
    )
    .command('import <file>', 'Import exported zones into an organization, all or nothing', importOptions, (args) =>
      installed('import', (installation) => importDocument(installation, args)),
    )
    .command('seed', 'Create a demonstration user with organizations full of zones', seedOptions, ({ zones, remove }) =>
      installed('seed', (installation, { terminal }) =>
        remove ? removeSeeds(installation, terminal) : seed(installation, zones, terminal),
      ),
    );

const file = (command: Argv) =>
  command.positional('file', { type: 'string', demandOption: true, describe: 'The dump' });

const ring = (command: Argv) =>
  command.positional('ring', {
    type: 'string',
    choices: keyPurposes,
    demandOption: true,
    describe: 'A ring of the keys file',
  });
const keyOfRing = (command: Argv) =>
  ring(command).positional('kid', { type: 'string', demandOption: true, describe: 'The name of a key' });

const keys = (program: Argv, { bare, installed }: Runner): Argv =>
  program.command('keys', 'Create the keys file, and change its keys', (group) =>
    group
      .command('create', 'Create the keys file, with a key for each ring', {}, () =>
        bare(async ({ env }) => createKeysFile({ config: readConfig(env) })),
      )
      .command('list', 'List the rings and the names of their keys', {}, () =>
        bare(async ({ env }) => listKeys({ keys: readKeys(readConfig(env)) })),
      )
      .command('add <ring>', 'Add a ring that the file of an older version lacks', ring, (args) =>
        bare(async ({ env }) => addKeyRing({ config: readConfig(env) }, args)),
      )
      .command(
        'rotate <ring>',
        'Add a new key to a ring and use it for new values',
        (command) =>
          ring(command).option('keep-current', {
            type: 'boolean',
            default: false,
            describe: 'Only add it, so that all instances know it before any of them uses it',
          }),
        (args) => bare(async ({ env }) => rotateKey({ config: readConfig(env) }, args)),
      )
      .command('use <ring> <kid>', 'Use a key of the ring for new values', keyOfRing, (args) =>
        bare(async ({ env }) => useKey({ config: readConfig(env) }, args)),
      )
      .command('reseal', 'Encrypt secrets of second factors and ban tokens with the current keys', {}, () =>
        installed('keys reseal', reseal),
      )
      .command('remove <ring> <kid>', 'Remove a key that is no longer needed', keyOfRing, (args) =>
        installed('keys remove', (installation, { terminal }) => removeKey(installation, args, terminal)),
      )
      .demandCommand(1, 'A command is missing: keys <command>.'),
  );

const installationCommands = (program: Argv, { bare, atDeployment, installed }: Runner): Argv =>
  program
    .command('migrate', 'Migrate the database schema', {}, () => atDeployment(migrate))
    .command('clean-up', 'Delete expired data at once, which the service does in batches', {}, () =>
      installed('clean-up', cleanUpAll),
    )
    .command('check', 'Check configuration, keys, database and mail server without changing anything', {}, () =>
      bare(({ env }) => check(env)),
    )
    .command('backup <file>', 'Dump the database to a new file, with a manifest next to it', file, (args) =>
      atDeployment((installation, { terminal }) => backUp(installation, args.file, terminal)),
    )
    .command('restore <file>', 'Restore a dump into an empty database, and verify it', file, (args) =>
      atDeployment((installation, { terminal }) => restore(installation, args.file, terminal)),
    )
    .command(
      'audit-log',
      'Print the audit log of the whole installation, oldest first: a JSON document per line, or one with --json',
      auditLogOptions,
      ({ after }) =>
        installed('audit-log', (installation, { terminal, isJson }) =>
          exportAuditLog(installation, { after, isOneDocument: isJson }, terminal),
        ),
    );

const auditLogOptions = (command: Argv) =>
  command
    .option('after', { type: 'string', requiresArg: true, describe: 'Id of the last entry you already have' })
    .option('json-lines', { type: 'boolean', describe: 'Print a JSON document per line, which is the default' })
    .conflicts('json-lines', 'json');
