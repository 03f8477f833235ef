import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { shell } from './support.ts';
import { expectTranscripts, missingTranscripts } from './transcripts.ts';

describe('docs/command-line.md', function () {
  this.timeout(60_000);
  const terminal = shell();
  const { PATH: path, SHELL: usualShell } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-transcripts-'));
  // Hides PostgreSQL programs installed on this machine; completion is a script for bash.
  before(() => {
    Object.assign(process.env, { PATH: folder, SHELL: '/bin/bash' });
  });
  after(() => {
    Object.assign(process.env, { PATH: path, SHELL: usualShell ?? '' });
    rmSync(folder, { recursive: true });
  });

  it('shows the output of every command', () => expectTranscripts(terminal, 'withoutPrograms', { folder }));

  it('shows every command and option listed in the help', async () => {
    expect(await missingTranscripts(terminal)).to.deep.equal([]);
  });
});
