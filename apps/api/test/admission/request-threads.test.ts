import { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { pino } from 'pino';
import type { ForwardedRequest } from '../../src/admission/forwarding.ts';
import {
  type ClosableRequestThreads,
  type RequestThreadsOptions,
  requestThreads,
} from '../../src/admission/request-threads.ts';

const program = new URL('./support/obedient-thread.mjs', import.meta.url);
const userOf = (name: string) =>
  UserId.parse(`01900000-0000-7000-8000-${name.codePointAt(0)?.toString().padStart(12, '0')}`);

const requestTo = (url: string, body?: string): ForwardedRequest => ({
  route: { method: 'get', path: '/api/test' },
  params: {},
  method: 'GET',
  url,
  headers: {},
  headersDistinct: {},
  remoteAddress: undefined,
  body: body === undefined ? undefined : new TextEncoder().encode(body),
  requestId: 'the-request',
  admission: { limits: [], isComplete: false },
});

describe('requestThreads', function () {
  this.timeout(30_000);
  let threads: ClosableRequestThreads;
  let log: Readonly<Record<string, unknown>>[];
  const opened = (options: Partial<RequestThreadsOptions> = {}) => {
    log = [];
    const lines = pino({ base: null, timestamp: false }, { write: (line) => log.push(JSON.parse(line)) });
    threads = requestThreads({ program, concurrency: 1, log: lines, ...options });
  };
  afterEach(() => threads.close());

  interface Asked {
    readonly body?: string;
    readonly digest?: string;
    readonly isAbandoned?: boolean;
  }

  /** The number of the request in its thread and the body of the reply, or the refusal. */
  const ask = (user: string, url: string, { body, digest = url, isAbandoned = false }: Asked = {}) =>
    threads.answer({ user: userOf(user), request: requestTo(url, body), digest, isAbandoned: () => isAbandoned }).match(
      (reply) => `${reply.headers['Asked']} ${new TextDecoder().decode(reply.body)}`.trim(),
      ({ type }) => type,
    );

  it('pass bodies on and write the lines of a thread to the log', async () => {
    opened();
    expect(await ask('a', '/', { body: 'text' })).to.equal('1 text');
    expect(await ask('a', '/log')).to.equal('2');
    expect(log).to.deep.equal([{ level: 40, odd: true, msg: 'odd' }]);
  });

  it('answer other users while one floods them, who alone is refused', async () => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    opened({ concurrency: 2, queueLimit: 3, data: gate });
    const flood = Array.from({ length: 5 }, () => ask('a', '/wait'));
    expect(await flood[4]).to.equal('ThreadsBusy');
    expect(await ask('b', '/')).to.equal('1');
    expect(threads.stats()).to.deep.equal({ running: 1, waiting: 3, lost: 0 });
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    expect(await Promise.all(flood)).to.not.include('ComputationLost');
  });

  it('refuse a computation for ten minutes after it has cost a thread, to every user', async () => {
    opened({ seconds: 1 });
    expect(await ask('a', '/hang')).to.equal('ComputationLost');
    expect(log).to.deep.equal([
      {
        level: 50,
        reason: 'No answer in 1 s.',
        requestId: 'the-request',
        route: '/api/test',
        msg: 'request thread lost',
      },
    ]);
    const again = threads.answer({
      user: userOf('b'),
      request: requestTo('/hang'),
      digest: '/hang',
      isAbandoned: () => false,
    });
    const seconds = await again.match(
      () => 0,
      ({ retryAfterSeconds }) => retryAfterSeconds,
    );
    expect(seconds).to.be.within(590, 600);
    expect(await ask('b', '/')).to.equal('1');
    expect(threads.stats().lost).to.equal(1);
  });

  it('replace a thread that uses too much memory', async () => {
    opened({ memory: 32 });
    expect(await ask('a', '/hoard')).to.equal('ComputationLost');
    expect(String(log[0]?.['reason'])).to.contain('memory');
    expect(await ask('a', '/')).to.equal('1');
  });

  it('do not compute for clients that have gone', async () => {
    opened();
    expect(await ask('a', '/hang', { isAbandoned: true })).to.equal('ThreadsBusy');
    expect(await ask('a', '/')).to.equal('1');
  });

  it('end with their requests when they are closed', async () => {
    opened();
    const hanging = ask('a', '/hang');
    const waiting = ask('a', '/');
    await threads.close();
    expect(await Promise.all([hanging, waiting])).to.deep.equal(['ThreadsBusy', 'ThreadsBusy']);
    expect(log).to.deep.equal([]);
  });
});
