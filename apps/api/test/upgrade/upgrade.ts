import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, Reply } from '../support/client.ts';

const root = join(import.meta.dirname, '../../../..');

const git = (...given: readonly string[]): string => execFileSync('git', given, { cwd: root, encoding: 'utf8' }).trim();

const migrations = 'packages/postgres/migrations';
/** The last file of the first schema. */
const firstSchema = '0006_delivery.sql';
/** By number: merged branches may add migrations in another order. */
const newest = readdirSync(join(root, migrations)).toSorted().at(-1) ?? '';

/** Whether there has been a migration since the first schema. */
export const hasMigrations = newest > firstSchema;

/**
 * UPGRADE_FROM, or the last commit without the newest migration under any name. Before the first migration: the commit
 * that completed the schema, whose program differs, but not its tables.
 */
export const previousVersion = (): string => git('rev-parse', process.env['UPGRADE_FROM'] ?? lastBefore());

const lastBefore = (): string =>
  hasMigrations
    ? `${git('log', '--follow', '--diff-filter=A', '-1', '--format=%H', '--', join(migrations, newest))}^`
    : git('log', '-1', '--format=%H', '--', migrations);

/** Checks out, installs and builds a version of the repository in a separate folder. */
export function checkOut(revision: string) {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-upgrade-'));
  const run = (command: string) =>
    execFileSync(command, { cwd: folder, shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  run(`git -C ${root} archive ${revision} | tar -x`);
  run('npx -y pnpm@12 install --prefer-offline --frozen-lockfile');
  run('npx -y pnpm@12 build');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The number of responses by kind of request and status. */
export type Tally = Record<string, number>;

/** The relevant part of a response body. */
interface Zone {
  readonly id: string;
  readonly name: string;
  readonly banToken: string;
}

/** An instance and the user signed in to it. */
export interface Visit {
  readonly at: Client;
  readonly organization: number | undefined;
  readonly seen: Tally;
}

const change = { 'content-type': 'application/merge-patch+json', 'if-match': '*' };

/** Writes through one instance, and reads and changes it through the other; any difference is a defect. */
export async function writeHereReadThere(here: Visit, there: Visit, name: string): Promise<void> {
  const send = async ({ at, seen }: Visit, method: string, path: string, body?: unknown) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = method === 'PATCH' ? change : body === undefined ? {} : { 'content-type': 'application/json' };
    const reply = await at.send(method, path, { headers: { accept: 'application/json', ...headers }, ...json });
    const kind = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')} ${reply.status}`;
    seen[kind] = (seen[kind] ?? 0) + 1;
    if (reply.status >= 400 && reply.status !== 503) throw new Error(`${kind}: ${reply.text}`);
    return reply;
  };
  const created = await send(here, 'POST', '/api/zones', { name, organization: here.organization });
  if (created.status === 503) return;
  const { id } = created.json() as Zone;
  const path = `/api/zones/${id}`;
  const conditions = { logic: 'and', conditions: [{ field: 'uri', operator: 'equals', value: '/x' }] };
  await send(there, 'POST', `${path}/access-rules`, { name: 'Rule', action: 'block', conditions });
  await send(here, 'PATCH', path, { zone_settings: { minifyHtml: true } });
  await send(there, 'PATCH', path, { name: `${name}-changed` });
  for (const each of [here, there]) {
    const read = await send(each, 'GET', path);
    const found = read.status === 503 ? undefined : (read.json() as Zone).name;
    if (found !== undefined && found !== `${name}-changed`) throw new Error(`An instance still reads ${found}.`);
    for (const list of ['/api/zones', '/api/users/me', `${path}/access-rules`, `${path}/revisions`])
      await send(each, 'GET', list);
  }
  const rotated = await send(there, 'POST', `${path}/ban-token`);
  await expectBanToken(rotated, () => send(here, 'GET', path));
  const rules = () => send(here, 'GET', `${path}/access-rules`);
  const before = await rules();
  if ((await send(here, 'DELETE', path)).status === 503) return;
  const restored = await send(there, 'POST', `/api/organizations/${here.organization}/deleted-zones/${id}/restore`);
  if (restored.status === 503) return;
  await expectBanToken(restored, () => send(here, 'GET', path));
  const after = await rules();
  if (after.status === before.status && after.text !== before.text) throw new Error(`Rules differ: ${after.text}`);
  await send(there, 'DELETE', path);
}

/** Both show the same ban token. */
async function expectBanToken(written: Reply, read: () => Promise<Reply>): Promise<void> {
  const replies = [written, await read()];
  if (replies.some(({ status }) => status === 503)) return;
  const tokens = replies.map((reply) => (reply.json() as Zone).banToken);
  if (new Set(tokens).size > 1) throw new Error(`Ban tokens differ: ${tokens.join(', ')}`);
}
