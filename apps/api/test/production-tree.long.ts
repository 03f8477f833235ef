import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openKeys, version } from '@zonewright/configuration';
import { expect } from 'chai';
import getPort from 'get-port';
import { until } from './faults/support/until.ts';
import { freshDatabase } from './support/database.ts';

const deploy = join(import.meta.dirname, '../deploy');

describe('The production tree', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-tree-'));
  const tree = join(folder, 'tree');
  let env: NodeJS.ProcessEnv;

  before(async () => {
    // A no-op in the full check, which has built it.
    execFileSync(process.execPath, [join(deploy, '../bundle.mjs'), '--if-changed']);
    // Without mocha's environment, which would find other packages.
    execFileSync(process.execPath, [join(deploy, 'tree.mjs'), tree], { env: {} });
    const keys = join(folder, 'keys.json');
    expect(openKeys(keys, { createIfMissing: true }).isOk()).to.equal(true);
    const port = await getPort({ host: '127.0.0.1' });
    const { url, database } = await freshDatabase();
    await database.$pool.end();
    env = {
      NODE_ENV: 'production',
      PORT: String(port),
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: url,
      SMTP_URL: 'smtps://127.0.0.1:1',
      MAIL_FROM: 'Zones <zones@example.com>',
      KEYS_FILE: keys,
    };
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is self-contained: documents, pages, Swagger UI, password hashes and the command line work', async () => {
    const server = spawn(process.execPath, ['apps/api/dist/main.js'], {
      cwd: tree,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      for await (const line of createInterface({ input: server.stdout })) if (line.includes('"serving"')) break;
      const base = env['PUBLIC_BASE_URL'] ?? '';
      const statusOf = async (path: string) => (await fetch(`${base}${path}`)).status;
      // On a busy machine the first database connection may take a while.
      await until(async () => (await statusOf('/readyz')) === 200);
      for (const path of ['/', '/api/docs', '/verify-email', '/api/docs.jsonopenapi']) {
        expect(await statusOf(path), path).to.equal(200);
      }
      const page = await (await fetch(`${base}/api/docs`)).text();
      const [, script = ''] = /"([^"]*swagger-ui-bundle\.js)"/.exec(page) ?? [];
      expect(await statusOf(new URL(script, `${base}/api/docs`).pathname)).to.equal(200);
      const registered = await fetch(`${base}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          email: 'ada@example.com',
          password: 'Correct-Horse-7',
          firstName: 'Ada',
          lastName: 'L',
        }),
      });
      expect(registered.status).to.equal(201);
      const shown = execFileSync(
        process.execPath,
        ['apps/api/dist/zonewright.mjs', 'users', 'show', 'ada@example.com'],
        {
          cwd: tree,
          env,
          encoding: 'utf8',
        },
      );
      expect(shown).to.include('emailVerified: false');
    } finally {
      server.kill();
      await once(server, 'exit');
    }
    expect(server.exitCode).to.equal(0);
  });

  it('has an executable command line that reads the environment of the unit, also through a link in the PATH', () => {
    const environment = join(folder, 'environment');
    writeFileSync(
      environment,
      Object.entries(env)
        .filter(([name]) => name !== 'NODE_ENV')
        .map(([name, value]) => `${name}="${value}"\n`)
        .join(''),
      { mode: 0o600 },
    );
    symlinkSync(join(tree, 'bin/zonewright'), join(folder, 'zonewright'));
    const { PATH } = process.env;
    const variables = { PATH, ZONEWRIGHT_ENVIRONMENT: environment };
    const printed = (...args: string[]) =>
      execFileSync(join(folder, 'zonewright'), args, { cwd: '/', env: variables, encoding: 'utf8' });
    expect(printed('--version')).to.equal(`${version}\n`);
    expect(printed('users', 'list')).to.include('ada@example.com');
    expect(printed('keys', 'list')).to.match(/^ring +current +keys\njwt /);
    const completing = `source <(zonewright completion) && type -t _zonewright_yargs_completions`;
    expect(
      execFileSync('bash', ['-c', completing], { env: { ...variables, PATH: `${folder}:${PATH}` }, encoding: 'utf8' }),
    ).to.equal('function\n');
  });

  it('is small, and is never merged into an existing folder', () => {
    const bytes = (path: string): number =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    expect(bytes(tree)).to.be.below(20_000_000);
    const again = () => execFileSync(process.execPath, [join(deploy, 'tree.mjs'), tree], { stdio: 'pipe' });
    expect(again).to.throw(/is not empty/);
  });

  it('has no dependency outside its folder', () => {
    const moved = join(folder, 'moved');
    cpSync(tree, moved, { recursive: true });
    const help = execFileSync(process.execPath, ['apps/api/dist/zonewright.mjs', '--help'], {
      cwd: moved,
      encoding: 'utf8',
    });
    expect(help).to.include('zonewright <command>');
  });

  it('is what the files in the folder start', () => {
    for (const file of ['Dockerfile', 'zonewright.service']) {
      expect(readFileSync(join(deploy, file), 'utf8')).to.include('apps/api/dist/main.js');
    }
  });

  it('is restarted when the process does not answer, never when only the database does not', () => {
    const [, check = ''] = /HEALTHCHECK[^[]*(\[.*\])/.exec(readFileSync(join(deploy, 'Dockerfile'), 'utf8')) ?? [];
    expect(check).to.include('/healthz').and.not.include('/readyz');
  });

  it('is built in an image without history, keys and mails of a checkout', () => {
    const ignored = readFileSync(join(deploy, '../../../.dockerignore'), 'utf8').split('\n');
    expect(ignored).to.include.members(['.git', '**/.data', '**/node_modules', '**/dist']);
  });
});
