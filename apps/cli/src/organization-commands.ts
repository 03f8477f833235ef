import type { Argv } from 'yargs';
import { limitOptions, limitsOfOrganization } from './commands/organization-limits.ts';
import { deleteOrganization } from './commands/organization-removal.ts';
import { listMembers, listOrganizations } from './commands/organizations.ts';
import { providerOf } from './commands/required-provider.ts';
import { retentionOf, retentionOptions } from './commands/retention.ts';
import type { Runner } from './runner.ts';

const withOrganizationNumber = <T>(command: Argv<T>) =>
  command.positional('organization', { type: 'number', demandOption: true, describe: 'Its number' });

const policies = (group: Argv, installed: Runner['installed']): Argv =>
  group
    .command('list', 'List every organization, with its members and zones', {}, () =>
      installed('organizations list', listOrganizations),
    )
    .command('members <organization>', 'List the members of an organization', withOrganizationNumber, (args) =>
      installed('organizations members', (installation) => listMembers(installation, args)),
    )
    .command('limits <organization>', 'Show or change the limits of an organization', limitOptions, (args) =>
      installed('organizations limits', (installation) => limitsOfOrganization(installation, args)),
    )
    .command(
      'retention <organization>',
      'Show or change how long data of an organization is kept: a number of days, forever, or default',
      retentionOptions,
      (args) => installed('organizations retention', (installation) => retentionOf(installation, args)),
    )
    .command(
      'provider <organization>',
      'Show the provider that members must sign in by, or lift the requirement with --none',
      (command) =>
        withOrganizationNumber(command).option('none', {
          type: 'boolean',
          default: false,
          describe: 'Require none',
        }),
      (args) => installed('organizations provider', (installation) => providerOf(installation, args)),
    );

/** Declares the commands for organizations. */
export const organizations = (program: Argv, { installed }: Runner): Argv =>
  program.command('organizations', 'Inspect, limit and delete organizations', (group) =>
    policies(group, installed)
      .command(
        'delete <organization>',
        'Delete an organization with everything in it',
        withOrganizationNumber,
        (args) =>
          installed('organizations delete', (installation, { terminal }) =>
            deleteOrganization(installation, args, terminal),
          ),
      )
      .demandCommand(1, 'A command is missing: organizations <command>.'),
  );
