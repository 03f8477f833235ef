import { expect } from 'chai';
import { all } from '../../../../packages/engine/test/zones.ts';
import { requestLog } from '../../src/log/request-log.ts';
import { ask, entriesOf, openEdge, raw } from '../support/edge.ts';
import { httpOrigin } from '../support/origin.ts';
import { originOn, servedZone } from '../support/zones.ts';

describe('The log of requests', () => {
  it('says who asked if configured to', async () => {
    const facts = { country: () => 'CZ', asn: () => null, close: () => undefined };
    const edge = await openEdge([servedZone({})], { logsClients: true, trustedProxies: ['127.0.0.1'] }, { facts });
    await ask(edge, '/', { headers: { 'X-Forwarded-For': '192.0.2.7', 'User-Agent': 'x'.repeat(1000) } });
    const [{ client } = {}] = await entriesOf(edge, 1);
    expect(client).to.deep.equal({ address: '192.0.2.7', country: 'CZ', userAgent: 'x'.repeat(300) });
    await edge.close();
  });

  it('has one JSON line for each, with nothing secret', async () => {
    const origin = await httpOrigin();
    const access = [{ conditions: all('uri equals /block'), action: 'block' }];
    const edge = await openEdge([servedZone({ access, backends: [originOn(origin.port)] })]);
    const secrets = {
      Authorization: 'Bearer secret1',
      Cookie: 'session=secret2',
      'X-Ban-Token': 'ban_secret3',
      Referer: 'http://x/?secret4',
    };
    await ask(edge, '/a/%7eb?token=secret5', { headers: secrets, method: 'POST', body: 'secret6' });
    await ask(edge, '/block?secret7');
    await ask(edge, '/', { headers: { Host: 'Other.example:80' } });
    await raw(edge, 'GET /secret9 HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n');
    await raw(edge, 'GET /secret10 HTTP/1.1\r\nHost: a.example\r\nX-secret11\r\n\r\n');
    await raw(edge, 'CONNECT secret12.example:443 HTTP/1.1\r\nHost: secret12.example:443\r\n\r\n');
    await raw(edge, 'GET * HTTP/1.1\r\nHost: a.example\r\n\r\n');
    const entries = await entriesOf(edge, 7);
    const lines: string[] = [];
    const log = requestLog(
      (text) => lines.push(text),
      () => new Date(0),
    );
    for (const entry of entries) log.write(entry);
    expect(lines).to.deep.equal([]);
    log.flush();
    const [text = ''] = lines;
    expect(text).to.not.match(/secret/);
    const read = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(read[0]).to.include({
      time: '1970-01-01T00:00:00.000Z',
      type: 'request',
      zone: 'zone-1',
      disposition: 'serve',
      method: 'POST',
      host: 'a.example',
      path: '/a/~b',
      status: 200,
      origin: 'origin-1',
      attempts: 1,
      cache: 'pass',
      complete: true,
    });
    expect(read[0].milliseconds).to.be.at.least(read[0].originMilliseconds);
    expect(read[1]).to.include({ disposition: 'block', rule: 'access1', path: '/block', status: 403, cache: 'none' });
    expect(read[2]).to.include({ disposition: 'refused', status: 421, host: 'other.example' });
    expect(read[3]).to.include({ disposition: 'refused', status: 400 });
    const unparsed = { type: 'request', disposition: 'unparsed', status: 400, attempts: 0, cache: 'none' };
    for (const each of read.slice(4, 6)) expect(each).to.include(unparsed).and.to.not.have.any.keys('method', 'path');
    expect(read[6]).to.include({ disposition: 'rejected', status: 400, host: 'a.example' });
    await edge.close(0);
    await origin.close();
  });

  it('is written a tenth of a second later, or when there is much of it', async () => {
    const lines: string[] = [];
    let wrote: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (wrote = resolve));
    const log = requestLog((text) => {
      lines.push(text);
      wrote();
    });
    const entry = {
      disposition: 'serve',
      method: 'GET',
      status: 200,
      attempts: 1,
      cache: 'pass',
      complete: true,
      milliseconds: 1,
    } as const;
    log.write(entry);
    expect(lines).to.deep.equal([]);
    await written;
    for (let count = 0; count < 500; count += 1) log.write(entry);
    expect(lines.length).to.be.greaterThan(2);
  });
});
