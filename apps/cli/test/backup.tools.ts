import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { shell } from './support.ts';
import { expectTranscripts } from './transcripts.ts';

/**
 * Backups with the real PostgreSQL programs, whose version must match the server's: both from the distribution
 * (Debian's `postgresql`). Run by `pnpm test:tools`, because the check requires only Node.
 */
describe('backup and restore', function () {
  this.timeout(120_000);
  const terminal = shell();
  const { env, run, json } = terminal;
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-backup-'));
  const [version = ''] = readdirSync('/usr/lib/postgresql').toSorted().toReversed();
  const program = (name: string) => `/usr/lib/postgresql/${version}/bin/${name}`;
  const port = '54329';
  let stop = () => {};

  before(async () => {
    const user = { uid: idOf('-u'), gid: idOf('-g') };
    chownSync(folder, user.uid, user.gid);
    const data = join(folder, 'data');
    execFileSync(program('initdb'), ['-D', data, '-U', 'zonewright', '--auth=trust', '-E', 'UTF8'], {
      ...user,
      cwd: folder,
    });
    const flags = [
      '-D',
      data,
      '-c',
      `port=${port}`,
      '-c',
      'unix_socket_directories=',
      '-c',
      'listen_addresses=127.0.0.1',
    ];
    const server = spawn(program('postgres'), flags, { ...user, cwd: folder, stdio: 'ignore' });
    stop = () => server.kill('SIGINT');
    for (const name of ['one', 'two', 'three', 'four', 'five']) await retried(() => create(name));
    process.env['PATH'] = `/usr/lib/postgresql/${version}/bin:${process.env['PATH']}`;
    env['DATABASE_URL'] = urlOf('one');
  });
  after(async () => {
    stop();
    await delay(500);
    rmSync(folder, { recursive: true, force: true });
  });

  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));
  const urlOf = (name: string): string => `postgres://zonewright@127.0.0.1:${port}/${name}`;
  const create = (name: string) =>
    execFileSync(program('createdb'), ['-h', '127.0.0.1', '-p', port, '-U', 'zonewright', name], { stdio: 'ignore' });

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
    env['DATABASE_URL'] = urlOf('two');
    expect((await run(`restore ${dump} --yes`)).out).to.match(/^Restored and verified \d+ tables\.\n$/);
    expect((await run('audit-log')).out).to.equal(before);
    const manifest = JSON.parse(readFileSync(`${dump}.json`, 'utf8')) as { version: string };
    expect(manifest.version).to.match(/^\d+\.\d+\.\d+$/);
    writeFileSync(`${dump}.json`, JSON.stringify({ ...manifest, version: '99.0.0' }));
    expect((await run(`restore ${dump} --yes`)).err).to.match(/^The backup was made by version 99\.0\.0\. This is /);
    writeFileSync(`${dump}.json`, JSON.stringify(manifest));
    env['DATABASE_URL'] = urlOf('five');
    expect((await run(`restore ${dump}`)).err).to.match(/^Restore the backup of \S+ into five at 127\.0\.0\.1:\d+\? /);
    env['DATABASE_URL'] = urlOf('two');
    appendFileSync(dump, 'x');
    expect((await run(`restore ${dump} --yes`)).err).to.include('is not the file that was backed up');
  });

  it('print what docs/command-line.md shows', async () => {
    env['DATABASE_URL'] = urlOf('three');
    await run('migrate');
    await expectTranscripts(terminal, 'withPrograms', { folder, variables: { DATABASE_URL: urlOf('four') } });
  });
});

async function retried(work: () => unknown): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      work();
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await delay(100);
    }
  }
}
