import type { OrganizationId } from '@zonewright/core';
import type { Client } from 'pg';
import { movedTables, namesOf } from './moved-tables.ts';
import { rowOf, rowsOf, runFile } from './run-file.ts';
import { columnsOf } from './table-copy.ts';

/** Members who prevent a move, by address. */
export interface UnmatchedMembers {
  /** They have no verified account in the target. */
  readonly missing: readonly string[];
  /** They are blocked in the source, but not in the target, where they would regain access. */
  readonly unblocked: readonly string[];
}

interface Match {
  readonly source: string;
  readonly email: string;
  /** Null: no verified account. */
  readonly target: string | null;
  readonly isUnblocked: boolean;
}

interface UserRow {
  readonly user: string;
}

/** Creates the temporary table `matched_users` in the target, for all users that the organization's rows refer to. */
export async function matchAccounts(
  source: Client,
  target: Client,
  organization: OrganizationId,
): Promise<UnmatchedMembers> {
  const users = await usersOf(source, organization);
  const accounts = await rowOf<{ accounts: string }>(source, 'moves/accounts.sql', { users });
  const matches = await rowsOf<Match>(target, 'moves/match-accounts.sql', accounts);
  await runFile(target, 'moves/keep-matches.sql', { matches });
  const userIds = new Set(
    (await rowsOf<UserRow>(source, 'moves/members.sql', { organization })).map(({ user }) => user),
  );
  const members = matches.filter((match) => userIds.has(match.source));
  return {
    missing: members.filter((member) => member.target === null).map(({ email }) => email),
    unblocked: members.filter(({ isUnblocked }) => isUnblocked).map(({ email }) => email),
  };
}

/** The users that the organization's rows refer to; some may no longer have an account. */
async function usersOf(source: Client, organization: OrganizationId): Promise<readonly string[]> {
  const users = new Set<string>();
  for (const table of movedTables) {
    for (const { name: column } of (await columnsOf(source, table.name)).filter(({ isUser }) => isUser)) {
      const rows = await rowsOf<UserRow>(source, 'moves/users.sql', { ...namesOf(table), column, organization });
      for (const { user } of rows) users.add(user);
    }
  }
  return [...users];
}
