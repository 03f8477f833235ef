import type { Argv } from 'yargs';
import { addEdge, drainEdge, listEdges, releaseZone, removeEdge, showEdge } from './commands/edges.ts';
import type { Runner } from './runner.ts';

const named = <T>(command: Argv<T>) =>
  command.positional('name', { type: 'string', demandOption: true, describe: 'The name of an edge' });

const newEdge = (command: Argv) =>
  named(command)
    .option('tags', { type: 'string', requiresArg: true, describe: 'Serve only zones with these tags (prod,stage)' })
    .option('organizations', {
      type: 'string',
      requiresArg: true,
      describe: 'Serve only zones of these organizations (1,2)',
    })
    .option('stage', {
      type: 'string',
      requiresArg: true,
      default: 'main',
      describe: 'canary edges are offered changes before the others (canary, main)',
    });

/** Declares the commands for edges. */
export const edges = (program: Argv, { installed }: Runner): Argv =>
  program.command('edges', 'Add, list, drain and remove edges, which answer requests for zones', (group) =>
    group
      .command('add <name>', 'Add an edge, and print its enrolment token', newEdge, (args) =>
        installed('edges add', (installation) => addEdge(installation, args)),
      )
      .command('list', 'List every edge, with what it last reported', {}, () => installed('edges list', listEdges))
      .command('show <name>', 'Show an edge, with the zones that it rejects', named, (args) =>
        installed('edges show', (installation) => showEdge(installation, args)),
      )
      .command('drain <name>', 'Stop counting on an edge, which goes on serving', named, (args) =>
        installed('edges drain', (installation) => drainEdge(installation, args, true)),
      )
      .command('undrain <name>', 'Count on an edge again', named, (args) =>
        installed('edges undrain', (installation) => drainEdge(installation, args, false)),
      )
      .command('remove <name>', 'Refuse the key of an edge from now on', named, (args) =>
        installed('edges remove', (installation, { terminal }) => removeEdge(installation, args, terminal)),
      )
      .command(
        'release <zone>',
        'Offer all edges a change of a zone that canary edges have not approved',
        (command) => command.positional('zone', { type: 'string', demandOption: true, describe: 'The id of a zone' }),
        (args) => installed('edges release', (installation) => releaseZone(installation, args)),
      )
      .demandCommand(1, 'A command is missing: edges <command>.'),
  );
