import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { median } from '../faults/support/medians.ts';
import { expectConsistentDatabase } from '../faults/support/people.ts';
import { World } from './world.ts';

const minutes = Number(process.env['MINUTES'] ?? 30);
const writers = 8;
const pauseMilliseconds = 100;
const sampleSeconds = 5;

interface Sample {
  /** Resident memory of both services. */
  readonly megabytes: number;
  /** Database connections, including those of this test. */
  readonly connections: number;
}

/**
 * Run by `pnpm test soak`, as root on Debian with `postgresql`: nothing grows during a long run of reads and writes.
 */
describe(`${minutes} minutes of reads and writes`, function () {
  this.timeout((minutes + 5) * 60_000);
  let world: World;

  before(async () => {
    world = await World.open({ writers, megabytes: 4096 });
  });
  after(() => world.close());

  it('keeps memory and connections flat', async () => {
    const stop = new AbortController();
    const work = Promise.all(world.writers.map((writer) => writer.work(stop.signal, pauseMilliseconds)));
    const samples: Sample[] = [];
    const endAt = performance.now() + minutes * 60_000;
    while (performance.now() < endAt) {
      await Promise.race([delay(sampleSeconds * 1000), work]);
      await readAll();
      samples.push(sample());
    }
    stop.abort();
    await work;
    const quarter = (number: number) => part(samples, number);
    const figures = { quarters: [1, 2, 3, 4].map(quarter), ...world.counter.take() };
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    expect(world.counter.unexpectedResponses).to.deep.equal([]);
    // By the second quarter, initial loading and compilation are done.
    expect(quarter(4).megabytes).to.be.below(quarter(2).megabytes * 1.15);
    expect(quarter(4).connections).to.be.at.most(quarter(2).connections + 4);
    await world.withDatabase(expectConsistentDatabase);
  });

  async function readAll(): Promise<void> {
    for (const url of world.urls()) await Promise.all(world.writers.map((writer) => writer.found(url)));
  }

  const sample = (): Sample => ({
    megabytes: world.processes.reduce((sum, { pid }) => sum + residentMegabytes(pid), 0),
    connections: Number(
      world.server.ask("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"),
    ),
  });
});

function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** The medians of a quarter of the samples. */
function part(samples: readonly Sample[], number: number): Sample {
  const length = samples.length / 4;
  const some = samples.slice(Math.floor((number - 1) * length), Math.floor(number * length));
  return {
    megabytes: median(some.map(({ megabytes }) => megabytes)),
    connections: median(some.map(({ connections }) => connections)),
  };
}
