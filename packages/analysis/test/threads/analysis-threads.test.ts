import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, platform } from 'node:os';
import { analysesContract } from '@zonewright/contract-tests';
import { type AnalysedConfiguration, storedDocument } from '@zonewright/core';
import { expect } from 'chai';
import { type AnalysisLimits, analysesInThread, analysisThreads, type ClosableAnalyses } from '../../src/index.ts';

analysesContract('in the calling thread', analysesInThread);
analysesContract('on threads', analysisThreads);

const program = new URL('./support/obedient-thread.mjs', import.meta.url);
const about = (document: object): AnalysedConfiguration => ({
  // As stored, whatever its shape.
  document: storedDocument<AnalysedConfiguration['document']>(JSON.stringify(document)).value,
  backends: { originServers: [], loadBalancers: [] },
});

describe('analysisThreads', function () {
  this.timeout(30_000);
  let threads: ClosableAnalyses;
  let losses: string[];
  const opened = (limits: Partial<AnalysisLimits> = {}) => {
    losses = [];
    threads = analysisThreads({ limits: { concurrency: 1, ...limits }, program, onLoss: (why) => losses.push(why) });
    return threads;
  };
  afterEach(() => threads.close());

  /** The number of the question in its thread, or the refusal. */
  const ask = async (task: string, more = '') =>
    (await threads.findings(about({ task, more }))).match(
      // The test program's answer.
      (answer) => (answer as unknown as { readonly asked: number }).asked,
      ({ type, retryAfterSeconds }) => `${type} ${retryAfterSeconds}`,
    );

  it('computes the same answer once, concurrently or later', async () => {
    opened();
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).to.deep.equal([1, 1, 2]);
    expect([await ask('a'), await ask('c'), await ask('b')]).to.deep.equal([1, 3, 2]);
    expect(await Promise.all([ask('fail'), ask('fail')].map(failed))).to.deep.equal([true, true]);
    // Failures are not cached.
    expect(await failed(ask('fail'))).to.equal(true);
    expect(await ask('d')).to.equal(6);
  });
  const failed = (answer: Promise<unknown>) =>
    answer.then(
      () => false,
      (failure: Error) => failure.message === 'It failed.',
    );

  it('caches no more answers than fit', async () => {
    opened({ cacheSize: 250 });
    for (const task of ['a', 'b', 'c']) await ask(task);
    expect([await ask('c'), await ask('b'), await ask('a')]).to.deep.equal([3, 2, 4]);
  });

  it('refuses questions that wait too long for a thread or do not fit in the queue', async () => {
    opened({ waitSeconds: 0.05, queueLimit: 1 });
    const first = ask('hang');
    const waiting = [ask('a'), ask('b')];
    expect(await Promise.all(waiting)).to.deep.equal(['AnalysisBusy 1', 'AnalysisBusy 1']);
    await threads.close();
    expect(await first).to.equal('AnalysisBusy 1');
    expect(losses).to.deep.equal([]);
  });

  it('replaces a thread that does not answer', async () => {
    opened({ seconds: 1 });
    expect(await ask('a')).to.equal(1);
    expect(await ask('hang')).to.equal('AnalysisBusy 5');
    expect(losses).to.deep.equal(['No answer in 1 s.']);
    expect(await ask('b')).to.equal(1);
  });

  it('replaces a thread that uses too much memory', async () => {
    opened({ memory: 32 });
    expect(await ask('hoard')).to.equal('AnalysisBusy 5');
    expect(losses.join()).to.contain('memory');
    expect(await ask('a')).to.equal(1);
  });

  it('ends idle threads', async () => {
    opened({ idleSeconds: 0.02 });
    for (let question = 0; ; question += 1) {
      const count = await ask('a', String(question));
      // A different thread has answered.
      if (question > 0 && count === 1) break;
      await new Promise((resolve) => setTimeout(resolve, question));
    }
    expect(losses).to.deep.equal([]);
  });
});

describe('the thread of an analysis', function () {
  this.timeout(30_000);
  const leaf = (value: string) => ({ field: 'uri', operator: 'matches', value });
  /** Each needs a large automaton, and they are compatible with each other. */
  const conditions = Array.from({ length: 6 }, (_, index) => leaf(`^/(a|b)*${'ab'[index % 2]}(a|b){${8 + index}}$`));
  const rule = (name: string) => ({ name, action: 'block', conditions: { logic: 'and', conditions } });
  const heavy = about({ zone_settings: {}, accessRules: { order: ['a', 'b'], items: { a: rule('A'), b: rule('B') } } });

  it('does not block the calling thread, and yields to it', async () => {
    const threads = analysisThreads();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const before = getPriority();
    try {
      expect((await threads.findings(heavy)).isOk()).to.equal(true);
      expect(turns).to.be.greaterThan(20);
      expect(getPriority()).to.equal(before);
      if (platform() === 'linux') expect(priorities()).to.include(Math.min(19, before + 10));
    } finally {
      clearInterval(timer);
      await threads.close();
    }
  });
});

/** The priorities of all threads of this process (proc(5), `stat`). */
const priorities = (): readonly number[] =>
  readdirSync('/proc/self/task').map((thread) =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]),
  );
