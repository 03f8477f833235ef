import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { all, documentOf } from './zones.ts';

const page = readFileSync(new URL('../../../docs/embedding.md', import.meta.url), 'utf8');
const [, program = ''] = /^```js\n(import [^]*?)^```/m.exec(page) ?? [];

describe('the reverse proxy of docs/embedding.md', function () {
  this.timeout(30_000);
  let origin: Server;
  let proxy: ChildProcess;
  let folder: string;
  let url: string;

  before(async () => {
    origin = createServer(({ url: target, headers }, response) => {
      response.setHeader('Server', 'origin').end(`${target} ${headers.host} ${[headers['x-own']].flat().join()}`);
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    // Inside the package, so that its name resolves, and where no linter looks.
    const dist = join(import.meta.dirname, '../dist');
    mkdirSync(dist, { recursive: true });
    folder = mkdtempSync(join(dist, 'proxy-'));
    const zone = documentOf({
      settings: { headersRequestSet: [{ name: 'X-Own', value: 'yes' }], headersResponseRemove: ['Server'] },
      access: [{ action: 'block', conditions: all('uri starts_with /admin') }],
      rewrites: [
        { operator: 'equals', sourcePattern: '/old', target: '/new', type: 'redirect', statusCode: 301 },
        { operator: 'starts_with', sourcePattern: '/a/', target: '/b/' },
      ],
    });
    const { port } = origin.address() as AddressInfo;
    const server = { id: 'origin-1', protocol: 'http', address: '127.0.0.1', port, requestHostname: 'inner.example' };
    writeFileSync(join(folder, 'zone.json'), JSON.stringify({ zone, backends: { originServers: [server] } }));
    writeFileSync(join(folder, 'proxy.mjs'), program);
    // With the build of the full check if there is one, otherwise from source.
    const isBuilt = process.env['ZONEWRIGHT_TEST_BUILD'] === '1';
    const options = isBuilt ? [] : ['--conditions=@zonewright/source', '--import', 'tsx'];
    proxy = spawn(process.execPath, [...options, join(folder, 'proxy.mjs'), join(folder, 'zone.json')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(proxy.stdout ?? expect.fail(), 'data')) as [Buffer];
    url = `http://127.0.0.1:${line.toString().trim()}`;
  });
  after(() => {
    proxy.kill();
    origin.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is short', () => {
    expect(program.split('\n').filter((line) => line !== '')).to.have.length.below(36);
  });

  it('serves, rewrites, redirects and blocks as configured', async () => {
    const served = await fetch(`${url}/a/%78?q`);
    expect([served.status, served.headers.get('server'), await served.text()]).to.deep.equal([
      200,
      null,
      '/b/x?q inner.example yes',
    ]);
    const moved = await fetch(`${url}/old?x`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).to.deep.equal([301, '/new?x']);
    expect((await fetch(`${url}/%61dmin`)).status).to.equal(403);
  });
});
