import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ask, openEdge } from '../support/edge.ts';
import { httpOrigin } from '../support/origin.ts';
import { originOn, servedZone } from '../support/zones.ts';

describe('HTTPS with a certificate of its own', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'edge-tls-'));
  after(() => rmSync(stateDir, { recursive: true }));

  it('is the same zone with the scheme https, and the certificate stays', async () => {
    const origin = await httpOrigin();
    const edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })], { stateDir, tlsPort: 0 });
    const ca = readFileSync(join(stateDir, 'tls-certificate.pem'), 'utf8');
    const headers = { host: 'a.example' };
    const sent = request({
      host: 'localhost',
      family: 4,
      port: edge.tlsPort,
      servername: 'localhost',
      headers,
      ca,
      agent: false,
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    await ask(edge);
    const schemes = origin.received.map(({ headers: given }) => given['x-forwarded-proto']);
    expect([response.statusCode, schemes]).to.deep.equal([200, ['https', 'http']]);
    await edge.close(0);
    await (await openEdge([], { stateDir, tlsPort: 0 })).close(0);
    expect(readFileSync(join(stateDir, 'tls-certificate.pem'), 'utf8')).to.equal(ca);
    await origin.close();
  });
});
