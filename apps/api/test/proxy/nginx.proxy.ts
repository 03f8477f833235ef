import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import getPort from 'get-port';
import { until } from '../faults/support/until.ts';
import { aVerifiedUser, aZone, type User } from '../support/arrange.ts';
import { clientOf } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';

/** Compresses what the service has not. Under the second path the service is never asked to compress. */
const configuration = (port: number, service: string, folder: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  gzip on;
  gzip_proxied any;
  gzip_min_length 20;
  gzip_types application/json application/ld+json;
  server {
    listen 127.0.0.1:${port};
    location /as-asked/ { proxy_pass ${service}/; }
    location /as-is/ { proxy_pass ${service}/; proxy_set_header Accept-Encoding ""; }
  }
}
`;

describe('Behind nginx with gzip', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-nginx-'));
  let service: MemoryService;
  let ada: User;
  let nginx: ChildProcess;
  let url: string;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    const port = await getPort({ host: '127.0.0.1' });
    url = `http://127.0.0.1:${port}`;
    const path = join(folder, 'nginx.conf');
    writeFileSync(path, configuration(port, service.url, folder));
    nginx = spawn('nginx', ['-c', path, '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] });
    const failed = once(nginx, 'error').then(([cause]) => {
      throw new Error('nginx is missing; on Debian: apt-get install nginx-light', { cause });
    });
    const answers = () =>
      fetch(`${url}/as-is/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await Promise.race([until(answers), failed]);
  });
  after(async () => {
    if (nginx.exitCode === null && nginx.kill()) await once(nginx, 'close');
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [who, path, weak] of [
    ['the service', '/as-asked', false],
    ['nginx', '/as-is', true],
  ] as const) {
    it(`accepts as If-Match the tag of a response compressed by ${who}`, async () => {
      const client = clientOf(url, { authorization: `Bearer ${ada.token}`, 'accept-encoding': 'gzip' });
      const zone = `${path}/api/zones/${(await aZone(ada)).id}`;
      const { headers } = await client.get(zone);
      const tag = headers.get('etag') ?? '';
      expect([headers.get('content-encoding'), tag.startsWith('W/')]).to.deep.equal(['gzip', weak]);
      expect((await client.get(zone, { 'if-none-match': tag })).status).to.equal(304);
      expect((await client.patch(zone, { tag: 'dev' }, { 'if-match': tag })).status).to.equal(200);
      expect((await client.patch(zone, { tag: 'stage' }, { 'if-match': tag })).status).to.equal(412);
      expect((await client.delete(zone)).status).to.equal(204);
    });
  }
});
