import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import { shell } from './support.ts';
import { expectTranscripts, missingTranscripts } from './transcripts.ts';

describe('docs/command-line.md', function () {
  this.timeout(60_000);
  const terminal = shell();
  const { PATH: path, SHELL: usualShell } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-transcripts-'));
  const variables: Record<string, string> = {};
  // A second installation on the same server, the target of moves.
  before(async () => {
    const here = terminal.env['DATABASE_URL'] ?? '';
    const there = new URL('/elsewhere', here).href;
    const database = openDatabase({ url: here, connections: 1 });
    await database.none('CREATE DATABASE elsewhere');
    await database.$pool.end();
    await migrate(there);
    Object.assign(variables, { DATABASE_URL: there, TARGET_DATABASE_URL: there });
  });
  // Hides PostgreSQL programs installed on this machine; completion is a script for bash.
  before(() => {
    Object.assign(process.env, { PATH: folder, SHELL: '/bin/bash' });
  });
  after(() => {
    Object.assign(process.env, { PATH: path, SHELL: usualShell ?? '' });
    rmSync(folder, { recursive: true });
  });

  it('shows the output of every command', () => expectTranscripts(terminal, 'withoutPrograms', { folder, variables }));

  it('shows every command and option listed in the help', async () => {
    expect(await missingTranscripts(terminal)).to.deep.equal([]);
  });
});
