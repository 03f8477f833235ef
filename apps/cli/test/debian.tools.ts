import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type DebianPostgres, startDebianPostgres } from './debian-postgres.ts';

const deploy = join(import.meta.dirname, '../../api/deploy');
const unit = readFileSync(join(deploy, 'zonewright.service'), 'utf8');
const settingOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
/** Any user that is not root; the unit's is created by an administrator. */
const user = 'nobody';
const port = '39217';

/** A server that accepts every mail; prints its port. */
const mailServerProgram = `
  const [key, cert] = process.argv.slice(1).map((path) => require('fs').readFileSync(path));
  const server = require('tls').createServer({ key, cert }, (socket) => {
    socket.on('error', () => {});
    socket.write('220 ready\\r\\n');
    socket.on('data', () => socket.write('250 yes\\r\\n'));
  });
  server.listen(0, () => process.stdout.write(String(server.address().port)));`;

/**
 * "Debian in ten steps" of docs/operations.md, as root, as far as a machine without systemd can take them: with the
 * unit's command, variables, owners and modes, below another root. Needs `pnpm build`.
 */
describe('Debian in ten steps', function () {
  this.timeout(120_000);
  const root = mkdtempSync(join(tmpdir(), 'zonewright-debian-'));
  const below = (text: string): string =>
    text.replaceAll('/opt/zonewright', join(root, 'opt')).replaceAll('/etc/zonewright', join(root, 'etc'));
  const environment = join(root, 'etc/environment');
  const keys = join(root, 'etc/keys.json');
  let server: DebianPostgres;
  let service: ChildProcess | undefined;

  before(async () => {
    chmodSync(root, 0o755);
    mkdirSync(join(root, 'database'));
    server = await startDebianPostgres(join(root, 'database'), ['zonewright']);
    execFileSync(process.execPath, [join(deploy, 'tree.mjs'), join(root, 'opt')]);
    mkdirSync(join(root, 'etc'), { mode: 0o755 });
    copyFileSync(join(deploy, 'environment.example'), environment);
    const changed = readFileSync(environment, 'utf8').replace(
      /^DATABASE_URL=.*$/m,
      `DATABASE_URL=${server.urlOf('zonewright')}`,
    );
    writeFileSync(environment, `${changed}KEYS_FILE=${keys}\nPORT=${port}\n`, { mode: 0o600 });
    chmodSync(environment, 0o600);
  });
  after(async () => {
    if (service?.exitCode === null && service.kill()) await once(service, 'close');
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** The command line of the tree, as root, with the environment of the unit only. */
  const zonewright = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(root, 'opt/bin/zonewright'), args, {
      env: { PATH: process.env['PATH'], ZONEWRIGHT_ENVIRONMENT: environment },
      encoding: 'utf8',
    });
    return { status, text: `${stdout}${stderr}` };
  };

  /** Starts the unit's command as the service's user; resolves to its answer. */
  async function served(): Promise<unknown> {
    const variables = readFileSync(environment, 'utf8').matchAll(/^([A-Z_]+)="?([^"\n]*)"?$/gm);
    const given = [...variables].map(([, name = '', value = '']) => `${name}=${value}`);
    const command = below(settingOf('ExecStart')).replace('/usr/bin/node', process.execPath).split(' ');
    const environmentOfUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, setting = '']) => below(setting));
    service = spawn('runuser', ['-u', user, '--', 'env', '-i', ...given, ...environmentOfUnit, ...command], {
      cwd: below(settingOf('WorkingDirectory')),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      if (answer !== undefined) return answer.json();
      if (service.exitCode !== null) throw new Error('The service has ended.');
      await delay(100);
    }
  }

  const owned = (path: string) => {
    const { uid, mode } = statSync(path);
    return [uid, mode & 0o777];
  };

  it('make keys that the service can read and only root can change', async () => {
    const uid = Number(execFileSync('id', ['-u', user]));
    expect(zonewright('keys', 'create').text).to.match(/^Created /);
    execFileSync('chown', [`${user}:`, keys]);
    expect(zonewright('migrate').status).to.equal(0);
    expect(zonewright('keys', 'rotate', 'jwt').text).to.match(/^Added key /);
    expect([owned(keys), owned(environment)]).to.deep.equal([
      [uid, 0o600],
      [0, 0o600],
    ]);
    expect(zonewright('check').text).to.match(/^ok +keys .*\nok +database .*\nok +migrations /m);
    expect(await served()).to.deep.include({ status: 'ok' });
  });

  it('let the command line trust the certificate authorities of the environment, as the unit does', async () => {
    const [key, certificate] = [join(root, 'ca.key'), join(root, 'ca.pem')];
    const request =
      'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
    execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    // As a process of its own, because the command line is waited for.
    const mailServer = spawn(process.execPath, ['-e', mailServerProgram, key, certificate], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(mailServer.stdout, 'data')) as [Buffer];
    const usual = readFileSync(environment, 'utf8');
    const mails = usual.replace(/^SMTP_URL=.*$/m, `SMTP_URL=smtps://localhost:${line.toString()}`);
    try {
      writeFileSync(environment, mails);
      expect(zonewright('check').text).to.match(/FAILED +mail .*SELF_SIGNED/);
      writeFileSync(environment, `${mails}NODE_EXTRA_CA_CERTS=${certificate}\n`);
      expect(zonewright('check').text).to.match(/^ok +mail /m);
      expect(zonewright('users', 'show', 'nobody@example.com').status).to.equal(1);
    } finally {
      writeFileSync(environment, usual);
      mailServer.kill();
    }
  });

  it('have a command line that makes users and backups', () => {
    const created = zonewright(
      'users',
      'create',
      '--email',
      'ada@example.com',
      '--first-name',
      'Ada',
      '--last-name',
      'L',
    );
    expect(created.text).to.match(/^Created user .* A mail .* is queued\.\n$/);
    expect(zonewright('backup', join(root, 'etc/first.dump')).text).to.match(/^Wrote /);
  });

  it('have units that systemd accepts', () => {
    const units = ['zonewright.service', 'zonewright-backup.service', 'zonewright-backup.timer'].map((name) => {
      const path = join(root, name);
      writeFileSync(path, below(readFileSync(join(deploy, name), 'utf8')).replace('/usr/bin/node', process.execPath));
      return path;
    });
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).to.equal(0);
  });
});
