import type { Operator, UserId } from '@zonewright/core';
import { connected } from '@zonewright/postgres';
import { addAuditEntry } from './organization-removal.ts';
import { rowsOf, runFile } from './run-file.ts';

/**
 * Deletes an account with its credentials and memberships. What it has created stays, without its name. Succeeds if
 * there is no such account.
 */
export const removeAccount = (url: string, account: UserId, operator: Operator): Promise<void> =>
  connected(url, async (client) => {
    await runFile(client, 'transactions/begin-unlimited.sql');
    const [deleted] = await rowsOf<{ email: string }>(client, 'removal/delete-account.sql', { account });
    if (deleted !== undefined) {
      const objects = { user: account, name: deleted.email };
      await addAuditEntry(client, { action: 'account.deleted', organization: null, objects, operator });
    }
    await runFile(client, 'transactions/commit.sql');
  });
