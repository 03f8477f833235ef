import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type DebianPostgres, startDebianPostgres } from './debian-postgres.ts';
import { shell } from './support.ts';
import { expectTranscripts } from './transcripts.ts';

/**
 * Backups with the real PostgreSQL programs, whose version must match the server's: both from the distribution
 * (Debian's `postgresql`). Run by `pnpm test tools`, because the check requires only Node.
 */
describe('backup and restore', function () {
  this.timeout(120_000);
  const terminal = shell();
  const { env, run, json } = terminal;
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-backup-'));
  let server: DebianPostgres;

  before(async () => {
    server = await startDebianPostgres(folder, ['one', 'two', 'three', 'four', 'five']);
    env['DATABASE_URL'] = server.urlOf('one');
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('restore everything into an empty database, and accept no other file', async () => {
    await run('migrate');
    await json('seed --zones 5');
    const dump = join(folder, 'dump');
    const made = (await json(`backup ${dump}`)) as { rows: Record<string, number> };
    expect(made.rows).to.include({ zones: 5, users: 1 });
    for (const file of [dump, `${dump}.json`]) expect(statSync(file).mode & 0o777, file).to.equal(0o600);
    expect((await run(`backup ${dump}`)).err).to.include('already exists');
    expect((await run(`restore ${dump} --yes`)).err).to.include('The database is not empty');
    const before = (await run('audit-log')).out;
    env['DATABASE_URL'] = server.urlOf('two');
    expect((await run(`restore ${dump} --yes`)).out).to.match(/^Restored and verified \d+ tables\.\n$/);
    expect((await run('audit-log')).out).to.equal(before);
    const manifest = JSON.parse(readFileSync(`${dump}.json`, 'utf8')) as { version: string };
    expect(manifest.version).to.match(/^\d+\.\d+\.\d+$/);
    writeFileSync(`${dump}.json`, JSON.stringify({ ...manifest, version: '99.0.0' }));
    expect((await run(`restore ${dump} --yes`)).err).to.match(/^The backup was made by version 99\.0\.0\. This is /);
    writeFileSync(`${dump}.json`, JSON.stringify(manifest));
    env['DATABASE_URL'] = server.urlOf('five');
    expect((await run(`restore ${dump}`)).err).to.match(/^Restore the backup of \S+ into five at 127\.0\.0\.1:\d+\? /);
    env['DATABASE_URL'] = server.urlOf('two');
    appendFileSync(dump, 'x');
    expect((await run(`restore ${dump} --yes`)).err).to.include('is not the file that was backed up');
  });

  it('print what docs/command-line.md shows', async () => {
    env['DATABASE_URL'] = server.urlOf('three');
    await run('migrate');
    await expectTranscripts(terminal, 'withPrograms', { folder, variables: { DATABASE_URL: server.urlOf('four') } });
  });
});
