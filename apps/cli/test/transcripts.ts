import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Email, IdentityId, ProviderId, type TotpSecret } from '@zonewright/core';
import { expect } from 'chai';
import type { Shell } from './support.ts';

const page = join(import.meta.dirname, '../../../docs/command-line.md');

/** The page up to the first section that needs PostgreSQL programs, and the rest. */
const parts = { withoutPrograms: 0, withPrograms: 1 } as const;
const border = '## Backups\n';
type Part = keyof typeof parts;

/** Masks what varies between runs: ids, times, names, passwords, paths, versions of PostgreSQL, sizes and column widths. */
const masked = (output: string): string =>
  output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/demo-[0-9a-f]{8}@/g, 'demo-<name>@')
    .replaceAll(/Demo-\S+-1\b/g, '<password>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '<date>')
    .replaceAll(/zwt_[\w-]+/g, '<token>')
    .replaceAll(/\b[0-9a-f]{12}\b/g, '<kid>')
    .replaceAll(/PostgreSQL \d[^\n]+/g, 'PostgreSQL')
    .replaceAll(/\d+ bytes\b/g, '<n> bytes')
    .replaceAll(/\(\w+\)"/g, '(<system user>)"')
    .replaceAll(/ {2,}/g, '  ')
    .trimEnd();

/** The page's transcripts in order: a command after `$`, optionally with variables, and its output. */
const block = /```console\n\$ ((?:[A-Z_]+=\S+ )?)zonewright(.*)\n([^]*?)```/g;

/** The environment of the page's commands. */
export interface TranscriptEnvironment {
  /** The folder of its files. */
  readonly folder: string;
  /** Actual values of the variables before commands. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Runs a part of the page and compares the output, or updates the page with WRITE_TRANSCRIPTS=1. */
export async function expectTranscripts(shell: Shell, part: Part, { folder, variables = {} }: TranscriptEnvironment) {
  const texts = readFileSync(page, 'utf8').split(border);
  const text = texts[parts[part]] ?? '';
  const real: string[] = [];
  const reader = readerOf(shell, folder);
  for (const [, variable = '', command = ''] of text.matchAll(block)) {
    const [name = '', usual] = [variable.split('=')[0], shell.env[variable.split('=')[0] ?? '']];
    if (name !== '') shell.env[name] = variables[name];
    real.push(await reader(command.trim()));
    if (name !== '') shell.env[name] = usual;
  }
  if (process.env['WRITE_TRANSCRIPTS'] === '1') {
    texts[parts[part]] = text.replace(
      block,
      (_, variable: string, command: string) =>
        `\`\`\`console\n$ ${variable}zonewright${command}\n${real.shift()}\`\`\``,
    );
    writeFileSync(page, texts.join(border));
  } else {
    for (const [index, [, , command = '', output = '']] of [...text.matchAll(block)].entries())
      expect(masked(output), command).to.equal(masked(real[index] ?? ''));
  }
}

/** Runs commands, substituting earlier output for `<zone>`, `<kid>` and `<old>`. */
function readerOf({ run, open, env }: Shell, folder: string) {
  const known: Record<string, string> = {};
  return async (command: string): Promise<string> => {
    if (command.includes('<zone>')) known['zone'] = /"zone":"([^"]+)"/.exec((await run('audit-log')).out)?.[1] ?? '';
    if (command.startsWith('users providers list')) await linkProvider(open, command.split(' ')[3] ?? '');
    if (command.startsWith('users two-factor-off')) await enableTwoFactor(open, command.split(' ')[2] ?? '');
    if (/^users passkeys \S+$/.test(command)) known['passkey'] = await addPasskey(open, command.split(' ')[2] ?? '');
    const given = command
      .replaceAll(/\b\w+\.(?:json|dump)\b/g, (name) => join(folder, name))
      .replaceAll(/<(\w+)>/g, (placeholder, name: string) => known[name] ?? placeholder)
      .replace(/ < \S+$/, '');
    const { out, err } = await run(given, { stdin: 'Correct-Horse-7\n' });
    if (command.startsWith('users providers list')) known['identity'] = /^[0-9a-f-]{36}/m.exec(out)?.[0] ?? '';
    known['old'] = known['old'] || (/^jwt +(\w+)/m.exec(out)?.[1] ?? '');
    known['kid'] = /Added key (\w+)/.exec(out)?.[1] ?? known['kid'] ?? '';
    return `${out}${err}`
      .replaceAll(`${folder}/`, '')
      .replaceAll(env['DATA_DIR'] ?? '', '/etc/zonewright')
      .replaceAll(/127\.0\.0\.1:\d+\/\w+/g, 'db.b.example/zonewright');
  };
}

async function addPasskey(open: Shell['open'], email: string): Promise<string> {
  const installation = await open();
  const { id } = await installation.database.one<{ id: string }>(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name, transports, backed_up)
     SELECT gen_random_uuid(), id, 'q83vASNFZ4mrze8BI0VniQ', '', 0, 'Laptop', '{}', false FROM users WHERE email = $1
     RETURNING id`,
    email,
  );
  await installation.close();
  return id;
}

async function enableTwoFactor(open: Shell['open'], email: string): Promise<void> {
  const installation = await open();
  const { id } = await installation.database.one('SELECT id FROM users WHERE email = $1', email);
  await installation.unitOfWork.run(({ twoFactors }) =>
    twoFactors
      .begin({ user: id, secret: 'SECRET' as TotpSecret, lifetimeSeconds: 60 })
      .andThen(() => twoFactors.enable(id, { confirmed: true })),
  );
  await installation.close();
}

async function linkProvider(open: Shell['open'], email: string): Promise<void> {
  const installation = await open();
  const { id: userId } = await installation.database.one('SELECT id FROM users WHERE email = $1', email);
  const identity = { id: IdentityId.parse('01a2153a-8468-739b-806f-69b52371772d'), provider: ProviderId.parse('corp') };
  const subject = { issuer: 'https://login.example.com', subject: '42', email: Email.parse(email) };
  await installation.unitOfWork.run(({ identities }) => identities.link({ ...identity, ...subject, userId }));
  await installation.close();
}

/** Commands of the help without a transcript, and options missing from the transcripts of their command. */
export async function missingTranscripts({ run }: Shell): Promise<readonly string[]> {
  const shown = [...readFileSync(page, 'utf8').matchAll(block)].map(
    ([, , command = '', printed = '']) => `${command.trim()}\n${printed}`,
  );
  const missingBelow = async (path: string): Promise<readonly string[]> => {
    const { out } = await run(`${path} --help`.trim());
    const names = [...out.matchAll(new RegExp(`^ {2}zonewright ${path}${path && ' '}([\\w-]+)`, 'gm'))];
    const below = await Promise.all(names.map(([, name = '']) => missingBelow(`${path} ${name}`.trim())));
    if (names.length > 0) return below.flat();
    const own = shown.filter((text) => text.startsWith(path));
    const options = [...out.matchAll(/^ {2,}(?:-\w, +)?(--[\w-]+)/gm)].map(([, name = '']) => name);
    const unseen = options.filter(
      (name) => !['--help', '--version', '--json', '--yes'].includes(name) && !own.some((text) => text.includes(name)),
    );
    return [...(own.length === 0 ? [path] : []), ...unseen.map((name) => `${path} ${name}`)];
  };
  return missingBelow('');
}
