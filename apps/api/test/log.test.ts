import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { openLog, openOutput } from '../src/observability/log.ts';
import { terminalLog } from '../src/observability/terminal-log.ts';

/** A logger and the lines it has written. */
function aLog() {
  const lines: string[] = [];
  return { log: openLog({ write: (line) => lines.push(line) }), lines };
}

const names = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-token',
  'password',
  'token',
  'refreshToken',
  'challengeToken',
  'code',
  'secret',
  'otpauthUri',
  'qrDataUri',
  'recoveryCodes',
  'plainToken',
  'banToken',
];

describe('openLog', () => {
  for (const name of names) {
    it(`masks every value of ${name}, at any depth and in any case`, () => {
      const { log, lines } = aLog();
      const hushed = { [name]: 'hush', [name.toUpperCase()]: ['hush'] };
      log.warn({ ...hushed, requestId: 'r1', body: hushed, list: [hushed], request: { headers: hushed } }, 'reported');
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include('[redacted]').and.include('"requestId":"r1"').and.not.include('hush');
    });
  }

  it('writes everything else unchanged', () => {
    const { log, lines } = aLog();
    const reported = {
      requestId: 'r1',
      route: '/api/zones',
      status: 200,
      at: new Date(0),
      counts: [1, null, { of: 'x' }],
    };
    log.info(reported, 'request');
    expect(JSON.parse(lines[0] ?? '')).to.deep.include(JSON.parse(JSON.stringify(reported)));
  });

  it('keeps the code of an error, which names its cause', () => {
    const { log, lines } = aLog();
    const cause = Object.assign(new Error('lost'), { code: 'ECONNRESET', token: 'hush' });
    log.error({ err: new Error('failed', { cause }) }, 'request failed');
    log.error(cause);
    expect(lines).to.have.length(2);
    for (const line of lines) expect(line).to.include('"code":"ECONNRESET"').and.not.include('hush');
  });

  it('does not modify logged objects', () => {
    const { log } = aLog();
    const entry = { token: 'kept', body: { token: 'kept' } };
    log.info(entry);
    expect(entry).to.deep.equal({ token: 'kept', body: { token: 'kept' } });
  });

  it('drops and reports a line that cannot be formatted or written, and never throws', () => {
    let lost = 0;
    const onLost = () => {
      lost += 1;
    };
    const write = () => {
      throw new Error('no space left on device');
    };
    const unreadable = {
      get trap(): never {
        throw new Error('a trap');
      },
    };
    openLog({ write }, onLost).fatal({ err: new Error('reported') }, 'reported');
    openLog({ write: () => undefined }, onLost)
      .child({})
      .info(unreadable);
    openLog({ write }).info('reported');
    expect(lost).to.equal(2);
  });

  it('writes a circular object', () => {
    const { log, lines } = aLog();
    const circle: Record<string, unknown> = { name: 'round' };
    circle['self'] = circle;
    log.info({ circle });
    expect(lines[0]).to.include('round');
  });
});

// Their files stay open: buffered lines are retried until the process exits.
describe('openOutput', () => {
  if (existsSync('/dev/full')) {
    it('buffers 1 MiB of lines for a full disk, and drops the rest', () => {
      const file = openSync('/dev/full', 'w');
      let lost = 0;
      const log = openLog(openOutput(file, { onLost: () => (lost += 1) }));
      const line = 'x'.repeat(1000);
      for (let count = 0; count < 900; count += 1) log.info(line);
      expect(lost).to.equal(0);
      for (let count = 0; count < 900; count += 1) log.info(line);
      expect(lost).to.be.within(750, 900);
    });

    it('discards what a full disk does not accept when the process exits', () => {
      const file = openSync('/dev/full', 'w');
      const output = openOutput(file, { onLost: () => undefined });
      openLog(output).fatal('reported');
      output.flushSync();
    });
  }

  it('writes buffered lines in order, including those left at exit', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'zonewright-log-')), 'log');
    const file = openSync(path, 'a');
    const output = openOutput(file, { onLost: () => undefined });
    const log = openLog(output);
    const written = () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).count);
    const counted = Array.from({ length: 1000 }, (_, count) => count);
    log.info({ count: 0 });
    expect(written()).to.deep.equal([]);
    for (const count of counted.slice(1)) log.info({ count });
    expect(written().length).to.be.within(900, 999);
    output.flushSync();
    expect(written()).to.deep.equal(counted);
    log.info({ count: 'waiting' });
    log.fatal({ count: 'fatal' });
    expect(written().slice(1000)).to.deep.equal(['waiting', 'fatal']);
    await rm(dirname(path), { recursive: true });
  });
});

describe('terminalLog', () => {
  it('prints the event in a line, with the details below', async () => {
    const lines: string[] = [];
    const log = openLog(await terminalLog({ write: (text) => lines.push(stripVTControlCharacters(text)) }));
    const request = { requestId: 'r', method: 'GET', status: 200, durationMs: 4 };
    log.info({ ...request, route: '/api/zones/:id' }, 'request');
    log.info({ ...request, status: 404 }, 'request');
    log.warn({ reason: 'SMTP ETLS' }, 'mail not accepted');
    expect(lines.map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] /, ''))).to.deep.equal([
      'INFO: GET /api/zones/:id 200 in 4 ms\n',
      'INFO: GET (unknown path) 404 in 4 ms\n',
      'WARN: mail not accepted\n    reason: "SMTP ETLS"\n',
    ]);
  });

  it('prints the lines of an edge beside the service as such, and not how it asks for changes', async () => {
    const lines: string[] = [];
    const terminal = await terminalLog({ write: (text) => lines.push(stripVTControlCharacters(text)) });
    const request = { time: '2026-11-26T03:39:18.328Z', type: 'request', attempts: 1, cache: 'pass', complete: true };
    const of = { method: 'GET', host: 'shop.localhost', path: '/cart', status: 200, disposition: 'serve' };
    terminal.write(`${JSON.stringify({ ...request, ...of, milliseconds: 2.3 })}\n`);
    terminal.write(
      `${JSON.stringify({ level: 30, time: 1, pid: 1, hostname: 'a', name: 'zonewright-edge', msg: 'enrolled' })}\n`,
    );
    const asked = { method: 'GET', route: '/edge/v1/changes', durationMs: 4 };
    for (const status of [200, 401]) terminal.write(`${JSON.stringify({ level: 30, time: 1, ...asked, status })}\n`);
    expect(lines.map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] /, ''))).to.deep.equal([
      'INFO: edge: GET shop.localhost/cart 200 (serve) in 2.3 ms\n',
      'INFO: edge: enrolled\n',
      'INFO: GET /edge/v1/changes 401 in 4 ms\n',
    ]);
  });
});
