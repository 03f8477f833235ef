import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import getPort from 'get-port';
import { openBrowser } from '../browser/support/chromium.ts';
import { giveSession } from '../browser/support/visit.ts';
import { until } from '../faults/support/until.ts';
import { aRegistration, aVerifiedUser, aZone } from '../support/arrange.ts';
import { defaultLimits } from '../support/config.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';

const deploy = join(import.meta.dirname, '../../deploy');

/** What people open; the pages of mails ask for nothing without a token. */
const pages = ['/', '/profile', '/explain', '/api/docs', '/sign-in', '/verify-email', '/reset-password', '/nowhere'];

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Sends a request; certificates are not checked, because the test makes its own. */
const ask = async (url: string, headers: IncomingHttpHeaders = {}, body?: string): Promise<Reply> => {
  const send = url.startsWith('https:') ? requestEncrypted : requestPlain;
  const method = body === undefined ? 'GET' : 'POST';
  const sent = send(url, { method, headers, rejectUnauthorized: false, agent: false }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode ?? 0, headers: response.headers };
};

describe('The shipped files for reverse proxies', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-proxies-'));
  let service: MemoryService;
  let proxy: ChildProcess | undefined;

  before(async () => {
    service = await openMemoryService({
      trustedProxies: ['127.0.0.1'],
      rateLimits: { ...defaultLimits().rateLimits, register: { points: 2, seconds: 3600 } },
    });
  });
  afterEach(async () => {
    if (proxy !== undefined && proxy.exitCode === null && proxy.kill()) await once(proxy, 'close');
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (program: string, args: readonly string[], env: NodeJS.ProcessEnv, url: string) => {
    proxy = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
    const failed = once(proxy, 'error').then(([cause]) => {
      throw new Error(`${program} is missing; on Debian: apt-get install nginx-light caddy`, { cause });
    });
    const answers = () =>
      ask(`${url}/healthz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await Promise.race([until(answers), failed]);
  };

  /** Two registrations exhaust the budget of a network, whatever the client claims. */
  async function expectOneNetwork(url: string): Promise<void> {
    const statuses: number[] = [];
    for (const claimed of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      const body = JSON.stringify(aRegistration());
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': claimed };
      statuses.push((await ask(`${url}/api/auth/register`, headers, body)).status);
    }
    expect(statuses.at(-1)).to.equal(429);
  }

  /** In a browser with a session, no page is shown with a failure of the reverse proxy. */
  async function expectPages(url: string): Promise<void> {
    const ada = await aVerifiedUser(service);
    await aZone(ada);
    const context = await (await openBrowser()).newContext({ ignoreHTTPSErrors: true });
    try {
      const page = await context.newPage();
      await giveSession(page, { ...ada, url });
      const failed: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 500) failed.push(`${response.status()} ${response.url()}`);
      });
      for (const path of pages) {
        await page.goto(`${url}${path}`, { waitUntil: 'networkidle' });
        expect(failed, path).to.deep.equal([]);
      }
      await page.goto(`${url}/profile`);
      await page.getByText('Nothing has happened yet.').waitFor();
    } finally {
      await context.close();
    }
  }

  it('make nginx serve with TLS, redirect from HTTP, and tell the service who asks', async () => {
    const [plain, encrypted] = [await getPort({ host: '127.0.0.1' }), await getPort({ host: '127.0.0.1' })];
    const key = join(folder, 'key.pem');
    const certificate = join(folder, 'certificate.pem');
    const request = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${certificate}`;
    execFileSync('openssl', request.split(' '), { stdio: 'ignore' });
    const site = readFileSync(join(deploy, 'nginx-site.conf'), 'utf8')
      .replaceAll(/^ *listen \[::\]:.*$/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('listen 443 ', `listen 127.0.0.1:${encrypted} `)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
      .replace('http://127.0.0.1:3000', service.url);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
      http { access_log off; ${paths.join(' ')} ${site} }`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    const url = `https://127.0.0.1:${encrypted}`;
    await start('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {}, url);
    const redirect = await ask(`http://127.0.0.1:${plain}/api/zones?page=2`, { host: 'zones.example.com' });
    expect([redirect.status, redirect.headers.location]).to.deep.equal([
      308,
      'https://zones.example.com/api/zones?page=2',
    ]);
    const large = JSON.stringify({ name: 'x'.repeat(1_400_000) });
    expect((await ask(`${url}/api/zones`, { 'content-type': 'application/json' }, large)).status).to.equal(401);
    await expectOneNetwork(url);
    await expectPages(url);
  });

  it('make Caddy pass requests on, and tell the service who asks', async () => {
    const url = `http://127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
    const env = { DOMAIN: url, UPSTREAM: service.url.replace('http://', ''), HOME: folder, XDG_DATA_HOME: folder };
    await start('caddy', ['run', '--config', join(deploy, 'Caddyfile'), '--adapter', 'caddyfile'], env, url);
    expect((await ask(`${url}/readyz`)).status).to.equal(200);
    await expectOneNetwork(url);
    await expectPages(url);
  });
});
