import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { shell } from './support.ts';

const page = join(import.meta.dirname, '../../../docs/command-line.md');

/** Masks what varies between runs: ids, times, names, passwords, paths, versions and column widths. */
const masked = (output: string): string =>
  output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/demo-[0-9a-f]{8}@/g, 'demo-<name>@')
    .replaceAll(/Demo-\S+-1\b/g, '<password>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b[0-9a-f]{12}\b/g, '<kid>')
    .replaceAll(/PostgreSQL [^\n]+/g, 'PostgreSQL')
    .replaceAll(/(?:applied \d{4}_\w+\n)+/g, 'applied <migrations>\n')
    .replaceAll(/is missing \d+ migrations/g, 'is missing <n> migrations')
    .replaceAll(/\(\w+\)"/g, '(<system user>)"')
    .replaceAll(/ {2,}/g, '  ')
    .trimEnd();

/** The page's transcripts in order: each is a command after `$` and its output. */
const block = /```console\n\$ zonewright (.*)\n([^]*?)```/g;

describe('docs/command-line.md', function () {
  this.timeout(60_000);
  const { env, run } = shell();
  const path = process.env['PATH'];
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-transcripts-'));
  // Hides PostgreSQL programs installed on this machine.
  before(() => {
    process.env['PATH'] = folder;
  });
  after(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  it('shows what every command prints', async () => {
    const text = readFileSync(page, 'utf8');
    const known: Record<string, string> = {};
    const zoneId = async () => /"zone":"([^"]+)"/.exec((await run('audit-log')).out)?.[1] ?? '';
    const real: string[] = [];
    const shown: string[] = [];
    for (const [, command = '', printed = ''] of text.matchAll(block)) {
      if (command.includes('<zone>')) known['zone'] = await zoneId();
      const given = command
        .replaceAll(/\b\w+\.(?:json|dump)\b/g, (name) => join(folder, name))
        .replace(/<(\w+)>/, (_, name: string) => known[name] ?? '')
        .replace(/ < \S+$/, '');
      const { out, err } = await run(given, { stdin: 'Correct-Horse-7\n' });
      known['kid'] = /Added key (\w+)/.exec(out)?.[1] ?? known['kid'] ?? '';
      real.push(`${out}${err}`.replaceAll(`${folder}/`, '').replaceAll(env['DATA_DIR'] ?? '', '/etc/zonewright'));
      shown.push(printed);
    }
    if (process.env['WRITE_TRANSCRIPTS'] === '1') {
      writeFileSync(
        page,
        text.replace(block, (_, command: string) => `\`\`\`console\n$ zonewright ${command}\n${real.shift()}\`\`\``),
      );
    } else {
      expect(shown.map(masked)).to.deep.equal(real.map(masked));
    }
  });

  it('shows every command there is', async () => {
    const text = readFileSync(page, 'utf8');
    const { out } = await run('--help');
    // The output of completion is a script.
    const commands = [...out.matchAll(/^ {2}zonewright ([\w-]+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'completion');
    expect(commands).to.have.length.above(10);
    expect(commands.filter((name) => !new RegExp(`^\\$ zonewright ${name}\\b`, 'm').test(text))).to.deep.equal([]);
  });
});
