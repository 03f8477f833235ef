import { userLimitNames } from '@zonewright/core';
import type { Argv } from 'yargs';
import { withLimitOptions } from './commands/limit-options.ts';
import { listProvidersOf, removeProviderOf } from './commands/linked-providers.ts';
import { eraseUser } from './commands/user-erasure.ts';
import { limitsOfUser } from './commands/user-limits.ts';
import { passkeysOfUser } from './commands/user-passkeys.ts';
import {
  blockUser,
  createUser,
  endSessions,
  listUsers,
  removeSecondFactor,
  showUser,
  unblockUser,
} from './commands/users.ts';
import type { Runner } from './runner.ts';

const who = (command: Argv) =>
  command.positional('user', { type: 'string', demandOption: true, describe: 'An address or an id' });

const newUser = (command: Argv) =>
  command
    .option('email', { type: 'string', requiresArg: true, demandOption: true })
    .option('first-name', { type: 'string', requiresArg: true, demandOption: true })
    .option('last-name', { type: 'string', requiresArg: true, demandOption: true })
    .option('password-stdin', {
      type: 'boolean',
      default: false,
      describe: 'Read a password from standard input',
    });

const listings = (group: Argv, installed: Runner['installed']): Argv =>
  group
    .command('list', 'List every account', {}, () => installed('users list', (all) => listUsers(all)))
    .command(
      'search <text>',
      'List the accounts with a text in their address or name',
      (command) => command.positional('text', { type: 'string', demandOption: true }),
      ({ text }) => installed('users search', (installation) => listUsers(installation, text)),
    );

/** The commands on linked identities. */
const providers = (command: Argv, installed: Runner['installed']) =>
  command
    .command('list <user>', 'List the identities that are linked to an account', who, ({ user }) =>
      installed('users providers list', (installation) => listProvidersOf(installation, user)),
    )
    .command(
      'remove <user> <identity>',
      'Unlink an identity, even the last credential',
      (given) =>
        who(given).positional('identity', { type: 'string', demandOption: true, describe: 'Its id, from the list' }),
      (args) =>
        installed('users providers remove', (installation, { terminal }) =>
          removeProviderOf(installation, args, terminal),
        ),
    )
    .demandCommand(1, 'A command is missing: users providers <command>.');

const lostFactors = (group: Argv, installed: Runner['installed']): Argv =>
  group
    .command('two-factor-off <user>', 'Turn off the second factor of a user who has lost it', who, ({ user }) =>
      installed('users two-factor-off', (installation, { terminal }) =>
        removeSecondFactor(installation, user, terminal),
      ),
    )
    .command(
      'passkeys <user>',
      'List the passkeys of a user, or remove one that the user has lost',
      (command) =>
        who(command).option('remove', { type: 'string', requiresArg: true, describe: 'The id of a passkey' }),
      (args) =>
        installed('users passkeys', (installation, { terminal }) => passkeysOfUser(installation, args, terminal)),
    );

/** The commands on accounts. */
export const users = (program: Argv, { installed }: Runner): Argv =>
  program.command('users', 'Create, find, block and help users', (group) =>
    lostFactors(listings(group, installed), installed)
      .command(
        'create',
        'Create an account; without a password its owner gets a mail with a link to choose one',
        newUser,
        (args) => installed('users create', (installation, { terminal }) => createUser(installation, args, terminal)),
      )
      .command('show <user>', 'Show an account', who, ({ user }) =>
        installed('users show', (installation) => showUser(installation, user)),
      )
      .command('block <user>', 'Reject all requests of a user', who, ({ user }) =>
        installed('users block', (installation, { terminal }) => blockUser(installation, user, terminal)),
      )
      .command('unblock <user>', 'Lift a block', who, ({ user }) =>
        installed('users unblock', (installation) => unblockUser(installation, user)),
      )
      .command(
        'erase <user>',
        'Erase a person for good; what they have made stays without an author',
        who,
        ({ user }) => installed('users erase', (installation, { terminal }) => eraseUser(installation, user, terminal)),
      )
      .command('end-sessions <user>', 'Sign a user out everywhere', who, ({ user }) =>
        installed('users end-sessions', (installation, { terminal }) => endSessions(installation, user, terminal)),
      )
      .command('providers', 'List or unlink the providers that sign in to an account', (command) =>
        providers(command, installed),
      )
      .command(
        'limits <user>',
        'Show or change the limits of a user',
        (command) => withLimitOptions(who(command), userLimitNames),
        (args) => installed('users limits', (installation) => limitsOfUser(installation, args)),
      )
      .demandCommand(1, 'A command is missing: users <command>.'),
  );
