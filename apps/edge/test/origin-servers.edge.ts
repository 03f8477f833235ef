import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { ensurePackages, type Program, startProgram } from '../../api/test/databases/support/debian.ts';
import { openEdge, type TestEdge } from './support/edge.ts';
import { answeredWithSecret, bypassing, guarded, guardNames, others, secret } from './support/secret-spellings.ts';
import { servedZone } from './support/zones.ts';

/** Debian's default configuration, without what is not for tests: the user, and its places. */
const nginxConfiguration = (port: number, folder: string): string => `
worker_processes auto;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  ssl_prefer_server_ciphers on;
  access_log ${folder}/access.log;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  gzip on;
  server {
    listen 127.0.0.1:${port} default_server;
    root ${folder}/www;
    index index.html index.htm index.nginx-debian.html;
    server_name _;
    location / { try_files $uri $uri/ =404; }
  }
}
`;

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  // It listens on a port, not on a path.
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}

const servers = {
  nginx(port: number, folder: string): Program {
    const path = join(folder, 'nginx.conf');
    writeFileSync(path, nginxConfiguration(port, folder));
    return startProgram('/usr/sbin/nginx', ['-c', path, '-p', folder], { cwd: folder });
  },
  'the server of Python': (port: number, folder: string): Program => {
    const root = join(folder, 'www');
    const options = ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', root, String(port)];
    return startProgram('/usr/bin/python3', options, { cwd: folder });
  },
} as const;

for (const [name, start] of Object.entries(servers)) {
  describe(`What a path of ${name} is protected by`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-origin-'));
    let port: number;
    let server: Program;
    let edge: TestEdge;

    before(async function () {
      this.timeout(120_000);
      ensurePackages({ 'nginx-light': '/usr/sbin/nginx', python3: '/usr/bin/python3' });
      // Workers of nginx run as another user.
      chmodSync(folder, 0o755);
      mkdirSync(join(folder, 'www/public'), { recursive: true });
      mkdirSync(join(folder, 'www/secret'));
      writeFileSync(join(folder, 'www', secret.path), secret.text);
      port = await freePort();
      server = start(port, folder);
      const isUp = async () => (await fetch(`http://127.0.0.1:${port}${secret.path}`).catch(() => undefined))?.ok;
      while ((await isUp()) !== true) await pause(20);
      edge = await openEdge([]);
    });
    after(async () => {
      await edge.close(0);
      await server.end();
      rmSync(folder, { recursive: true });
    });

    for (const guard of guardNames) {
      it(`is behind ${guard}, however it is spelled`, async () => {
        edge.replace(servedZone(guarded(guard, port, {})));
        expect(await answeredWithSecret(edge, [...bypassing, ...others])).to.deep.equal([]);
        // With the other setting the same spellings show that the server is one that has to be guarded like this.
        edge.replace(servedZone(guarded(guard, port, { pathNormalization: 'rfc3986' })));
        expect(await answeredWithSecret(edge, bypassing)).to.deep.equal([...bypassing]);
      });
    }
  });
}
