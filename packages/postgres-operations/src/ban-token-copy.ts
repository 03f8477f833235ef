import type { SecretBox, ZoneId } from '@zonewright/core';
import { readBanToken, type StoredBanToken } from '@zonewright/postgres';
import { rowsOf, runFile } from './run-file.ts';
import type { CopySides } from './table-copy.ts';

/**
 * Replaces the ban tokens in the copied zones, which only the source can decrypt, by their plain text. The clean-up of
 * the target encrypts them with its own key within a minute. One that is unreadable stays so.
 */
export async function copyBanTokens({ source, target }: CopySides, box: SecretBox): Promise<void> {
  const { client, organization } = source;
  const rows = await rowsOf<{ readonly id: ZoneId; readonly banToken: StoredBanToken }>(
    client,
    'moves/ban-tokens.sql',
    { organization },
  );
  const tokens = rows.flatMap(({ id, banToken }) => {
    const token = readBanToken(box, id, banToken);
    return token === undefined ? [] : [{ id, token }];
  });
  await runFile(target.client, 'moves/put-ban-tokens.sql', { tokens: JSON.stringify(tokens) });
}
