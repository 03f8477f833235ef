import type { Database } from '@zonewright/postgres';

/** All rows of every table as text, by table name. */
export async function dumpOf(database: Database): Promise<ReadonlyMap<string, string>> {
  const tables = await database.any<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const dumps = tables.map(async ({ name }) => {
    const rows = await database.any<{ row: string }>(`SELECT ${name}::text AS row FROM ${name}`);
    return [name, rows.map(({ row }) => row).join('\n')] as const;
  });
  return new Map(await Promise.all(dumps));
}

/** Whether a text contains a secret, verbatim or in a reversible encoding. */
export function holds(text: string, secret: string): boolean {
  // Six digits may occur in larger numbers: only separate ones count.
  if (/^\d{6}$/.test(secret)) return new RegExp(`(?<![0-9A-Za-z.])${secret}(?![0-9A-Za-z])`).test(text);
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [bytes.toString('hex'), unpadded(bytes.toString('base64')), bytes.toString('base64url')];
  return [secret, encodeURIComponent(secret), ...encoded].some((form) => text.includes(form));
}

const unpadded = (base64: string): string => base64.replace(/=+$/, '');
